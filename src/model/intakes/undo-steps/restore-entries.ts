/** Puts the entries of series back as they were, many series at a time. */

import type { Kysely } from 'kysely'
import { batchesOf } from '../../../lib/work/batches.ts'
import { type EntriesBefore, timeOfKey, withoutChanges } from '../../../store/packed-changes.ts'
import { type Chunk, monthOf, nextMonth } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Series } from '../../../store/series.ts'
import { deleteMonths, monthsOfOwner, type OwnedChunk, ownerColumn } from '../../../store/series-rows.ts'
import { chunksOfEach, putChunks } from '../../imports/store/chunks.ts'
import { entryTold } from './step-outcome.ts'
import { noteGoing, type Trial } from './trial.ts'

/** What has still to be put back, by owner. */
export type OpenEntries = Map<number, EntriesBefore>

const ownersAtOnce = 64
const rowsPerDelete = 20

/** Returns how many there were; a trial only notes them. */
export async function restoreEntries(
  tx: Kysely<Tables>,
  kind: Series,
  accountId: number,
  open: OpenEntries,
  trial?: Trial,
): Promise<number> {
  const place: PuttingBack = { tx, accountId, wanted: { kind, open, trial } }
  let many = 0
  for (const some of batchesOf([...open.keys()], ownersAtOnce)) many += await restoreOf(place, some)
  return many
}

interface Wanted {
  readonly kind: Series
  readonly open: OpenEntries
  readonly trial: Trial | undefined
}

interface PuttingBack {
  readonly tx: Kysely<Tables>
  readonly accountId: number
  readonly wanted: Wanted
}

async function restoreOf(place: PuttingBack, owners: readonly number[]): Promise<number> {
  const { tx, accountId, wanted } = place
  const { kind, open } = wanted
  const times = owners.flatMap((owner) => [...monthsOf(open, owner)])
  const known = await chunksOfEach(tx, kind, accountId, owners, times)
  if (known !== null)
    return replace(
      place,
      owners.flatMap((owner) => restored(wanted, owner, known.get(owner) ?? [])),
    )
  const [one] = owners
  if (owners.length === 1 && one !== undefined) return restoreLong(place, one)
  const half = owners.length >> 1
  const first = await restoreOf(place, owners.slice(0, half))
  return first + (await restoreOf(place, owners.slice(half)))
}

/** Month by month, where the months of one series are too many. */
async function restoreLong(place: PuttingBack, owner: number): Promise<number> {
  const { tx, accountId, wanted } = place
  const { kind, open } = wanted
  let many = 0
  for (const month of monthsOf(open, owner)) {
    const rows = monthsOfOwner(tx, kind, accountId, owner).select(['starts_at', 'data'])
    const known: Chunk[] = await rows
      .where('starts_at', '>=', month)
      .where('starts_at', '<', nextMonth(month))
      .orderBy('starts_at')
      .execute()
    many += await replace(place, restored(wanted, owner, known))
  }
  return many
}

function monthsOf(open: OpenEntries, owner: number): Set<number> {
  return new Set([...(open.get(owner)?.keys() ?? [])].map((key) => monthOf(timeOfKey(key))))
}

interface Restored {
  readonly owner: number
  readonly before: readonly Chunk[]
  readonly after: readonly Chunk[]
  readonly many: number
}

/** By month, because a chunk begins where its month does. */
function restored({ kind, open, trial }: Wanted, owner: number, known: readonly Chunk[]): Restored[] {
  const entries = open.get(owner) ?? new Map()
  const months = Map.groupBy(known, ({ starts_at }) => monthOf(starts_at))
  return [...months.values()].flatMap((before) => {
    const { chunks: after, reverted: many } = withoutChanges(before, entries, kind.layout, (key, old) => {
      if (trial !== undefined) noteGoing(trial, { ...entryTold(kind, owner, key), becomes: old === null ? 'gone' : 'as before' })
    })
    return many === 0 ? [] : [{ owner, before, after, many }]
  })
}

async function replace({ tx, accountId: account_id, wanted: { kind, trial } }: PuttingBack, all: readonly Restored[]): Promise<number> {
  const many = all.reduce((sum, restoring) => sum + restoring.many, 0)
  if (trial !== undefined) return many
  const gone = all.flatMap(({ owner, before, after }) => {
    const kept = new Set(after.map(({ starts_at }) => starts_at))
    return before.flatMap(({ starts_at }) => (kept.has(starts_at) ? [] : [{ owner, starts_at }]))
  })
  for (const some of batchesOf(gone, rowsPerDelete))
    await deleteMonths(tx, kind.table, account_id)
      .where((row) =>
        row.or(some.map(({ owner, starts_at }) => row.and([row(ownerColumn(kind), '=', owner), row('starts_at', '=', starts_at)]))),
      )
      .execute()
  const put = all.flatMap(({ owner, after }) => after.map((chunk): OwnedChunk => ({ account_id, owner, ...chunk })))
  await putChunks(tx, kind, put)
  return many
}
