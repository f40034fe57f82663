/** Steps as earlier versions wrote them: without their order, and with what tells whether a record is still as its intake left it. */

import { hash } from 'node:crypto'
import type { Row, RowKind } from '../row-kinds.ts'

/** A row that was created (`before` is null) or changed; `after` is a hash, because it is only compared. */
export interface RowStep {
  readonly owner: number
  readonly key: string
  readonly before: Row | null
  readonly after: string
}

/** The changes of one series: entries as created, and pairs of one as written and as it was. */
export interface SeriesStep {
  readonly owner: number
  readonly created: Uint32Array
  readonly updated: Uint32Array
}

/** A hash of the columns that imports write: two rows with the same hash have the same content. */
export function rowHash(kind: RowKind, row: Row): string {
  const told = kind.columns.filter((column) => !kind.later?.includes(column) || (row[column] ?? null) !== null)
  return hash('sha256', JSON.stringify(told.map((column) => row[column] ?? null)), 'base64url').slice(0, 22)
}

const headWords = 4

/** For each series four words (its owner in two of them, then the lengths of both lists), followed by the lists. */
export function* unpackSeries(words: Uint32Array): Generator<SeriesStep> {
  for (let at = 0; at < words.length; ) {
    const [low = 0, high = 0, created = 0, updated = 0] = words.subarray(at, at + headWords)
    const [first, second, next] = [at + headWords, at + headWords + created, at + headWords + created + updated]
    yield { owner: high * 2 ** 32 + low, created: words.subarray(first, second), updated: words.subarray(second, next) }
    at = next
  }
}
