/** `marquee subject`: what is known of one person, shown or erased on their request. */

import { eraseReviewer, eraseUser, exportReviewer, exportUser } from '../../model/people/personal-data.ts'
import { type Desk, type Output, UsageError } from '../command.ts'

export const subjectOptions = {
  '--user <text>': 'a user, by email or login',
  '--reviewer <text>': 'the author of reviews, by the name they bear there',
}

export async function exportSubject(desk: Desk): Promise<Output> {
  const { user, reviewer } = named(desk)
  const known = user === undefined ? await exportReviewer(desk.caller, reviewer ?? '') : await exportUser(desk.caller, user)
  process.stdout.write(`${JSON.stringify(known, null, 2)}\n`)
  return {}
}

export async function erase(desk: Desk): Promise<Output> {
  const { user, reviewer } = named(desk)
  const erased = user === undefined ? await eraseReviewer(desk.caller, reviewer ?? '') : await eraseUser(desk.caller, user)
  return { document: { erased }, note: 'Backups still hold what they held: they expire as you delete them.' }
}

function named({ text }: Desk) {
  const [user, reviewer] = [text('user'), text('reviewer')]
  if ((user === undefined) === (reviewer === undefined)) throw new UsageError('Name either --user or --reviewer.')
  return { user, reviewer }
}
