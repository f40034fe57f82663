/** The mail that invites a person of a customer to log in for the first time. */

import { html } from '../../lib/html.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { App } from '../../model/core/app.ts'
import { readWelcomed } from '../../model/people/customers/clients.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

const often = { weekly: 'every week', monthly: 'every month' } as const

export async function welcomeLetter(app: App, head: Letterhead, { recipientId, token, reports = [] }: Addressed): Promise<Letter> {
  const user = await readWelcomed(app, recipientId)
  const address = `${head.home}/login-link/${token}`
  const sentence = `${head.brandName} has opened its dashboards of ${oneLine(user.name)} to you. You log in as ${user.login}.`
  const mailed =
    reports.length === 0 ? '' : ` With your login you also get its reports by mail ${reports.map((one) => often[one]).join(' and ')}.`
  const how = 'The link works once, within seven days; you choose a password there.'
  const ignored = 'If you do not expect this, do nothing.'
  const main = html`<h1 style="${styles.title}">Welcome to ${head.brandName}</h1>
<p style="${styles.paragraph}">${sentence}${mailed}</p>
${buttonLink(head, address, 'Choose a password')}
<p style="${styles.paragraph}">${how} ${ignored}</p>`
  return {
    ...envelopeOf(head),
    subject: `Your login at ${head.brandName}`,
    text: `${sentence}${mailed}\n\n${address}\n\n${how} ${ignored}\n\n${supportText(head)}`.trimEnd(),
    html: letterHtml(head, main, html`Sent because your address was entered at ${head.brandName}.`),
  }
}
