/** `marquee subject`: shows or erases the personal data of one person. */

import { journalPath, readErasures } from '../../../model/people/erasures.ts'
import { eraseAgain, eraseReviewer, eraseUser, exportReviewer, exportUser } from '../../../model/people/personal-data.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'

export async function exportSubject(input: OperatorInput): Promise<Output> {
  const { user, reviewer } = named(input)
  const known = user === undefined ? await exportReviewer(input.caller, reviewer ?? '') : await exportUser(input.caller, user)
  process.stdout.write(`${JSON.stringify(known, null, 2)}\n`)
  return {}
}

export async function erase(input: OperatorInput): Promise<Output> {
  const since = input.text('since')
  if (since !== undefined) return eraseSince(input, since)
  const { user, reviewer } = named(input)
  const erased = user === undefined ? await eraseReviewer(input.caller, reviewer ?? '') : await eraseUser(input.caller, user)
  return { document: { erased }, note: 'Backups still hold what they held: they expire as you delete them.' }
}

/** After a backup was restored by the tools of a database server; `marquee restore` does it by itself. */
async function eraseSince({ caller, settings, text }: OperatorInput, since: string): Promise<Output> {
  if (text('user') !== undefined || text('reviewer') !== undefined) throw new UsageError('Give --since alone.')
  const path = journalPath(settings)
  const erasures = readErasures([path]).filter(({ at }) => at >= since)
  const again = await eraseAgain(caller, erasures)
  return { document: { erased: { again } }, note: `${erasures.length} erasures since then stand in ${path}.` }
}

function named({ text }: OperatorInput) {
  const [user, reviewer] = [text('user'), text('reviewer')]
  if ((user === undefined) === (reviewer === undefined)) throw new UsageError('Name either --user or --reviewer.')
  return { user, reviewer }
}
