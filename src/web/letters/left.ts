/** The mail that tells the owner of an account, or who looks after it, that somebody has deleted their login. */

import { html } from '../../lib/html.ts'
import type { LeftPayload } from '../../model/people/me/own-end.ts'
import { envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export function leftLetter(head: Letterhead, { who }: LeftPayload): Letter {
  const sentence = `${who} has deleted their login at ${head.brandName} and can no longer see anything there.`
  const stays = 'Their notes, the links they shared and the reports they scheduled for others are still there.'
  const main = html`<h1 style="${styles.title}">A login was deleted</h1>
<p style="${styles.paragraph}">${sentence}</p>
<p style="${styles.paragraph}">${stays}</p>`
  return {
    ...envelopeOf(head),
    subject: `${who} has left ${head.brandName}`,
    text: `${sentence}\n\n${stays}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent because you look after the people of an account at ${head.brandName}.`),
  }
}
