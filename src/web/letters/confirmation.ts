/** The mail that asks a recipient who is not a user of the account whether they want its reports. */

import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { readRecipient } from '../../model/mail/recipients.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function confirmationLetter(app: App, head: Letterhead, { recipientId, token }: Addressed): Promise<Letter> {
  const { account_name } = await readRecipient(app, recipientId)
  const address = `${head.home}/reports/confirm/${token}`
  const sentence = `${account_name} would like to send you its reports by mail.`
  const ignored = 'If you do not want them, do nothing: you will get no further mail.'
  const main = html`<h1 style="${styles.title}">Do you want these reports?</h1>
<p style="${styles.paragraph}">${sentence}</p>
${buttonLink(head, address, 'Yes, send them to me')}
<p style="${styles.paragraph}">${ignored}</p>`
  return {
    ...envelopeOf(head),
    subject: `Reports of ${account_name}: please confirm`,
    text: `${sentence}\n\nOpen this link and press the button to get them:\n\n${address}\n\n${ignored}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent once, because your address was entered at ${head.brandName}.`),
  }
}
