/** From where the service fetches figures by itself: what runs, what came for each site, what failed and why. */

import { draftOf } from '../../../fields/read.ts'
import { Failure, invalid, notFound } from '../../../lib/failures.ts'
import { type Html, html } from '../../../lib/html.ts'
import { ownEntry } from '../../../lib/own-entry.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../model/core/caller.ts'
import { customerFinder, customerNames } from '../../../model/dashboard/desk/customer-names.ts'
import { staffCallerOf } from '../../../model/people/staff/staff-rules.ts'
import {
  changeSource,
  findSource,
  listSourceSites,
  listSources,
  makeSource,
  removeSource,
  runSource,
} from '../../../model/sources/sources.ts'
import { changedSource, type DataSource, newSource, type SourceSite } from '../../../resources/imports/source.ts'
import { framed, tokenField } from '../../components/layout.ts'
import { domainName } from '../../components/names.ts'
import { card } from '../../components/site-frame.ts'
import { breakable } from '../../components/tables.ts'
import { sentenceOf } from '../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

const path = '/desk/sources'
const done: Readonly<Record<string, string>> = {
  added: 'The sites are being measured: look again in a minute.',
  run: 'The sites are being measured: look again in a minute.',
  started: 'It fetches again, and you answer for it from now on.',
  rested: 'It fetches nothing until somebody starts it.',
  removed: 'It is removed. What it has fetched stays.',
}
const rhythmWords: Readonly<Record<DataSource['rhythm'], string>> = { daily: 'every day', weekly: 'every week', monthly: 'every month' }

export async function showSources(request: PersonPageRequest): Promise<PageAnswer> {
  const staff = staffCallerOf(request.loggedIn.person)
  const names = await customerNames(staff)
  const { items } = await listSources(staff, request.query.get('after') ?? undefined)
  const told = ownEntry(done, request.query.get('done'))
  const chosen = idIn(request.query.get('source') ?? '')
  const main = html`
    <p class="crumb"><a href="/desk/data">Data</a></p>
    <h1>Sources</h1>
    <p class="lead">From where figures come by themselves.</p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${told && request.wrong === null ? html`<p class="notice" role="status">${told}</p>` : null}
    <div class="grid">
      ${items.map((source) => card(sourceHtml(request, staff, source, names), 'w12'))}
      ${chosen > 0 ? await sitesHtml(request, staff, chosen) : null}
      ${staff.role === 'admin' ? card(newHtml(request, [...names.keys()]), 'w12') : null}
    </div>
  `
  return { body: framed(request, { title: 'Sources', main }) }
}

type Act = (request: PersonPageRequest, staff: StaffCaller, id: number) => Promise<keyof typeof done>

/** What the forms of the page do, by the name of their button. */
const acts: Readonly<Record<string, Act>> = {
  add: async (request, staff) => {
    await add(request, staff)
    return 'added'
  },
  run: async (_, staff, id) => {
    await runSource(staff, id)
    return 'run'
  },
  start: async (_, staff, id) => {
    await changeSource(staff, id, draftOf(changedSource, { state: 'active' }))
    return 'started'
  },
  rest: async (_, staff, id) => {
    await changeSource(staff, id, draftOf(changedSource, { state: 'resting' }))
    return 'rested'
  },
  remove: async (_, staff, id) => {
    await removeSource(staff, id)
    return 'removed'
  },
}

