/** The mail that asks a recipient who has not added themselves whether they want the reports of an account, and says who asks. */

import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { readAsker, readRecipient } from '../../model/mail/recipients.ts'
import type { ConfirmationPayload } from '../../model/mail/schedule-recipients.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function confirmationLetter(
  app: App,
  head: Letterhead,
  { recipientId, token }: Addressed,
  { asked_by }: ConfirmationPayload,
): Promise<Letter> {
  const { account_name } = await readRecipient(app, recipientId)
  const who = await askerOf(app, head, asked_by)
  const address = `${head.home}/reports/confirm/${token}`
  const sentence = `${who} would like to send you the reports of ${account_name} by mail.`
  const ignored = 'If you do not want them, do nothing: you will get no further mail.'
  const main = html`<h1 style="${styles.title}">Do you want these reports?</h1>
<p style="${styles.paragraph}">${sentence}</p>
${buttonLink(head, address, 'Yes, send them to me')}
<p style="${styles.paragraph}">${ignored}</p>`
  return {
    ...envelopeOf(head),
    subject: `Reports of ${account_name}: please confirm`,
    text: `${sentence}\n\nOpen this link and press the button to get them:\n\n${address}\n\n${ignored}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent once, because ${who} entered your address.`),
  }
}

/** `Dana Harbor of Bright Agency`, or the agency alone where a program has asked. */
async function askerOf(app: App, { brandName }: Letterhead, userId: number | null | undefined): Promise<string> {
  const name = userId ? await readAsker(app, userId) : ''
  return name === '' ? brandName : `${name} of ${brandName}`
}
