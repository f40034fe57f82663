/** The mail that invites somebody to see something of an account, or says that their address cannot be invited. */

import { notFound } from '../../lib/failures.ts'
import { html } from '../../lib/html.ts'
import type { App } from '../../model/core/app.ts'
import { type LivePersonInvitation, liveInvitation } from '../../model/people/keepers/invited.ts'
import { readPersonInvitation } from '../../model/people/keepers/people-invitations.ts'
import { type Addressed, buttonLink, envelopeOf, type Letter, type Letterhead, letterHtml, styles, supportText } from './letter.ts'

export async function personInvitationLetter(app: App, head: Letterhead, { recipientId: id, token }: Addressed): Promise<Letter> {
  const invitation = await readPersonInvitation(id, app.store.db)
  const live = invitation && (await liveInvitation({ app, requestId: `invitation ${id}` }, invitation))
  if (typeof live !== 'object') return notFound('invitation')
  const opened = `${live.maker} invites you to see dashboards of ${live.accountName} at ${head.brandName}.`
  const ignored = 'If you do not expect this, do nothing.'
  const sentences = token === '' ? elsewhere(head, live) : following(live)
  const address = `${head.home}/invitation/${token}`
  const main = html`<h1 style="${styles.title}">Your invitation to ${head.brandName}</h1>
<p style="${styles.paragraph}">${opened}</p>
${token === '' ? null : buttonLink(head, address, 'Open the invitation')}
<p style="${styles.paragraph}">${sentences} ${ignored}</p>`
  return {
    ...envelopeOf(head),
    subject: `${live.maker} invites you to ${head.brandName}`,
    text: [opened, ...(token === '' ? [] : [address]), `${sentences} ${ignored}`, supportText(head)].join('\n\n').trimEnd(),
    html: letterHtml(head, main, html`Sent because ${live.maker} entered your address at ${head.brandName}.`),
  }
}

function elsewhere({ brandName }: Letterhead, { maker }: LivePersonInvitation): string {
  return `This address cannot be used for it: please ask ${maker} to invite you to ${brandName} by another address of yours.`
}

/** Following it confirms the address for the reports that are named here. */
function following({ standing, reports, accountName }: LivePersonInvitation): string {
  const how = `The link works once, within seven days${standing.is === 'new' ? '; you choose a password there' : ''}.`
  return reports === 0 ? how : `${how} Reports of ${accountName} then come to this address by mail, until you stop them.`
}
