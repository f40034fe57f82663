/** Composes the letter for an entry of the mail queue in a reader thread, in the brand of the account. */

import { Failure } from '../../lib/failures.ts'
import type { App } from '../../model/core/app.ts'
import type { ReportPayload } from '../../model/mail/due-reports.ts'
import type { Mail } from '../../model/mail/queue.ts'
import { brandOfAccount, findPicture, homeOf } from '../../model/partners/brands.ts'
import { readingApp } from '../../readers/reading-app.ts'
import type { Maker } from '../../readers/serve.ts'
import { ownName } from '../components/layout.ts'
import { senderNameOf } from '../mail.ts'
import { confirmationLetter } from './confirmation.ts'
import { invitationLetter } from './invitation.ts'
import type { Addressed, Letter, Letterhead } from './letter.ts'
import type { AskedLetter } from './letter-work.ts'
import { reportLetter } from './report.ts'

const ownAccent = '#0b6e7f'

export const makeLetter: Maker<AskedLetter, Letter | null> = async (asked, { database, settings, tell }) =>
  tell(await database.snapshot((db) => compose(readingApp(db, settings, asked.now), asked)))

/** Null if the recipient, the schedule or the account no longer exists. */
async function compose(app: App, { mail, ...to }: AskedLetter): Promise<Letter | null> {
  const head = await letterheadOf(app, mail.account_id)
  try {
    return await letterOf(app, head, mail, to)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

function letterOf(app: App, head: Letterhead, { kind, payload }: Mail, to: Addressed): Promise<Letter | null> {
  switch (kind) {
    case 'invitation':
      return invitationLetter(app, head, to)
    case 'confirmation':
      return confirmationLetter(app, head, to)
    case 'report':
      return reportLetter(app, head, JSON.parse(payload) as ReportPayload, to)
  }
}

async function letterheadOf(app: App, accountId: number): Promise<Letterhead> {
  const brand = await brandOfAccount(app, accountId)
  const { name = ownName, accent, support = null, logo_id } = brand ?? {}
  const logo = logo_id ? await findPicture(app, logo_id) : null
  const head = { brandName: name, senderName: senderNameOf(app, brand), support, home: homeOf(app, brand?.host_name) }
  return { ...head, accent: accent ?? ownAccent, logo }
}
