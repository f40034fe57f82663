/** What the pages of one site share: its name, the two tabs, the period, and the notice about a deactivated business. */

import { type Html, html } from '../../lib/html.ts'
import { sendsMail } from '../../lib/network/smtp.ts'
import { dayText } from '../../lib/time/days.ts'
import { type Half, halvesOf } from '../../model/dashboard/halves.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import { mayEdit, maySchedule, type ShownSite } from '../../model/people/visible-sites.ts'
import { gapsOf, type Point } from '../charts/line.ts'
import { hrefWith, type PageAnswer, type ReaderPageRequest } from '../page-request.ts'
import { framed } from './layout.ts'
import { domainName } from './names.ts'
import type { Words } from './number-format.ts'
import { periodQuery } from './period.ts'
import { describe, periodPicker } from './period-picker.ts'
import { breakable } from './tables.ts'

interface SitePage {
  readonly site: ShownSite
  readonly period: ChosenPeriod
  readonly tab: 'search' | 'reputation'
  readonly lead: string
  readonly main: Html
  /** Further controls beside the tabs. */
  readonly choices?: Html
}

const tabs = { search: 'Search', reputation: 'Reputation' } as const

const deactivated = html`
  <p class="notice" role="status">This business is deactivated. Only the owner of the account and those who look after it can open this page.</p>
`

export function sitePage(request: ReaderPageRequest, { site, period, tab, lead, main, choices }: SitePage): PageAnswer {
  const domain = domainName(site.domain)
  const printed = `${domain} · ${tabs[tab]} · ${request.words.span(period.from, period.to)}`
  const body = html`
    ${request.query.get('password') === 'changed' ? html`<p class="notice" role="status">Your password is changed.</p>` : null}
    <div class="site-head">
      <div>
        <h1>${breakable(domain)}</h1>
        <p class="quiet">${site.business_name}</p>
      </div>
      <a class="button soft push no-print" href="/sites/${site.id}/report.pdf${periodQuery(request)}" download>Download PDF</a>
      <a class="button soft no-print hide-s" href="${hrefWith(request, { print: 'all', page: null, links: null })}">Print</a>
    </div>
    ${site.business_state === 'deactivated' ? deactivated : null}
    <div class="tab-row">
      <nav class="tabs" aria-label="Pages of this site">
        ${Object.entries(tabs).map(([name, label]) => tabLink(request, site, name, label, name === tab))}
        ${mayEdit(request.reader, site) ? editorLinks(request, site) : null}
      </nav>
      <p class="quiet small">${describe(request, period)}</p>
    </div>
    ${periodPicker(request, period, choices)}
    <p class="lead">${lead}</p>
    <div class="grid">${main}</div>
  `
  return { body: framed(request, { title: `${domain}: ${tabs[tab].toLowerCase()}`, main: body, printed, tab }) }
}

/** Links that only the owner of the account, editors and staff get. */
function editorLinks({ app, reader }: ReaderPageRequest, site: ShownSite): Html {
  return html`
    <a href="/sites/${site.id}/share">Share</a>
    ${sendsMail(app.settings) && reader.accountId === site.account_id && maySchedule(reader, site) ? html`<a href="/reports">Reports by mail</a>` : null}
  `
}

function tabLink(request: ReaderPageRequest, site: ShownSite, name: string, label: string, isHere: boolean): Html {
  return html`<a href="/sites/${site.id}/${name}${periodQuery(request)}"${isHere ? html` aria-current="page"` : null}>${label}</a>`
}

/** A card with a chart or a table; a `long` one may break across printed pages. */
export function card(content: Html, width: 'w12' | 'w8' | 'w7' | 'w6' | 'w5' | 'w4', isLong = false): Html {
  return html`<section class="card ${width}${isLong ? ' long' : null}">${content}</section>`
}

/** In print, the appendix begins here. */
export function appendixHead(sentence: string): Html {
  return html`
    <div class="appendix">
      <h2>Appendix</h2>
      <p class="quiet">${sentence}</p>
    </div>
  `
}

/** Shown instead of many empty charts. */
export function emptyCard(content: Html): Html {
  return html`<section class="card w12 empty">${content}</section>`
}

const halves = {
  search: 'There are positions, links or figures of this site.',
  reputation: 'There are reviews of this business.',
} as const

/** On an empty page: what the other page of the site holds; null if that is empty too. */
export async function otherHalf(request: ReaderPageRequest, site: ShownSite, half: Half): Promise<Html | null> {
  if (!(await halvesOf(request.reader, site))[half]) return null
  return html`<p>${halves[half]} <a class="button soft" href="/sites/${site.id}/${half}${periodQuery(request)}">Open ${tabs[half]}</a></p>`
}

/** Names the days without measurements, so that nobody takes them for zero. */
export function gapNote(words: Words, points: readonly Point[], where = ''): string[] {
  const gaps = gapsOf(points).map(({ from, to }) => ({ from: dayText(from), to: dayText(to) }))
  if (gaps.length === 0) return []
  const named = gaps.slice(0, 4).map(({ from, to }) => (from === to ? words.day(from) : words.span(from, to)))
  const rest = gaps.length > 4 ? ` and ${words.count(gaps.length - 4, 'more time')}` : ''
  return [`Not measured${where} ${named.join(', ')}${rest}.`]
}
