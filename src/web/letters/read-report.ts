/** Reads the content of a scheduled report: each site as a guest with a share link would see its pages. */

import { notFound } from '../../lib/failures.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { App } from '../../model/core/app.ts'
import type { GuestCaller } from '../../model/core/caller.ts'
import { reasonsOf } from '../../model/dashboard/attention/attention.ts'
import { reviewSummary } from '../../model/dashboard/home.ts'
import type { ReportedPeriod } from '../../model/mail/queue-reports.ts'
import { accountOfSchedule, sentenceOfRun, sitesOfSchedule } from '../../model/mail/reported-sites.ts'
import { regionOfMail } from '../../model/mail/written.ts'
import { lineColor } from '../components/accent-color.ts'
import type { Figure } from '../components/components.ts'
import { domainName } from '../components/names.ts'
import { type Words, wordsFor } from '../components/number-format.ts'
import type { ReaderPageRequest } from '../page-request.ts'
import { reasonText } from '../screens/reasons.ts'
import { readReputation } from '../screens/reputation.ts'
import { reputationFigureList, reputationLead } from '../screens/reputation-lead.ts'
import { hasNothing, readSearch } from '../screens/search.ts'
import { missingOf } from '../screens/search-charts.ts'
import { searchFigureList, searchLead } from '../screens/search-lead.ts'
import { positionLines } from '../screens/search-tables.ts'
import type { Letterhead } from './letter.ts'
import { lineDrawing } from './line-drawing.ts'
import type { MailedFigure, MailedReport, MailedSite } from './mailed-report.ts'

/** Nobody would read a mail with more, and mail servers refuse large ones. */
const maxSites = 20

/** Dates are written as the reader does, if `email` is one whose choice is known. */
export async function readMailedReport(
  app: App,
  head: Letterhead,
  payload: ReportedPeriod,
  email: string | null = null,
): Promise<MailedReport> {
  const account = (await accountOfSchedule(app, payload.schedule_id)) ?? notFound('schedule')
  const region = await regionOfMail(app, account.id, email)
  const words = wordsFor(undefined, app.settings.timeZone, { region, timeZone: null })
  const ids = await sitesOfSchedule(app, payload.schedule_id)
  const guests = ids
    .slice(0, maxSites)
    .map((siteId): GuestCaller => ({ kind: 'guest', app, requestId: 'mail', partnerId: account.partner_id, accountId: account.id, siteId }))
  const sites: MailedSite[] = []
  for (const guest of guests) sites.push(await readSite(requestOf(guest, words, payload), head))
  return {
    accountName: oneLine(account.name),
    period: words.span(payload.from, payload.to),
    sentence: await sentenceOfRun(app, payload),
    sites,
    leftOut: Math.max(0, ids.length - maxSites),
  }
}

/** A page request like that of a browser, with the period in the query. */
function requestOf(guest: GuestCaller, words: Words, { from, to }: ReportedPeriod): ReaderPageRequest {
  const { app, requestId, siteId } = guest
  return {
    app,
    visitor: { app, requestId, network: 'mail', hostPartnerId: null },
    words,
    brand: null,
    theme: null,
    path: `/sites/${siteId}/search`,
    query: new URLSearchParams({ from, to }),
    params: { site_id: String(siteId) },
    form: new URLSearchParams(),
    files: [],
    formToken: '',
    isPrivate: true,
    hasPlainCookies: false,
    loggedIn: null,
    hasLostSession: false,
    hasManySites: false,
    guest,
    isInFrame: false,
    framedBy: null,
    wrong: null,
    faults: [],
    reader: guest,
    pendingLogin: null,
    told: null,
    warn: () => {},
  }
}

async function readSite(request: ReaderPageRequest, { accent }: Letterhead): Promise<MailedSite> {
  const { words } = request
  const { site, content: search } = await readSearch(request)
  const { period, figures } = await readReputation(request)
  const reputation = { period, domain: site.domain, figures, reviews: [] }
  const { from, to } = search.period
  const points = (positionLines(search)[0]?.days ?? []).map(({ day, average }) => ({ day, value: average }))
  const missing = missingOf(positionLines(search)[0]?.days ?? [])
  const drawing = lineDrawing({ words, from, to, kind: 'rank', points, missing, color: lineColor(accent) })
  // What was never bought takes no line; where nothing is known at all, the search page says so.
  const isReviewed = figures.own.total(to).count > 0
  const isSearched = !hasNothing(search) || !isReviewed
  return {
    id: site.id,
    path: `/sites/${site.id}/${isSearched ? 'search' : 'reputation'}?from=${from}&to=${to}`,
    name: domainName(site.domain),
    businessName: site.business_name,
    sentences: [...(isSearched ? [searchLead(request, search)] : []), ...(isReviewed ? [reputationLead(request, reputation)] : [])],
    figures: [...searchFigureList(request, search), ...reputationFigureList(request, reputation)].flatMap(mailedFigure),
    charts: drawing === null ? [] : [{ title: chartTitle(missing.length > 0), drawing }],
    attention: reasonsOf({ ...search.search, ...reviewSummary(figures.own, search.period) }).map((reason) => reasonText(words, reason)),
  }
}

function chartTitle(hasFoot: boolean): string {
  return `Average position over time; 1 is the first result${hasFoot ? ', the stripes show how many were not found' : ''}`
}

/** Figures that were not measured are left out; the sentences mention them. */
function mailedFigure({ label, value, change, note }: Figure): MailedFigure[] {
  return value === null ? [] : [{ label, value, change: [change?.words, note].filter(Boolean).join(', ') }]
}
