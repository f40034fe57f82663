/** The mail that tells which share links end because whoever made them may no longer share their site. */

import { notFound } from '../../lib/failures.ts'
import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { type LostLinksPayload, readLostLinks } from '../../model/people/lost-links.ts'
import { endOfLost } from '../../model/people/share-link-ends.ts'
import { readMaker } from '../../model/people/share-link-makers.ts'
import { envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function lostLinksLetter(
  app: App,
  head: Letterhead,
  { account_id, partner_id: partnerId }: { readonly account_id: number; readonly partner_id: number },
  { maker_id }: LostLinksPayload,
): Promise<Letter> {
  const links = await readLostLinks(app, account_id, maker_id)
  const [first] = links
  if (first === undefined) return notFound('link')
  const { name } = await readMaker(app.store.db, { app, requestId: `mail to ${account_id}`, partnerId }, maker_id)
  const sentence = `${name} has shared links to pages at ${head.brandName} and may no longer share them, so the links end on ${endOfLost(first.lostAt).slice(0, 10)}.`
  const how = 'To keep one, open its page and press “Keep it”:'
  const rows = links.map((link) => ({
    text: `${link.domain}, for ${link.label || 'anyone'}`,
    url: `${head.home}/sites/${link.site_id}/share`,
  }))
  const main = html`<h1 style="${styles.title}">Links that end</h1>
<p style="${styles.paragraph}">${sentence}</p>
<p style="${styles.paragraph}">${how}</p>
${rows.map(({ text, url }) => html`<p style="${styles.paragraph}"><a href="${url}">${text}</a></p>`)}`
  return {
    ...envelopeOf(head),
    subject: `Links to ${first.domain} end soon`,
    text: `${sentence}\n\n${how}\n\n${rows.map(({ text, url }) => `${text}: ${url}`).join('\n')}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent because you look after the people of an account at ${head.brandName}.`),
  }
}
