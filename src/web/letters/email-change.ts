/** The mails about a new address: one to it, with the link that confirms it, and one to the old address once it is changed. */

import { notFound } from '../../lib/failures.ts'
import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { readEmailChange } from '../../model/people/me/email-changes.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function emailChangeLetter(app: App, head: Letterhead, { recipientId, token }: Addressed): Promise<Letter> {
  if ((await readEmailChange(app, recipientId, app.store.db)) === undefined) return notFound('user')
  const address = `${head.home}/email/${token}`
  const sentence = `Somebody who logs in at ${head.brandName} wants their mail to come to this address.`
  const how = 'The link works once, within a day.'
  const ignored = 'If this was not you, do nothing: nothing changes.'
  const main = html`<h1 style="${styles.title}">Is this your address?</h1>
<p style="${styles.paragraph}">${sentence}</p>
${buttonLink(head, address, 'Yes, use this address')}
<p style="${styles.paragraph}">${how} ${ignored}</p>`
  return {
    ...envelopeOf(head),
    subject: `Confirm your address at ${head.brandName}`,
    text: `${sentence}\n\n${address}\n\n${how} ${ignored}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent because your address was entered at ${head.brandName}.`),
  }
}

export function emailChangedLetter(head: Letterhead): Letter {
  const sentence = `The address of your login at ${head.brandName} was changed. Mail to you no longer comes here.`
  const alarm = 'If this was not you, tell the person who gave you your login at once.'
  const main = html`<h1 style="${styles.title}">Your address was changed</h1>
<p style="${styles.paragraph}">${sentence}</p>
<p style="${styles.paragraph}">${alarm}</p>`
  return {
    ...envelopeOf(head),
    subject: `Your address at ${head.brandName} was changed`,
    text: `${sentence}\n\n${alarm}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent because this was the address of your login at ${head.brandName}.`),
  }
}
