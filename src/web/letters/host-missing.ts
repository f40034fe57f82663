/** The mail that tells an admin which record to publish again, because it proves whose a host is. */

import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { type MissingHostPayload, readMissingHost } from '../../model/mail/missing-hosts.ts'
import { envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function hostMissingLetter(app: App, head: Letterhead, payload: MissingHostPayload): Promise<Letter> {
  const { host_name, record, for_pages, missingSince } = await readMissingHost(app, payload)
  const since = missingSince.slice(0, 10)
  const sentence = `The DNS record that proves that ${host_name} is yours has been missing since ${since}.`
  const meanwhile = for_pages === 'served' ? ofPages : ofFrames
  const where = `Look again at ${head.home}/desk/brand/address.`
  const main = html`<h1 style="${styles.title}">A record is missing</h1>
<p style="${styles.paragraph}">${sentence}</p>
<p style="${styles.paragraph}">Please publish it again as a TXT record of <b>${record.name}</b> with this text:</p>
<p style="${styles.paragraph}"><b>${record.value}</b></p>
<p style="${styles.paragraph}">${meanwhile} ${where}</p>`
  const asked = `Please publish it again as a TXT record of ${record.name} with this text:\n\n${record.value}`
  return {
    ...envelopeOf(head),
    subject: `The record of ${host_name} is missing`,
    text: `${sentence}\n\n${asked}\n\n${meanwhile} ${where}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent because you are an admin at ${head.brandName}.`),
  }
}

const ofPages = 'Until then your pages stay there, but the host goes to whoever else proves that it is theirs.'
const ofFrames = 'Pages there go on showing your share links for 14 days from that day, and no longer.'
