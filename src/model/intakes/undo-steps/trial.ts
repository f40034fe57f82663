/** A trial: an undo that reads only, and keeps what would become of each record. */

import type { LeftRecord, RecordKind } from './step-outcome.ts'

/** What an undo would do to a record: it goes, or is again as it was before the intake. */
export interface RecordGoing extends Omit<LeftRecord, 'why'> {
  readonly becomes: 'gone' | 'as before'
}

/** What goes is still stored while it is tried, so that what hangs on it would keep it. */
export type GoingTable = 'sites' | 'subjects' | 'keywords' | 'pages' | 'locations'

export interface Trial {
  /** The ids of what goes; of locations, of their sites. */
  readonly going: ReadonlyMap<GoingTable, Set<number>>
  readonly goes: RecordGoing[]
  /** How many of each kind are still to be listed. */
  readonly room: Map<string, number>
}

/** How a step is undone. */
export interface How {
  readonly trial?: Trial
  /** What people have hung on records of the intake goes with these. */
  readonly takesPeople: boolean
}

const mostListed = 100

export function newTrial(): Trial {
  const tables: readonly GoingTable[] = ['sites', 'subjects', 'keywords', 'pages', 'locations']
  return { going: new Map(tables.map((table) => [table, new Set()])), goes: [], room: new Map() }
}

export function noteGoing({ goes, room }: Trial, one: RecordGoing): void {
  if (takesRoom(room, one.kind)) goes.push(one)
}

/** The first hundred of each kind. */
export function takesRoom(room: Map<string, number>, kind: string): boolean {
  const left = room.get(kind) ?? mostListed
  if (left > 0) room.set(kind, left - 1)
  return left > 0
}

const tableOf = { site: 'sites', subject: 'subjects', keyword: 'keywords' } as const

export function noteRecordsGoing(trial: Trial, kind: Exclude<RecordKind, 'page'>, ids: readonly number[]): void {
  for (const id of ids) {
    if (kind !== 'business') trial.going.get(tableOf[kind])?.add(id)
    noteGoing(trial, { kind, of: kind, id, becomes: 'gone' })
  }
}
