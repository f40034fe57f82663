/** `marquee retention`: removes rankings, counts and figures of old months; `--dry-run` shows that first. */

import { findOldMonths, removeOldMonths } from '../../../model/upkeep/old-months.ts'
import { allSeries } from '../../../store/series.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'

const mostMonths = 1_200

export async function retention({ caller, number, has }: OperatorInput): Promise<Output> {
  const keep = number('keep-months') ?? 0
  if (keep < 1 || keep > mostMonths) throw new UsageError(`--keep-months must be between 1 and ${mostMonths.toLocaleString('en-US')}.`)
  const isDryRun = has('dry-run')
  const { entries, periods, ...old } = await (isDryRun ? findOldMonths : removeOldMonths)(caller, keep)
  const removed = { ...old, ...Object.fromEntries(allSeries.map(({ name, plural }) => [plural, entries[name]])), periods }
  return { document: { removed }, note: noteOn(removed.since === null, isDryRun) }
}

function noteOn(isNothing: boolean, isDryRun: boolean): string {
  if (isNothing) return 'There is nothing that old.'
  return isDryRun ? 'This would go; nothing was removed.' : 'Removed. There is no way back but a backup.'
}
