/** Merges new entries into the chunks of their months within a transaction, and counts the changes. */

import type { Kysely } from 'kysely'
import { rowsOfEach } from '../../../store/grouped-rows.ts'
import { type EntryChanges, merge, noChanges } from '../../../store/packed-changes.ts'
import { byMonth, type Chunk, firstFrom, monthOf, nextMonth, type SourceOrder } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Series } from '../../../store/series.ts'
import { monthRows, monthsOfOwner, type OwnedChunk, ownerColumn, putMonths } from '../../../store/series-rows.ts'
import { lockMeasuredVersions, renewMeasuredVersions } from '../../core/report-version.ts'
import { parts, requireExisting } from '../batches.ts'
import { type Counts, noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'

/** All new entries of one series, in stored order. */
export interface PackedSeries {
  readonly account_id: number
  readonly owner: number
  readonly words: Uint32Array
}

/** All series of a batch belong to one account. */
export async function applyBatch(
  { caller, journal, samples }: Applying,
  tx: Kysely<Tables>,
  kind: Series,
  batch: readonly PackedSeries[],
  orders: ReadonlyMap<number, SourceOrder>,
): Promise<Counts> {
  const { store, clock } = caller.app
  const account_id = batch[0]?.account_id as number
  await lockMeasuredVersions(store, tx, [account_id])
  if (samples === undefined)
    await requireExisting(
      tx,
      kind.owners,
      account_id,
      batch.map(({ owner }) => owner),
    )
  const now = Math.floor(Date.parse(clock.now()) / 1000)
  const merging: Merging = {
    tx,
    kind,
    account_id,
    order: orders.get(account_id) as SourceOrder,
    now,
    counts: noCounts(),
    entries: new Map(),
  }
  await mergeBatch(merging, batch)
  samples?.addSeries(kind.name, merging.entries)
  const { created, updated, unchanged } = merging.counts
  const counts = { created: created - sayingNothing(kind, merging.entries), updated, unchanged }
  await journal.keepSeries(tx, account_id, kind.name, merging.entries, counts)
  if (created + updated > 0) await renewMeasuredVersions(tx, [account_id])
  return counts
}

/** How many new entries say that there is no address, which was so before. */
function sayingNothing({ figures, layout }: Series, entries: ReadonlyMap<number, EntryChanges>): number {
  let many = 0
  if (Object.values(figures).includes('address'))
    for (const { created } of entries.values())
      for (let at = 2; at < created.length; at += layout.words) if (created.wordAt(at) === 0) many++
  return many
}

/** What merging a batch needs, and its results. */
interface Merging {
  readonly tx: Kysely<Tables>
  readonly kind: Series
  readonly account_id: number
  readonly order: SourceOrder
  readonly now: number
  readonly counts: Counts
  /** The changes by owner. */
  readonly entries: Map<number, EntryChanges>
}

/** Reads the stored months at once if they are small; otherwise splits the batch in half, and merges a single long series chunk by chunk. */
async function mergeBatch(merging: Merging, batch: readonly PackedSeries[]): Promise<void> {
  const known = await knownChunks(merging, batch)
  const [one] = batch
  if (known !== null) {
    const put: OwnedChunk[] = []
    for (const series of batch) put.push(...mergeSeries(merging, series, known.get(series.owner) ?? []))
    await putChunks(merging.tx, merging.kind, put)
  } else if (batch.length === 1 && one) await mergeLongSeries(merging, one)
  else {
    await mergeBatch(merging, batch.slice(0, batch.length >> 1))
    await mergeBatch(merging, batch.slice(batch.length >> 1))
  }
}

/** Returns the chunks that changed. */
function mergeSeries(merging: Merging, { owner, words }: PackedSeries, known: readonly Chunk[]): OwnedChunk[] {
  const put: OwnedChunk[] = []
  for (const { month, words: incoming } of byMonth(words, merging.kind.layout)) {
    const end = nextMonth(month)
    const old = known.filter(({ starts_at }) => starts_at >= month && starts_at < end)
    put.push(...mergeInto(merging, owner, old, incoming, true))
  }
  return put
}

function mergeInto(merging: Merging, owner: number, old: readonly Chunk[], incoming: Uint32Array, isEnd: boolean): OwnedChunk[] {
  const { kind, order, now, counts, account_id } = merging
  const entries = merging.entries.get(owner) ?? noChanges()
  merging.entries.set(owner, entries)
  const merged = merge(old, incoming, kind.layout, order, now, entries, isEnd)
  for (const outcome of ['created', 'updated', 'unchanged'] as const) counts[outcome] += merged[outcome]
  const unchanged = new Set(old)
  return merged.chunks.filter((chunk) => !unchanged.has(chunk)).map((chunk) => ({ account_id, owner, ...chunk }))
}

/** Reads each chunk that receives entries by itself, and writes it before the next is read. */
async function mergeLongSeries(merging: Merging, { owner, words }: PackedSeries): Promise<void> {
  const { layout } = merging.kind
  for (let start = 0; start < words.length; ) {
    const time = words[start] as number
    const { chunk, next } = await chunkAround(merging, owner, time)
    const end = firstFrom(words, layout, next ?? nextMonth(monthOf(time)))
    const put = mergeInto(merging, owner, chunk === undefined ? [] : [chunk], words.subarray(start, end), next === undefined)
    await putChunks(merging.tx, merging.kind, put)
    start = end
  }
}

/** The chunk that contains a time, and the start of the next one. */
async function chunkAround(merging: Merging, owner: number, time: number): Promise<{ chunk?: Chunk; next?: number }> {
  const months = monthsOfOwner(merging.tx, merging.kind, merging.account_id, owner)
  const chunks = months.select(['starts_at', 'data']).where('starts_at', '>=', monthOf(time)).where('starts_at', '<=', time)
  const chunk = await chunks.orderBy('starts_at', 'desc').limit(1).executeTakeFirst()
  const later = months
    .select('starts_at')
    .where('starts_at', '>', time)
    .where('starts_at', '<', nextMonth(monthOf(time)))
  const next = await later.orderBy('starts_at').limit(1).executeTakeFirst()
  return { ...(chunk && { chunk }), ...(next && { next: next.starts_at }) }
}

const mostKnownRows = 2_000
const mostKnownBytes = 1 << 20

type KnownChunk = Chunk & { readonly owner: number }

/** The stored chunks in the months of these series, by owner; null if they are too many to be merged at once. */
async function knownChunks(merging: Merging, batch: readonly PackedSeries[]): Promise<Map<number, Chunk[]> | null> {
  const { layout } = merging.kind
  const times = batch.flatMap(({ words }) => [words[0] as number, words[words.length - layout.words] as number])
  const owners = batch.map((series) => series.owner)
  return chunksOfEach(merging.tx, merging.kind, merging.account_id, owners, times)
}

/** The stored chunks of these owners in the months of these times and all between, by owner; null if they are too many to be held at once. */
export async function chunksOfEach(
  tx: Kysely<Tables>,
  kind: Series,
  accountId: number,
  owners: readonly number[],
  times: readonly number[],
): Promise<Map<number, Chunk[]> | null> {
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [2 ** 32, 0])
  const select = monthRows(tx, kind.table, accountId)
    .select([ownerColumn(kind).as('owner'), 'starts_at', 'data'])
    .where('starts_at', '>=', monthOf(first))
    .where('starts_at', '<', nextMonth(monthOf(last)))
  const wanted = { select, group: kind.owner, order: ['starts_at'], limit: mostKnownRows + 1 }
  const rows = (await rowsOfEach(tx, owners, wanted).execute()) as KnownChunk[]
  const bytes = rows.reduce((sum, { data }) => sum + data.byteLength, 0)
  return rows.length > mostKnownRows || bytes > mostKnownBytes ? null : Map.groupBy(rows, (row) => row.owner)
}

export async function putChunks(tx: Kysely<Tables>, { name }: Series, chunks: readonly OwnedChunk[]): Promise<void> {
  for (const part of parts(chunks)) await putMonths(tx, name, part)
}
