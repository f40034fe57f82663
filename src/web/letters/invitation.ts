/** The mail that invites somebody to the staff of a partner, or says that their address cannot be invited. */

import { notFound } from '../../lib/failures.ts'
import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { readInvitation } from '../../model/people/staff/staff-invitations.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function invitationLetter(app: App, head: Letterhead, { recipientId, token }: Addressed): Promise<Letter> {
  const invitation = await readInvitation(app, recipientId, app.store.db)
  if (invitation === undefined) return notFound('invitation')
  const address = `${head.home}/join/${token}`
  const sentence = `You are invited to work at the desk of ${head.brandName}, where its customers are looked after.`
  const how =
    token === ''
      ? 'This address cannot be used for it: please ask whoever invited you to invite another address of yours.'
      : 'The link works once, within seven days; you choose a password there.'
  const ignored = 'If you do not expect this, do nothing.'
  const main = html`<h1 style="${styles.title}">Join ${head.brandName}</h1>
<p style="${styles.paragraph}">${sentence}</p>
${token === '' ? null : buttonLink(head, address, 'Choose a password')}
<p style="${styles.paragraph}">${how} ${ignored}</p>`
  return {
    ...envelopeOf(head),
    subject: `Your invitation to ${head.brandName}`,
    text: [sentence, ...(token === '' ? [] : [address]), `${how} ${ignored}`, supportText(head)].join('\n\n').trimEnd(),
    html: letterHtml(head, main, html`Sent because your address was entered at ${head.brandName}.`),
  }
}
