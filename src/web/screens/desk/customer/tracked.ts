/** What is tracked of one site of a customer: keywords and competitors, pasted as a list, tagged and removed. */

import { complete, draftOf } from '../../../../fields/read.ts'
import { Failure, invalid, notFound, refuse } from '../../../../lib/failures.ts'
import { type Html, html } from '../../../../lib/html.ts'
import { ownEntry } from '../../../../lib/own-entry.ts'
import { idIn } from '../../../../lib/text-kinds.ts'
import type { StaffCaller } from '../../../../model/core/caller.ts'
import {
  addCompetitors,
  addKeywords,
  listCompetitors,
  listKeywords,
  removeTracked,
  tagKeywords,
} from '../../../../model/partners/site-contents.ts'
import { findSite } from '../../../../model/partners/sites.ts'
import { entriesOf } from '../../../../model/people/customers/new-customers.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import type { Site } from '../../../../resources/site.ts'
import { mostEntries, newCompetitor, newKeyword } from '../../../../resources/site-contents.ts'
import { fieldHtml } from '../../../components/fields.ts'
import { framed, tokenField } from '../../../components/layout.ts'
import { domainName } from '../../../components/names.ts'
import { card } from '../../../components/site-frame.ts'
import { breakable } from '../../../components/tables.ts'
import { sentenceOf } from '../../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../../page-request.ts'
import { removeHere, siteEndHtml } from './site-end.ts'

const done: Readonly<Record<string, string>> = {
  added: 'They are tracked from now on.',
  tagged: 'The tags are saved.',
  removed: 'They are removed.',
}

export async function showTracked(request: PersonPageRequest): Promise<PageAnswer> {
  const { query } = request
  const { staff, site } = await opened(request)
  const keywords = await listKeywords(staff, site.id, query.get('keywords') ?? undefined)
  const competitors = await listCompetitors(staff, site.id, query.get('competitors') ?? undefined)
  const said = ownEntry(done, query.get('done'))
  const domain = domainName(site.domain)
  const main = html`
    <p class="crumb"><a href="/desk/customers/${site.account_id}">The customer</a></p>
    <h1>${breakable(domain)}</h1>
    <p class="lead">What is tracked of this site. <a href="/sites/${site.id}/search">Open its pages</a></p>
    ${request.wrong === null ? null : html`<p class="notice wrong" role="alert">${request.wrong}</p>`}
    ${said && request.wrong === null ? html`<p class="notice" role="status">${said}</p>` : null}
    <div class="grid">
      ${card(
        html`
          <h2>Keywords</h2>
          ${pasteForm(request, 'keywords', 'Add keywords', 'One a line, or separated by commas.')}
          ${listForm(request, 'keywords', keywords, keywordLine)}
        `,
        'w6',
        true,
      )}
      ${card(
        html`
          <h2>Competitors</h2>
          ${pasteForm(request, 'competitors', 'Add competitors', 'Their domains, one a line, or separated by commas.')}
          ${listForm(request, 'competitors', competitors, ({ domain: rival }) => html`${breakable(domainName(rival))}`)}
        `,
        'w6',
        true,
      )}
      ${await siteEndHtml(request, staff, site)}
    </div>
  `
  return { body: framed(request, { title: `Tracked of ${domain}`, main, printed: domain }) }
}

export async function submitTracked(request: PersonPageRequest): Promise<PageAnswer> {
  const { staff, site } = await opened(request)
  const isEnd = request.form.get('do') === 'remove-site'
  try {
    if (isEnd) return redirect(await removeHere(request, staff, site))
    const act = ownEntry(acts, request.form.get('do')) ?? notFound('page')
    return redirect(`${request.path}?done=${await act(request, staff, site)}`)
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    const faults = error.details.faults ?? []
    return {
      wrong: faults.length === 0 ? sentenceOf(error) : 'Nothing is changed yet: please look at what is marked below.',
      faults,
      body: '',
    }
  }
}

async function opened({ loggedIn, params }: PersonPageRequest): Promise<{ staff: StaffCaller; site: Site }> {
  const staff = staffCallerOf(loggedIn.person)
  const site = await findSite(staff, idIn(params['site_id']))
  return site.account_id === idIn(params['account_id']) ? { staff, site } : notFound('site')
}

type List = 'keywords' | 'competitors'

const sentences = {
  blank: 'Please type or paste some.',
  invalid: 'Please type domains such as example.com.',
  too_long: 'One of them is longer than 200 characters.',
  too_many: `At most ${mostEntries} at once.`,
}

function pasteForm(request: PersonPageRequest, name: List, label: string, hint: string): Html {
  return html`
    <form method="post" action="${request.path}" class="no-print">
      ${tokenField(request)}
      ${fieldHtml(request, { name, label, hint, rows: 4, sentences })}
      <p><button class="button" name="do" value="add-${name}">Add</button></p>
    </form>
  `
}

interface Listed<R> {
  readonly items: readonly R[]
  readonly next: string | null
}

