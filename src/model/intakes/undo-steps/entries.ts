/** Takes the entries of packed series back that a step stored: what a later step delivered stays, and that step knows from then on what was there before. */

import type { Kysely } from 'kysely'
import { livingAmong } from '../../../store/living-owners.ts'
import type { EntriesBefore } from '../../../store/packed-changes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Series } from '../../../store/series.ts'
import { type EntryStep, isClaimed, packStep, unpackStep } from '../../core/packed-steps.ts'
import { type Asked, eachLater, rewriteStep } from './later-steps.ts'
import { type OpenEntries, restoreEntries } from './restore-entries.ts'
import { entryTold, type LeftRecord, type StepOutcome, type Why } from './step-outcome.ts'
import type { Trial } from './trial.ts'

export async function undoEntries(tx: Kysely<Tables>, asked: Asked, kind: Series, data: Uint8Array, trial?: Trial): Promise<StepOutcome> {
  const { before: open } = unpackStep(data, kind.layout)
  const living = await livingAmong(tx, kind.owners, asked.accountId, [...open.keys()])
  for (const owner of open.keys()) if (!living.has(owner)) open.delete(owner)
  const left = await closeLater(tx, asked, kind, open, trial === undefined)
  return { undone: await restoreEntries(tx, kind, asked.accountId, open, trial), left }
}

/** Takes out of `open` what later steps have delivered too, and lists it. */
export async function closeLater(
  tx: Kysely<Tables>,
  asked: Asked,
  kind: Series,
  open: OpenEntries,
  handsOver: boolean,
): Promise<LeftRecord[]> {
  const left: LeftRecord[] = []
  if (open.size > 0)
    await eachLater(tx, asked, async (later) => {
      const step = unpackStep(later.data, kind.layout)
      const closed = closeIn(open, step)
      for (const [owner, key] of closed) left.push(entryLeft(kind, owner, key, later.intake_id))
      if (handsOver && closed.length > 0) await rewriteStep(tx, asked.accountId, later, packStep(step))
      return open.size > 0
    })
  return left
}

export function entryLeft(kind: Series, id: number, key: number, why: Why): LeftRecord {
  return { ...entryTold(kind, id, key), why }
}

/** What the step has changed or only claimed is its own from now on. */
function closeIn(open: OpenEntries, step: EntryStep): [owner: number, key: number][] {
  const closed: [number, number][] = []
  for (const [owner, entries] of open) {
    const [changed, runs] = [step.before.get(owner), step.claimed.get(owner)]
    if (changed === undefined && runs === undefined) continue
    const theirs: EntriesBefore = changed ?? new Map()
    for (const [key, before] of entries) {
      const known = theirs.get(key)
      // It was gone before that step created it, so nothing of the earlier one is left.
      if (known === null) entries.delete(key)
      else if (known !== undefined || isClaimed(runs, key)) {
        theirs.set(key, before)
        entries.delete(key)
        closed.push([owner, key])
      }
    }
    if (changed === undefined && theirs.size > 0) step.before.set(owner, theirs)
    if (entries.size === 0) open.delete(owner)
  }
  return closed
}