export async function submitSources(request: PersonPageRequest): Promise<PageAnswer> {
  const { form } = request
  const act = ownEntry(acts, form.get('do')) ?? notFound('page')
  try {
    return redirect(`${path}?done=${await act(request, staffCallerOf(request.loggedIn.person), idIn(form.get('source') ?? ''))}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed', 'forbidden'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
}

async function add({ form }: PersonPageRequest, staff: StaffCaller): Promise<void> {
  const written = (form.get('customer') ?? '').trim()
  const account_id = written === '' ? undefined : customerFinder(await customerNames(staff))(written)
  if (written !== '' && account_id === undefined) invalid([{ field: 'customer', code: 'does_not_exist' }])
  const wanted = { kind: 'site', rhythm: form.get('rhythm') ?? undefined, ...(account_id !== undefined && { account_id }) }
  await makeSource(staff, staff.partnerId, draftOf(newSource, wanted))
}

function sourceHtml(request: PersonPageRequest, { role }: StaffCaller, source: DataSource, names: ReadonlyMap<string, number>): Html {
  const { words } = request
  const { id, account_id, rhythm, state, reason, sites, failing, last_run_at } = source
  const whose = account_id === null ? 'All customers' : ([...names].find(([, account]) => account === account_id)?.[0] ?? 'A customer')
  return html`
    <h2>Sites measured: ${breakable(whose)}</h2>
    <p>${state === 'active' ? `It measures ${words.count(sites, 'site')} ${rhythmWords[rhythm]}.` : `It rests. ${reason ?? ''}`}
      ${last_run_at === null ? 'Nothing has been measured yet.' : `The last run ended on ${words.moment(last_run_at)}.`}
      ${failing === 0 ? null : html`<strong>For ${words.count(failing, 'site')} the last run failed.</strong>`}</p>
    <p><a href="${hrefWith(request, { source: String(id), after: null, done: null })}">What was found</a></p>
    <form method="post" action="${path}" class="row-form">
      ${tokenField(request)}
      <input type="hidden" name="source" value="${id}">
      ${state === 'active' ? html`<button class="button soft" name="do" value="run">Measure now</button>` : null}
      ${role !== 'admin' ? null : state === 'active' ? html`<button class="button soft" name="do" value="rest">Put to rest</button>` : html`<button class="button" name="do" value="start">Start</button>`}
      ${role !== 'admin' ? null : html`<button class="button soft" name="do" value="remove">Remove</button>`}
    </form>
  `
}

async function sitesHtml(request: PersonPageRequest, staff: StaffCaller, id: number): Promise<Html> {
  await findSource(staff, id)
  const { items, next } = await listSourceSites(staff, id, request.query.get('sites_after') ?? undefined)
  if (items.length === 0) return card(html`<h2>What was found</h2><p>No site has been found yet.</p>`, 'w12')
  return card(
    html`
      <h2>What was found</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Sites of the source">
        <table class="stacks">
          <caption class="sr">Sites of the source</caption>
          <thead><tr><th scope="col">Site</th><th scope="col">Found</th><th scope="col">Last came</th><th scope="col">Not measured</th></tr></thead>
          <tbody>${items.map((site) => siteRow(request, site))}</tbody>
        </table>
      </div>
      ${next === null ? null : html`<p><a href="${hrefWith(request, { sites_after: next })}" rel="next">Further sites</a></p>`}
    `,
    'w12',
  )
}

function siteRow(
  { words }: PersonPageRequest,
  { domain, figures, came_at, reason, failing_since, is_running, intake_id }: SourceSite,
): Html {
  const found = [...figures].map(({ name, value }) => figureText(name, words.value(value)))
  const when = came_at === null ? 'not yet' : words.moment(came_at)
  return html`
    <tr>
      <th scope="row">${breakable(domainName(domain))}</th>
      <td class="wrap" data-l="Found">${found.length === 0 ? html`<span class="quiet">nothing yet</span>` : found.join(', ')}</td>
      <td class="wrap" data-l="Last came">${intake_id === null ? when : html`<a href="/desk/data/${intake_id}">${when}</a>`}${is_running ? html`<small>is being measured</small>` : null}</td>
      <td class="wrap" data-l="Not measured">${reason === null ? html`<span class="quiet">nothing</span>` : reason}${failing_since === null ? null : html`<small>fails since ${words.moment(failing_since)}</small>`}</td>
    </tr>
  `
}

const figureWords: Readonly<Record<string, (value: string) => string>> = {
  download_time: (value) => `home page in ${value} s`,
  status: (value) => `status ${value}`,
  certificate_days: (value) => `certificate for ${value} days`,
  sitemap_addresses: (value) => `${value} addresses in sitemaps`,
  domain_age: (value) => `domain ${value} days old`,
}

function figureText(name: string, value: string): string {
  return ownEntry(figureWords, name)?.(value) ?? ''
}

function newHtml(request: PersonPageRequest, names: readonly string[]): Html {
  const { form } = request
  return html`
    <h2>Check my sites</h2>
    <p>Measures from outside how long the home page of each site takes, its status, its certificate, the addresses in its sitemaps, and how old its domain is. It needs no account anywhere, and does what the site allows robots.</p>
    <form method="post" action="${path}" class="row-form">
      ${tokenField(request)}
      <div class="field">
        <label for="customer">Customer</label>
        <input id="customer" name="customer" list="customers" value="${form.get('customer') ?? ''}" autocomplete="off" aria-describedby="customer-hint">
        <datalist id="customers">${names.slice(0, 500).map((name) => html`<option value="${name}"></option>`)}</datalist>
        <p class="hint" id="customer-hint">Leave it empty for all customers, now and later.</p>
      </div>
      <div class="field">
        <label for="rhythm">How often</label>
        <select id="rhythm" name="rhythm">${Object.entries(rhythmWords).map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select>
      </div>
      <button class="button" name="do" value="add">Check these sites</button>
    </form>
  `
}