function listForm<R extends { readonly id: number; readonly tags?: string | null }>(
  request: PersonPageRequest,
  name: List,
  { items, next }: Listed<R>,
  lineOf: (item: R) => Html,
): Html {
  const after = request.query.get(name)
  if (items.length === 0) return html`<p class="quiet">${after === null ? 'None is tracked yet.' : 'There are no more.'}</p>`
  const ticked = new Set(request.form.getAll(`one-of-${name}`).map(seenId))
  return html`
    <form method="post" action="${request.path}" class="rights">
      ${tokenField(request)}
      <div class="boxes">
        ${items.map((item) => html`<label class="check"><input type="checkbox" name="one-of-${name}" value="${item.id}:${seenOf(item)}"${ticked.has(item.id) ? html` checked` : null}> <span>${lineOf(item)}</span></label>`)}
      </div>
      ${name === 'keywords' ? tagFields(request) : null}
      <label class="check"><input type="checkbox" name="sure" value="yes"> with all that was measured of them</label>
      <button class="button soft" name="do" value="remove-${name}">Remove what is ticked</button>
    </form>
    ${
      next === null && after === null
        ? null
        : html`<p class="pages">
            ${after === null ? null : html`<a href="${hrefWith(request, { [name]: null, done: null })}">The first ones</a>`}
            ${next === null ? null : html`<a href="${hrefWith(request, { [name]: next, done: null })}" rel="next">More</a>`}
          </p>`
    }
  `
}

function keywordLine({ phrase, tags }: { readonly phrase: string; readonly tags: string | null }): Html {
  return html`${breakable(phrase)}${tags === null ? null : html` <small class="quiet">${tags.split(',').join(', ')}</small>`}`
}

function tagFields(request: PersonPageRequest): Html {
  const tagSentences = { too_long: 'These tags are too long.', not_one_line: 'Tags are one line.' }
  return html`
    ${fieldHtml(request, { name: 'tags', label: 'Tags of what is ticked', hint: 'Separated by commas; they replace those that are there.', sentences: tagSentences })}
    <button class="button soft" name="do" value="tag">Save the tags</button>
  `
}

type Act = (request: PersonPageRequest, staff: StaffCaller, site: Site) => Promise<keyof typeof done>

const acts: Readonly<Record<string, Act>> = {
  'add-keywords': async ({ form }, staff, { id }) => {
    const phrases = pasted(form, 'keywords').map((phrase) => ({ phrase }))
    await addKeywords(
      staff,
      id,
      phrases.map((one) => read('keywords', () => complete(newKeyword, draftOf(newKeyword, one)))),
    )
    return 'added'
  },
  'add-competitors': async ({ form }, staff, { id }) => {
    const domains = pasted(form, 'competitors').map((domain) => ({ domain }))
    await addCompetitors(
      staff,
      id,
      domains.map((one) => read('competitors', () => complete(newCompetitor, draftOf(newCompetitor, one)))),
    )
    return 'added'
  },
  'remove-keywords': (request, staff, site) => remove(request, staff, site, 'keywords'),
  'remove-competitors': (request, staff, site) => remove(request, staff, site, 'competitors'),
  tag: async ({ form }, staff, { id }) => {
    await tagKeywords(staff, id, new Map(tickedIn(form, 'keywords')), form.get('tags') ?? '')
    return 'tagged'
  },
}

async function remove({ form }: PersonPageRequest, staff: StaffCaller, { id }: Site, name: List): Promise<'removed'> {
  const ids = tickedIn(form, name).map(([one]) => one)
  if (form.get('sure') !== 'yes') refuse('conflict', 'All that was measured of them goes too: please tick that as well.')
  await removeTracked(staff, id, name === 'keywords' ? 'keyword' : 'subject', ids)
  return 'removed'
}

function pasted(form: URLSearchParams, name: List): string[] {
  const entries = entriesOf(form.get(name) ?? '')
  if (entries.length === 0) return invalid([{ field: name, code: 'blank' }])
  return entries.length > mostEntries ? invalid([{ field: name, code: 'too_many', limit: mostEntries }]) : entries
}

/** What is wrong with one of them is said beside the list. */
function read<T>(field: List, one: () => T): T {
  try {
    return one()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return invalid((error.details.faults ?? []).map((fault) => ({ ...fault, field })))
  }
}

/** What is ticked, with the tags that were shown beside it. */
function tickedIn(form: URLSearchParams, name: List): [id: number, seen: string][] {
  const ticked = form
    .getAll(`one-of-${name}`)
    .map((value): [number, string] => [seenId(value), value.slice(value.indexOf(':') + 1)])
    .filter(([id]) => id > 0)
  return ticked.length === 0 ? refuse('conflict', 'Nothing is ticked.') : ticked
}

/** The value of a box is an id and the tags that are shown. */
function seenId(value: string): number {
  return idIn(value.split(':')[0])
}

function seenOf(item: { readonly tags?: string | null }): string {
  return item.tags ?? ''
}
