/** The home page: every site a person may see, those that need attention first, each with the reason. */

import { type Html, html } from '../../lib/html.ts'
import { type ReasonKind, reasonKinds, urgencyOf } from '../../model/dashboard/attention/attention.ts'
import { type HomeLine, homeFigures } from '../../model/dashboard/home.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import { findSites, isOpenTo } from '../../model/people/visible-sites.ts'
import {
  choice,
  keptFields,
  leftOffPaper,
  matcherOf,
  pageLinks,
  showAllOnPhone,
  sliceOf,
  sorted,
  sortingOf,
} from '../components/components.ts'
import { piecesOf, tableInPieces, tableLinks } from '../components/csv.ts'
import { framed } from '../components/layout.ts'
import { domainName } from '../components/names.ts'
import { isOfPeriod, periodOf, periodQuery } from '../components/period.ts'
import { describe, periodPicker } from '../components/period-picker.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../page-request.ts'
import { groupChoices, groupsHtml } from './home-groups.ts'
import { halfOf, homeHeads, homeTable, homeTableHtml } from './home-table.ts'

const sitesAtOnce = 100

export async function showHome(request: PersonPageRequest): Promise<PageAnswer> {
  if (request.reader.kind === 'person' && request.reader.post !== null && isAskedPlainly(request)) return redirect(deskPath(request))
  const period = periodOf(request, request.loggedIn.timeZone)
  const lines = await homeFigures(request.reader, period)
  const [only, ...others] = lines
  const notice = request.query.get('password') === 'changed' ? html`<p class="notice" role="status">Your password is changed.</p>` : null
  if (!only) return { body: framed(request, { title: 'No sites yet', main: html`${notice}${nothingYet(request)}` }) }
  if (others.length === 0 && !request.query.has('view') && isOpenTo(request.reader, only.site)) return redirect(sitePath(request, only))
  const found = matching(request, lines)
  const first = found[0]
  if (request.query.get('q') && request.query.has('go') && found.length === 1 && first && isOpenTo(request.reader, first.site))
    return redirect(sitePath(request, first))
  return {
    body: framed(request, {
      title: 'All sites',
      main: html`${notice}${homePage(request, period, lines, found)}`,
      printed: `All sites · ${request.words.span(period.from, period.to)}`,
    }),
  }
}

/** Staff begin at the desk; the list of sites is asked for with what is to be seen of it. */
function isAskedPlainly({ query }: PersonPageRequest): boolean {
  return [...query.keys()].every((name) => name === 'password')
}

function deskPath({ query }: PersonPageRequest): string {
  return query.size === 0 ? '/desk' : `/desk?${query}`
}

/** Keeps the tab, the period, and the notice that would have been shown here. */
function sitePath(request: PersonPageRequest, line: HomeLine): string {
  const { site } = line
  const query = new URLSearchParams([...request.query].filter(([name]) => isOfPeriod(name) || name === 'password'))
  const tab = request.query.get('go') === 'reputation' ? 'reputation' : halfOf(line)
  return `/sites/${site.id}/${tab}${query.size === 0 ? '' : `?${query}`}`
}

export async function sitesCsv(request: PersonPageRequest): Promise<PageAnswer> {
  const period = periodOf(request, request.loggedIn.timeZone)
  const { lines } = inOrder(request, matching(request, await homeFigures(request.reader, period)))
  return tableInPieces(request, 'sites', piecesOf(lines), (some) => homeTable(request.words, some))
}

/** For the site switcher, which keeps the tab and the period. */
export async function sitesJson(request: PersonPageRequest): Promise<PageAnswer> {
  const sites = await findSites(request.reader, request.query.get('q') ?? '', 8)
  const tab = request.query.get('tab') === 'reputation' ? 'reputation' : 'search'
  const isOfSeveral = new Set(sites.map(({ account_id }) => account_id)).size > 1
  const found = sites.map(({ id, domain, business_name, account_name }) => ({
    domain: domainName(domain),
    business: isOfSeveral ? `${business_name} · ${account_name}` : business_name,
    href: `/sites/${id}/${tab}${periodQuery(request)}`,
  }))
  return { type: 'application/json; charset=utf-8', body: JSON.stringify({ sites: found }) }
}

/** Sites that need attention come first, the gravest at the top. */
function attention({ site, reasons }: HomeLine): number {
  return site.business_state === 'deactivated' ? -1 : urgencyOf(reasons)
}

function inOrder(request: PersonPageRequest, lines: readonly HomeLine[]) {
  const sorting = sortingOf(request, homeHeads, { key: '', order: 'down' })
  const keyOf = homeHeads.find((head) => head.key === sorting.key)?.keyOf ?? attention
  return { sorting, lines: sorted(lines, keyOf, sorting.order) }
}

function matching({ query }: PersonPageRequest, lines: readonly HomeLine[]): HomeLine[] {
  const [isSought, reason] = [matcherOf(query.get('q') ?? ''), reasonIn(query)]
  const hasReason = ({ reasons }: HomeLine) =>
    reason === null || (reason === 'any' ? reasons.length > 0 : reasons.some(({ kind }) => kind === reason))
  return lines.filter(
    (line) =>
      hasReason(line) &&
      isSought(`${line.site.domain} ${domainName(line.site.domain)} ${line.site.business_name} ${line.site.account_name}`),
  )
}

/** Null for a reason that does not exist. */
function reasonIn(query: URLSearchParams): string | null {
  return ['any', ...reasonKinds].find((kind) => kind === query.get('reason')) ?? null
}

