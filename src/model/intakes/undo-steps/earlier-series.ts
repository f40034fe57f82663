/** Takes the entries of packed series back that an earlier version stored, month by month: those that are as their intake left them. */

import type { Kysely } from 'kysely'
import { livingAmong } from '../../../store/living-owners.ts'
import { type EntriesBefore, keyAt, revert, WordList } from '../../../store/packed-changes.ts'
import { type Chunk, monthOf, nextMonth, untold } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Series } from '../../../store/series.ts'
import { deleteMonths, monthsOfOwner, type OwnedChunk, ownerColumn } from '../../../store/series-rows.ts'
import { rangeOf } from '../../core/steps.ts'
import { padded } from '../../imports/batches.ts'
import type { SeriesStep } from '../../imports/journal/earlier-steps.ts'
import { putChunks } from '../../imports/store/chunks.ts'
import { closeLater, entryLeft } from './entries.ts'
import type { OpenEntries } from './restore-entries.ts'
import { changedSince, type StepOutcome } from './step-outcome.ts'

export async function undoSeriesByValue(
  tx: Kysely<Tables>,
  account_id: number,
  kind: Series,
  all: readonly SeriesStep[],
): Promise<StepOutcome> {
  let undone = 0
  const open: OpenEntries = new Map(all.map((step) => [step.owner, keysOf(kind, step)]))
  const asked = { accountId: account_id, kind: kind.name, after: 0, owners: rangeOf([...open.keys()]).owners, times: [0, untold] as const }
  const left = await closeLater(tx, asked, kind, open, false)
  const steps = all.map((step) => stillOpen(kind, step, open.get(step.owner) ?? new Map()))
  const owners = steps.map(({ owner }) => owner)
  const living = await livingAmong(tx, kind.owners, account_id, owners)
  for (const step of steps) {
    for (const month of monthsOf(kind, step)) {
      const known = living.has(step.owner) ? await chunksOf(tx, kind, account_id, step.owner, month) : []
      const result = revert(
        known,
        within(step.created, kind.layout.words, month),
        within(step.updated, 2 * kind.layout.words, month),
        kind.layout,
      )
      await replace(tx, kind, { account_id, owner: step.owner }, known, result.chunks)
      undone += result.reverted
      for (const entry of result.left) left.push(entryLeft(kind, step.owner, keyAt(entry, 0), changedSince))
    }
  }
  return { undone, left }
}

/** By the keys of all its entries; what was there before stands in the step. */
function keysOf({ layout }: Series, { created, updated }: SeriesStep): EntriesBefore {
  const keys: EntriesBefore = new Map()
  for (let at = 0; at < created.length; at += layout.words) keys.set(keyAt(created, at), null)
  for (let at = 0; at < updated.length; at += 2 * layout.words) keys.set(keyAt(updated, at), null)
  return keys
}

function stillOpen({ layout }: Series, { owner, created, updated }: SeriesStep, open: EntriesBefore): SeriesStep {
  return { owner, created: keptOf(created, layout.words, open), updated: keptOf(updated, 2 * layout.words, open) }
}

function keptOf(words: Uint32Array, stride: number, open: EntriesBefore): Uint32Array {
  const kept = new WordList()
  for (let at = 0; at < words.length; at += stride) if (open.has(keyAt(words, at))) kept.add(words, at, stride)
  return kept.words()
}

function monthsOf(kind: Series, { created, updated }: SeriesStep): number[] {
  const months = new Set<number>()
  for (let at = 0; at < created.length; at += kind.layout.words) months.add(monthOf(created[at] as number))
  for (let at = 0; at < updated.length; at += 2 * kind.layout.words) months.add(monthOf(updated[at] as number))
  return [...months]
}

/** The entries of one month, from entries sorted by time. */
function within(words: Uint32Array, stride: number, month: number): Uint32Array {
  const end = nextMonth(month)
  let [first, last] = [0, 0]
  for (let at = 0; at < words.length; at += stride) {
    if ((words[at] as number) < month) first = at + stride
    if ((words[at] as number) < end) last = at + stride
  }
  return words.subarray(first, last)
}

async function chunksOf(tx: Kysely<Tables>, kind: Series, accountId: number, owner: number, month: number): Promise<Chunk[]> {
  return monthsOfOwner(tx, kind, accountId, owner)
    .select(['starts_at', 'data'])
    .where('starts_at', '>=', month)
    .where('starts_at', '<', nextMonth(month))
    .orderBy('starts_at')
    .execute()
}

async function replace(
  tx: Kysely<Tables>,
  kind: Series,
  whose: Pick<OwnedChunk, 'account_id' | 'owner'>,
  before: readonly Chunk[],
  after: readonly Chunk[],
): Promise<void> {
  const kept = new Set(after.map(({ starts_at }) => starts_at))
  const gone = before.map(({ starts_at }) => starts_at).filter((start) => !kept.has(start))
  const ofOwner = deleteMonths(tx, kind.table, whose.account_id).where(ownerColumn(kind), '=', whose.owner)
  if (gone.length > 0) await ofOwner.where('starts_at', 'in', padded(gone)).execute()
  const owned = after.map((chunk): OwnedChunk => ({ ...whose, ...chunk }))
  if (owned.length > 0) await putChunks(tx, kind, owned)
}
