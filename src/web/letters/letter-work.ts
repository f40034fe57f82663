/** A mail's letter as work of the reader threads: the main thread makes its token, because the threads have no secrets. */

import type { App } from '../../model/core/app.ts'
import type { Mail } from '../../model/mail/queue.ts'
import type { ReportPayload } from '../../model/mail/queue-reports.ts'
import { recipientToken } from '../../model/mail/recipients.ts'
import type { WelcomePayload } from '../../model/people/customers/clients.ts'
import { liveInvitation } from '../../model/people/keepers/invited.ts'
import { type PersonInvitationPayload, personInvitationToken, readPersonInvitation } from '../../model/people/keepers/people-invitations.ts'
import { makeWelcomeLink } from '../../model/people/login-links.ts'
import { emailChangeToken, mailedChange } from '../../model/people/me/email-changes.ts'
import { isForAnother } from '../../model/people/staff/joining.ts'
import { type InvitationPayload, invitationToken, readInvitation } from '../../model/people/staff/staff-invitations.ts'
import type { ReaderWork } from '../../readers/messages.ts'
import { askReaders } from '../../readers/pool.ts'
import type { Addressed, Letter } from './letter.ts'

export interface AskedLetter extends Addressed {
  readonly mail: Mail
  readonly now: string
}

/** Null if nobody wants the mail any more. */
export const letterWork: ReaderWork<AskedLetter, Letter | null> = { name: 'letter', lane: 'long', isPatient: true }

/** All letters take turns as one party, so that reports and files have the other half of the lane. */
export async function composeByReaders(app: App, mail: Mail): Promise<Letter | null> {
  const addressed = await addressedOf(app, mail)
  if (addressed === null) return null
  const asked = { mail, ...addressed, now: app.clock.now() }
  const work = await askReaders(app, letterWork, asked, { party: 'mail' })
  const letter = await work.begun()
  return letter && { ...letter, attachments: (letter.attachments ?? []).map(inBuffer) }
}

const withoutToken: Addressed = { recipientId: 0, token: '' }

/** Null if what the mail asks for was withdrawn, replaced or done meanwhile, or the person invited has logged in. */
async function addressedOf(app: App, mail: Mail): Promise<Addressed | null> {
  switch (mail.kind) {
    case 'invitation': {
      const asked = JSON.parse(mail.payload) as InvitationPayload | WelcomePayload | PersonInvitationPayload
      if ('person_invitation_id' in asked) return personInvitationTo(app, asked.person_invitation_id)
      return 'user_id' in asked ? welcomeTo(app, asked.user_id) : invitationTo(app, asked.invitation_id)
    }
    case 'email_change': {
      const change = await mailedChange(app, mail)
      return change === undefined ? null : { recipientId: change.user_id, token: emailChangeToken(app, change) }
    }
    case 'email_changed':
    case 'left':
    case 'host_missing':
    case 'lost_links':
      return withoutToken
    case 'confirmation':
    case 'report': {
      const { recipient_id: recipientId } = JSON.parse(mail.payload) as Pick<ReportPayload, 'recipient_id'>
      return recipientId === null ? withoutToken : { recipientId, token: recipientToken(app, recipientId) }
    }
  }
}

async function invitationTo(app: App, id: number): Promise<Addressed | null> {
  const invitation = await readInvitation(app, id, app.store.db)
  if (invitation === undefined) return null
  return { recipientId: id, token: (await isForAnother(app, invitation)) ? '' : invitationToken(app, invitation) }
}

/** Without a token if the login of the address cannot be invited here. */
async function personInvitationTo(app: App, id: number): Promise<Addressed | null> {
  const invitation = await readPersonInvitation(id, app.store.db)
  const live = invitation && (await liveInvitation({ app, requestId: `invitation ${id}` }, invitation))
  if (invitation === undefined || typeof live !== 'object') return null
  return { recipientId: id, token: live.standing.is === 'elsewhere' ? '' : personInvitationToken(app, invitation) }
}

async function welcomeTo(app: App, id: number): Promise<Addressed | null> {
  const link = await makeWelcomeLink(app, id)
  return link === null ? null : { recipientId: id, ...link }
}

/** Bytes that come from another thread are no longer a `Buffer`, which the mail program asks for. */
function inBuffer<T extends { readonly content?: unknown }>(attachment: T): T {
  return attachment.content instanceof Uint8Array ? { ...attachment, content: Buffer.from(attachment.content) } : attachment
}
