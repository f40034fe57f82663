/** The table of keys: what each is for, what it may do, and how much it is used. */

import { type Html, html } from '../../../../lib/html.ts'
import type { Developers, ShownKey } from '../../../../model/dashboard/desk/developers.ts'
import { sparkline } from '../../../charts/sparkline.ts'
import { choice } from '../../../components/components.ts'
import { breakable } from '../../../components/tables.ts'
import { hrefWith, type PersonPageRequest } from '../../../page-request.ts'
import { keyTitle, scopeNames } from './key-words.ts'

export function keysHtml(request: PersonPageRequest, { keys, older }: Developers, which: 'live' | 'ended', before: number | null): Html {
  const at = (show: string | null) => hrefWith(request, { show, before: null, key: null, done: null }, '/desk/developers')
  return html`
    <h2>Keys</h2>
    <nav class="segments no-print" aria-label="Which keys">
      ${choice(at(null), 'In use', which === 'live')}
      ${choice(at('ended'), 'Ended', which === 'ended')}
    </nav>
    ${keys.length === 0 ? html`<p class="quiet">${which === 'live' ? 'There is no key in use.' : 'No key has ended.'}</p>` : tableHtml(request, keys)}
    ${
      older === null && before === null
        ? null
        : html`
            <nav class="pages" aria-label="Pages of keys">
              ${before === null ? null : html`<a href="${hrefWith(request, { before: null })}">The newest</a>`}
              ${older === null ? null : html`<a href="${hrefWith(request, { before: String(older) })}" rel="next">Older</a>`}
            </nav>
          `
    }
  `
}

function tableHtml(request: PersonPageRequest, keys: readonly ShownKey[]): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Keys">
      <table class="stacks">
        <caption class="sr">Keys with what they may do and how much they are used</caption>
        <thead>
          <tr>
            <th scope="col">Key</th><th scope="col">Scopes</th><th scope="col">Customers</th>
            <th scope="col" class="n">Requests in 31 days</th><th scope="col" class="n">Last used</th><th scope="col" class="n">Ends</th>
          </tr>
        </thead>
        <tbody>${keys.map((key) => rowHtml(request, key))}</tbody>
      </table>
    </div>
  `
}

function rowHtml(request: PersonPageRequest, key: ShownKey): Html {
  const { words } = request
  const many = key.requests.reduce((sum, one) => sum + one, 0)
  const none = (text: string) => html`<span class="quiet">${text}</span>`
  return html`
    <tr>
      <th scope="row">
        <a class="rowlink" href="${hrefWith(request, { key: String(key.id), done: null }, '/desk/developers')}">${breakable(keyTitle(key))}</a>
        <small>mq_${key.public_part}… since ${words.day(key.created_at.slice(0, 10))}</small>
      </th>
      <td class="wrap" data-l="Scopes">${scopeNames(key).join(', ')}</td>
      <td data-l="Customers">${key.limitedTo === null ? 'all' : words.whole(key.limitedTo)}</td>
      <td class="n" data-l="Requests in 31 days">${many === 0 ? none('none') : html`${sparkline(key.requests, 'visibility')} ${words.whole(many)}`}</td>
      <td class="n" data-l="Last used">${key.last_used_at === null ? none(many === 0 ? 'never' : 'just now') : words.moment(key.last_used_at)}</td>
      <td class="n" data-l="Ends">${endOf(request, key) ?? none('never')}</td>
    </tr>
  `
}

function endOf({ words }: PersonPageRequest, { revoked_at, expires_at }: ShownKey): string | null {
  if (revoked_at !== null) return `revoked ${words.shortDay(revoked_at.slice(0, 10))}`
  return expires_at === null ? null : words.moment(expires_at)
}
