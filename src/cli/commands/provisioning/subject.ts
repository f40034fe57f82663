/** `marquee subject`: shows or erases the personal data of one person. */

import { eraseReviewer, eraseUser, exportReviewer, exportUser } from '../../../model/people/personal-data.ts'
import { type OperatorInput, type Output, UsageError } from '../../command.ts'

export async function exportSubject(input: OperatorInput): Promise<Output> {
  const { user, reviewer } = named(input)
  const known = user === undefined ? await exportReviewer(input.caller, reviewer ?? '') : await exportUser(input.caller, user)
  process.stdout.write(`${JSON.stringify(known, null, 2)}\n`)
  return {}
}

export async function erase(input: OperatorInput): Promise<Output> {
  const { user, reviewer } = named(input)
  const erased = user === undefined ? await eraseReviewer(input.caller, reviewer ?? '') : await eraseUser(input.caller, user)
  return { document: { erased }, note: 'Backups still hold what they held: they expire as you delete them.' }
}

function named({ text }: OperatorInput) {
  const [user, reviewer] = [text('user'), text('reviewer')]
  if ((user === undefined) === (reviewer === undefined)) throw new UsageError('Name either --user or --reviewer.')
  return { user, reviewer }
}
