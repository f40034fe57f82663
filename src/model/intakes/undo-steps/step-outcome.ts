/** What became of a step that was undone. */

import { momentText } from '../../../lib/time/moments.ts'
import { sourceOfKey, timeOfKey } from '../../../store/packed-changes.ts'
import type { Series } from '../../../store/series.ts'

export interface StepOutcome {
  readonly undone: number
  readonly left: readonly LeftRecord[]
  /** Whether these are parts of records that are already counted. */
  readonly isPart?: boolean
}

/** What a record belongs to, or is. */
export type RecordKind = 'business' | 'site' | 'subject' | 'keyword' | 'page'

/** A record that an undo left as it is, as far as the step knows it; what it belongs to is named where it is listed. */
export interface LeftRecord {
  readonly kind: string
  readonly of: RecordKind
  readonly id: number
  /** The code of what an entry of a series was measured on. */
  readonly source?: number
  /** What tells it apart from others of the same owner. */
  readonly more?: string
  readonly why: Why
}

/** The later intake that delivered it too, or the reason in words. */
export type Why = number | string

export const changedSince = 'it was changed since or has gone'

export function recordKindOf(column: `${RecordKind}_id`): RecordKind {
  return column.slice(0, -3) as RecordKind
}

export function entryTold({ name, owner, to }: Series, id: number, key: number): Omit<LeftRecord, 'why'> {
  const time = momentText(timeOfKey(key)).replace('T', ' ').replace('Z', '')
  return { kind: name, of: recordKindOf(owner), id, source: sourceOfKey(key), more: to === 'day' ? time.slice(0, 10) : time }
}
