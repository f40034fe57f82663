/** Composes the letter for an entry of the mail queue in a reader thread, in the brand of the account. */

import { Failure } from '../../lib/failures.ts'
import type { App } from '../../model/core/app.ts'
import type { MissingHostPayload } from '../../model/mail/missing-hosts.ts'
import type { Mail } from '../../model/mail/queue.ts'
import type { ReportPayload } from '../../model/mail/queue-reports.ts'
import type { ConfirmationPayload } from '../../model/mail/schedule-recipients.ts'
import type { LostLinksPayload } from '../../model/people/lost-links.ts'
import type { LeftPayload } from '../../model/people/me/own-end.ts'
import { readingApp } from '../../readers/reading-app.ts'
import type { Maker } from '../../readers/serve.ts'
import { confirmationLetter } from './confirmation.ts'
import { emailChangedLetter, emailChangeLetter } from './email-change.ts'
import { hostMissingLetter } from './host-missing.ts'
import { invitationLetter } from './invitation.ts'
import { leftLetter } from './left.ts'
import type { Addressed, Letter, Letterhead } from './letter.ts'
import type { AskedLetter } from './letter-work.ts'
import { letterheadOf } from './letterhead.ts'
import { lostLinksLetter } from './lost-links.ts'
import { personInvitationLetter } from './person-invitation.ts'
import { reportLetter, sampleLetter } from './report.ts'
import { welcomeLetter } from './welcome.ts'

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

async function letterOf(app: App, head: Letterhead, mail: Mail, to: Addressed): Promise<Letter | null> {
  const { kind, payload } = mail
  switch (kind) {
    case 'email_change':
      return emailChangeLetter(app, head, to)
    case 'email_changed':
      return emailChangedLetter(head)
    case 'left':
      return leftLetter(head, JSON.parse(payload) as LeftPayload)
    case 'host_missing':
      return hostMissingLetter(app, head, JSON.parse(payload) as MissingHostPayload)
    case 'lost_links':
      return lostLinksLetter(app, head, mail, JSON.parse(payload) as LostLinksPayload)
    case 'invitation':
      return letterOfInvitation(app, head, JSON.parse(payload) as object, to)
    case 'confirmation':
      return confirmationLetter(app, head, to, JSON.parse(payload) as ConfirmationPayload)
    case 'report':
      return letterOfReport(app, head, JSON.parse(payload) as ReportPayload, to)
  }
}

function letterOfInvitation(app: App, head: Letterhead, payload: object, to: Addressed): Promise<Letter> {
  if ('person_invitation_id' in payload) return personInvitationLetter(app, head, to)
  return 'user_id' in payload ? welcomeLetter(app, head, to) : invitationLetter(app, head, to)
}

function letterOfReport(app: App, head: Letterhead, payload: ReportPayload, to: Addressed): Promise<Letter | null> {
  return payload.recipient_id === null ? sampleLetter(app, head, payload) : reportLetter(app, head, payload, to)
}
