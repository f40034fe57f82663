/** The site itself in one line: its age, its authority, and when it was measured last. */

import { type Html, html } from '../../../lib/html.ts'
import type { ReaderPageRequest } from '../../page-request.ts'
import type { SearchContent } from './content.ts'

export function siteItself({ words }: ReaderPageRequest, { figures, search }: SearchContent): Html {
  const { now } = figures
  const facts = [
    now.domain_age === null ? '' : `The domain is ${words.decimal(now.domain_age / 365.25)} years old.`,
    now.hasNoAuthority ? 'It has no authority.' : '',
    now.domain_authority === null ? '' : `Its authority is ${words.whole(now.domain_authority)}.`,
    now.domain_count === null ? '' : `${words.count(now.domain_count, 'domain links', 'domains link')} to it.`,
    now.measuredOn
      ? `Figures of the site were last measured on ${words.day(now.measuredOn)}.`
      : 'Figures of the site have not been measured.',
    search.measuredOn ? `Positions were last measured on ${words.day(search.measuredOn)}.` : 'Positions have not been measured.',
  ]
  return html`<p class="note">${facts.filter(Boolean).join(' ')}</p>`
}
