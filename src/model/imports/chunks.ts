/** Merges new entries into the chunks of their months within a transaction, and counts what that changed. */

import type { Kysely } from 'kysely'
import { type EntryChanges, merge, WordList } from '../../store/packed-changes.ts'
import {
  byMonth,
  type Chunk,
  clickCountLayout,
  type Layout,
  monthOf,
  nextMonth,
  rankedUrlLayout,
  rankingLayout,
  reviewCountLayout,
  type SourceOrder,
} from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { lockMeasuredVersions, renewMeasuredVersions } from '../core/report-version.ts'
import type { Applying } from './apply.ts'
import { padded, parts } from './batches.ts'
import type { SeriesName } from './journal.ts'
import { type Counts, noCounts } from './summary.ts'

export interface SeriesTable {
  readonly name: SeriesName
  readonly table: 'ranking_months' | 'ranked_url_months' | 'click_count_months' | 'review_count_months'
  readonly owner: 'keyword_id' | 'page_id'
  readonly layout: Layout
}

// biome-ignore format: a table reads by its columns
export const seriesTables: Readonly<Record<SeriesName, SeriesTable>> = {
  ranking:      { name: 'ranking',      table: 'ranking_months',      owner: 'keyword_id', layout: rankingLayout },
  ranked_url:   { name: 'ranked_url',   table: 'ranked_url_months',   owner: 'keyword_id', layout: rankedUrlLayout },
  click_count:  { name: 'click_count',  table: 'click_count_months',  owner: 'keyword_id', layout: clickCountLayout },
  review_count: { name: 'review_count', table: 'review_count_months', owner: 'page_id',    layout: reviewCountLayout },
}

/** All new entries of one series, in stored order. */
export interface PackedSeries {
  readonly account_id: number
  readonly owner: number
  readonly words: Uint32Array
}

export type OwnedChunk = Chunk & { readonly account_id: number; readonly owner: number }

/** All series of a batch are of one account. */
export async function applyBatch(
  { caller, journal }: Applying,
  tx: Kysely<Tables>,
  kind: SeriesTable,
  batch: readonly PackedSeries[],
  orders: ReadonlyMap<number, SourceOrder>,
): Promise<Counts> {
  const { store, clock } = caller.app
  const now = Math.floor(Date.parse(clock.now()) / 1000)
  await lockMeasuredVersions(
    store,
    tx,
    batch.map(({ account_id }) => account_id),
  )
  const counts = noCounts()
  const changes: Changes = { entries: new Map(), put: [], removed: [] }
  for (const [account_id, series] of Map.groupBy(batch, (one) => one.account_id)) {
    const known = await knownChunks(tx, kind, account_id, series)
    for (const one of series)
      mergeSeries(kind, one, known.get(one.owner) ?? [], orders.get(account_id) as SourceOrder, now, counts, changes)
  }
  for (const chunk of changes.removed) await removeChunk(tx, kind, chunk)
  for (const part of parts(changes.put)) await putChunks(tx, kind, part)
  const [one] = batch
  if (one) await journal.keepSeries(tx, one.account_id, kind.name, changes.entries)
  await renewMeasuredVersions(
    tx,
    [...changes.put, ...changes.removed].map(({ account_id }) => account_id),
  )
  return counts
}

interface Changes {
  /** By owner. */
  readonly entries: Map<number, EntryChanges>
  readonly put: OwnedChunk[]
  readonly removed: OwnedChunk[]
}

function mergeSeries(
  kind: SeriesTable,
  { account_id, owner, words }: PackedSeries,
  known: readonly Chunk[],
  order: SourceOrder,
  now: number,
  counts: Counts,
  changes: Changes,
): void {
  const entries = { created: new WordList(), updated: new WordList() }
  changes.entries.set(owner, entries)
  for (const { month, words: incoming } of byMonth(words, kind.layout)) {
    const end = nextMonth(month)
    const old = known.filter(({ starts_at }) => starts_at >= month && starts_at < end)
    const merged = merge(old, incoming, kind.layout, order, now, entries)
    for (const outcome of ['created', 'updated', 'unchanged'] as const) counts[outcome] += merged[outcome]
    for (const chunk of merged.chunks) if (!old.some((before) => isSame(before, chunk))) changes.put.push({ account_id, owner, ...chunk })
    for (const chunk of old)
      if (!merged.chunks.some(({ starts_at }) => starts_at === chunk.starts_at)) changes.removed.push({ account_id, owner, ...chunk })
  }
}

function isSame(a: Chunk, b: Chunk): boolean {
  return a.starts_at === b.starts_at && Buffer.compare(a.data, b.data) === 0
}

// The tables have the same columns but for the owner's name; ranking months stand for all in the types.
async function knownChunks(
  tx: Kysely<Tables>,
  kind: SeriesTable,
  account_id: number,
  series: readonly PackedSeries[],
): Promise<Map<number, Chunk[]>> {
  const times = series.flatMap(({ words }) => [words[0] as number, words[words.length - kind.layout.words] as number])
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [2 ** 32, 0])
  const owner = kind.owner as 'keyword_id'
  const rows = await tx
    .selectFrom(kind.table as 'ranking_months')
    .select([`${owner} as owner`, 'starts_at', 'data'])
    .where('account_id', '=', account_id)
    .where(owner, 'in', padded(series.map((one) => one.owner)))
    .where('starts_at', '>=', monthOf(first))
    .where('starts_at', '<', nextMonth(monthOf(last)))
    .orderBy('starts_at')
    .execute()
  return Map.groupBy(rows, (row) => row.owner)
}

export async function putChunks(tx: Kysely<Tables>, kind: SeriesTable, chunks: readonly OwnedChunk[]): Promise<void> {
  const owner = kind.owner as 'keyword_id'
  await tx
    .insertInto(kind.table as 'ranking_months')
    .values(
      chunks.map(
        (chunk) => ({ account_id: chunk.account_id, [owner]: chunk.owner, starts_at: chunk.starts_at, data: chunk.data }) as never,
      ),
    )
    .onConflict((taken) => taken.columns(['account_id', owner, 'starts_at']).doUpdateSet((row) => ({ data: row.ref('excluded.data') })))
    .execute()
}

export async function removeChunk(tx: Kysely<Tables>, kind: SeriesTable, chunk: OwnedChunk): Promise<void> {
  await tx
    .deleteFrom(kind.table as 'ranking_months')
    .where('account_id', '=', chunk.account_id)
    .where(kind.owner as 'keyword_id', '=', chunk.owner)
    .where('starts_at', '=', chunk.starts_at)
    .execute()
}
