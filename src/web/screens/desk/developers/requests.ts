/** What the API answered last, for admins: refusals or all, found by request id, status, path and key. */

import { type Html, html } from '../../../../lib/html.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import { findRequest, keysInLog, type LoggedRequest, listRequests, requestsAtOnce } from '../../../../model/partners/keys/requests.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import { choice, showAllOnPhone } from '../../../components/components.ts'
import { framed } from '../../../components/layout.ts'
import { card } from '../../../components/site-frame.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest } from '../../../page-request.ts'
import { keyTitle } from './key-words.ts'
import { requestCard } from './request-card.ts'

const path = '/desk/developers/requests'

export async function showRequests(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const { query, app } = request
  const typed = (name: string) => (query.get(name) ?? '').trim().slice(0, 100)
  const wanted = {
    areRefusals: query.get('show') === 'refusals',
    status: idIn(typed('status')) || null,
    path: typed('path'),
    key: typed('key'),
    requestId: typed('request'),
    before: idIn(query.get('before') ?? '') || null,
  }
  const found = await listRequests(staff, wanted)
  const open = query.has('open') ? await findRequest(staff, idIn(query.get('open') ?? '')) : null
  const keys = new Map((await keysInLog(staff)).map((key) => [key.public_part, keyTitle(key)]))
  const shown = found.slice(0, requestsAtOnce)
  const older = found.length > requestsAtOnce ? (shown.at(-1)?.id ?? null) : null
  const main = html`
    <h1>What the API answered</h1>
    <p class="lead">The last answers to programs of yours, half a minute later at most, and apart the last refusals. Nothing is kept of what a request said: names of parameters, and the values of ids, dates and flags alone.</p>
    ${app.settings.requestLog === 'off' ? html`<p class="notice wrong">Whoever runs the service has turned this off: nothing new comes in.</p>` : null}
    <p class="no-print"><a href="/desk/developers">Keys and use</a></p>
    ${open === null ? null : html`<div class="grid">${card(requestCard(request, open, keys), 'w12')}</div>`}
    <nav class="segments no-print" aria-label="Which answers">
      ${choice(hrefWith(request, { show: null, before: null, open: null }), 'All', !wanted.areRefusals)}
      ${choice(hrefWith(request, { show: 'refusals', before: null, open: null }), 'Refusals', wanted.areRefusals)}
    </nav>
    ${filtersHtml(request, keys)}
    ${shown.length === 0 ? html`<p class="quiet">There is nothing like that in the log.</p>` : tableHtml(request, shown, keys)}
    ${showAllOnPhone(request, shown.length, '#answers')}
    ${older === null && wanted.before === null ? null : pagesHtml(request, older, wanted.before)}
  `
  return { body: framed(request, { title: 'What the API answered', main }) }
}

function filtersHtml({ query }: PersonPageRequest, keys: ReadonlyMap<string, string>): Html {
  const given = (name: string) => query.get(name) ?? ''
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === given('key') ? html` selected` : null}>${label}</option>`
  return html`
    <form class="filters no-print" action="${path}">
      ${query.get('show') === 'refusals' ? html`<input type="hidden" name="show" value="refusals">` : null}
      <label>Request id <input name="request" value="${given('request')}" autocomplete="off" spellcheck="false"></label>
      <label>Path <input name="path" value="${given('path')}" autocomplete="off" spellcheck="false"></label>
      <label>Status <input name="status" value="${given('status')}" inputmode="numeric" size="4" autocomplete="off"></label>
      <label>Key <select name="key">${option('', 'any')}${[...keys].map(([part, title]) => option(part, title))}</select></label>
      <button class="button soft">Find</button>
    </form>
  `
}

function tableHtml(request: PersonPageRequest, rows: readonly LoggedRequest[], keys: ReadonlyMap<string, string>): Html {
  return html`
    <section class="card list long" aria-label="Answers">
      <table id="answers" class="stacks${request.query.get('rows') === 'all' ? null : ' top-ten'}">
        <caption class="sr">Answers, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Request</th><th scope="col">Parameters</th><th scope="col" class="n">Status</th>
            <th scope="col" class="n">Milliseconds</th><th scope="col">Key</th><th scope="col">When</th>
          </tr>
        </thead>
        <tbody>${rows.map((row) => rowHtml(request, row, keys))}</tbody>
      </table>
    </section>
  `
}

function rowHtml(request: PersonPageRequest, row: LoggedRequest, keys: ReadonlyMap<string, string>): Html {
  const { words } = request
  return html`
    <tr>
      <th scope="row" class="wrap"><a class="rowlink" href="${hrefWith(request, { open: String(row.id) })}">${row.method} ${breakablePath(row.path)}</a></th>
      <td class="wrap" data-l="Parameters">${row.parameters === '' ? html`<span class="quiet">none</span>` : row.parameters.replaceAll('&', ' ')}</td>
      <td class="n" data-l="Status">${row.status}${row.code === null ? null : html`<small>${row.code}</small>`}</td>
      <td class="n" data-l="Milliseconds">${words.decimal(row.tenths / 10)}</td>
      <td class="wrap" data-l="Key">${keys.get(row.public_part ?? '') ?? row.public_part}</td>
      <td data-l="When">${words.moment(row.at)}</td>
    </tr>
  `
}

function breakablePath(text: string): Html {
  const [first = '', ...others] = text.split('/')
  return html`${first}${others.map((part) => html`/<wbr>${part}`)}`
}

function pagesHtml(request: PersonPageRequest, older: number | null, before: number | null): Html {
  return html`
    <nav class="pages" aria-label="Pages of answers">
      ${before === null ? null : html`<a href="${hrefWith(request, { before: null, open: null })}">The newest</a>`}
      ${older === null ? null : html`<a href="${hrefWith(request, { before: String(older), open: null })}" rel="next">Older</a>`}
    </nav>
  `
}