function homePage(request: PersonPageRequest, period: ChosenPeriod, all: readonly HomeLine[], found: readonly HomeLine[]): Html {
  const { lines, sorting } = inOrder(request, found)
  const counts = countReasons(all)
  const slice = sliceOf(request, 'page', lines.filter(isActive), sitesAtOnce)
  const inactive = lines.filter((line) => !isActive(line))
  const closed = sliceOf(request, 'closed', inactive, sitesAtOnce)
  return html`
    <h1>All sites</h1>
    <p class="lead">${sentenceOf(request, counts)}</p>
    ${periodPicker(request, period, html`<span class="quiet small">${describe(request, period)}</span>`)}
    <form class="filters no-print" action="/" data-live="#site-list">
      ${keptFields(request, ['q', 'page', 'closed', 'go', 'password'])}
      <label for="narrow">
        Search these sites
        <input id="narrow" type="search" name="q" value="${request.query.get('q')}" autocomplete="off">
      </label>
      <button class="button soft">Search</button>
      ${reasonChoices(request, counts)}
      ${groupChoices(request, all.filter(isActive))}
      <span class="push">${tableLinks(hrefWith(request, { page: null }, '/sites.csv'))}</span>
    </form>
    <div id="site-list" data-swap>
      <p class="quiet small" role="status">${found.length < all.length ? `${request.words.whole(found.length)} of ${request.words.whole(all.length)} shown` : ''}</p>
      ${groupsHtml(request, lines.filter(isActive))}
      ${slice.items.length > 0 ? homeTableHtml(request, period, slice.items, sorting, 'Sites') : null}
      ${found.length === 0 ? html`<p class="quiet">No site fits.</p>` : null}
      ${showAllOnPhone(request, slice.items.length, '#sites')}
      ${pageLinks(request, 'page', slice, 'sites')}
      ${inactive.length > 0 ? html`<h2 class="apart">Deactivated</h2>${homeTableHtml(request, period, closed.items, sorting, 'Deactivated')}` : null}
      ${pageLinks(request, 'closed', closed, 'deactivated')}
      ${leftOffPaper(request.words, slice.items.length + closed.items.length, found.length, 'sites')}
    </div>
  `
}

function isActive({ site }: HomeLine): boolean {
  return site.business_state !== 'deactivated'
}

/** Counts exactly the sites that are marked below. A site of a deactivated business has no reasons. */
function countReasons(lines: readonly HomeLine[]) {
  const byKind = new Map<ReasonKind, number>()
  let [active, needing] = [0, 0]
  for (const line of lines) {
    if (!isActive(line)) continue
    active++
    if (line.reasons.length > 0) needing++
    for (const kind of new Set(line.reasons.map((reason) => reason.kind))) byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
  }
  return { active, needing, closed: lines.length - active, byKind }
}

type ReasonCounts = ReturnType<typeof countReasons>

function sentenceOf({ words, loggedIn }: PersonPageRequest, { active, needing, closed, byKind }: ReasonCounts): string {
  const told = reasonKinds.flatMap((kind) => {
    const amount = byKind.get(kind) ?? 0
    return amount === 0 ? [] : [`${words.count(amount, 'site')} ${sentences[kind](amount === 1)}`]
  })
  const counted = `${words.count(active, 'site')}${closed > 0 ? ` and ${words.whole(closed)} deactivated` : ''}`
  const need = `${words.whole(needing)} ${needing === 1 ? 'needs' : 'need'} attention: ${told.join(', ')}.`
  return `Hello ${loggedIn.name}. ${counted}; ${needing === 0 ? 'none needs attention.' : need}`
}

const sentences: Record<ReasonKind, (isOne: boolean) => string> = {
  stale: (isOne) => `${isOne ? 'is' : 'are'} no longer measured`,
  gap: (isOne) => `${isOne ? 'was' : 'were'} not measured for a time`,
  'lost-inside': () => 'lost keywords for a time',
  lost: () => 'lost keywords',
  'left-top-10': () => 'lost places in the top 10',
  'bad-reviews': (isOne) => `${isOne ? 'has' : 'have'} new bad reviews`,
  rating: (isOne) => `${isOne ? 'is' : 'are'} rated lower`,
}

const filterLabels: Record<ReasonKind, string> = {
  stale: 'Not measured',
  gap: 'Measured in part',
  'lost-inside': 'Lost for a time',
  lost: 'Lost keywords',
  'left-top-10': 'Left the top 10',
  'bad-reviews': 'Bad reviews',
  rating: 'Lower rating',
}

function reasonChoices(request: PersonPageRequest, { byKind }: ReasonCounts): Html | null {
  const kinds = reasonKinds.filter((kind) => byKind.has(kind))
  const chosen = reasonIn(request.query)
  if (kinds.length === 0 && chosen === null) return null
  const to = (reason: string | null) => hrefWith(request, { reason, page: null })
  return html`
    <nav class="segments" aria-label="Needs attention because">
      ${choice(to(null), 'All', chosen === null)}
      ${choice(to('any'), 'Needs attention', chosen === 'any')}
      ${kinds.map((kind) => choice(to(kind), filterLabels[kind], chosen === kind))}
    </nav>
  `
}

function nothingYet({ loggedIn }: PersonPageRequest): Html {
  return html`
    <h1>No sites yet</h1>
    <p class="lead">
      Hello ${loggedIn.name}. You are logged in, but no site has been opened to you.
      Please ask the person who gave you your login: they can let you see an account, a business or a single site.
    </p>
  `
}
