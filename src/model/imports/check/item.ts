/** A record that is being checked, with the line that it is from. */

import type { Values } from '../../../fields/read-incoming.ts'
import type { LineError } from '../../../resources/imports/import-fault.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import type { ImportLine, LineOf } from '../import-line.ts'

/** The line of a record, and its index among all records. */
export interface PlaceOf extends LineOf {
  readonly index: number
}

export interface Item {
  readonly from: PlaceOf
  readonly line: ImportLine
  readonly kind: ObservationKind
  readonly given: Readonly<Record<string, unknown>>
  readonly values: Values
}

export interface Refusal {
  readonly from: PlaceOf
  readonly line: ImportLine
  readonly faults: readonly LineError[]
}

/** What the records name, each once. */
export function distinct<T>(items: readonly Item[], find: (values: Values) => T | undefined): ReadonlySet<T> {
  const found = new Set<T>()
  for (const { values } of items) {
    const one = find(values)
    if (one !== undefined) found.add(one)
  }
  return found
}

export function isKind(kind: unknown): kind is ObservationKind {
  return typeof kind === 'string' && Object.hasOwn(observations, kind)
}

/** Whether it is a review without its own id. */
export function isOfReport({ kind, line }: Item): boolean {
  return kind === 'review' && line.isReport === true
}

/** Whether a record of a keyword says more than that it exists. */
export function hasFacts({ search_volume, tags }: Values): boolean {
  return search_volume !== undefined || tags !== undefined
}
