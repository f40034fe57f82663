/** Reads the content of a scheduled report: all sites in one line each, and the first of them in full. */

import { notFound } from '../../../lib/failures.ts'
import { oneLine } from '../../../lib/one-line.ts'
import type { App } from '../../../model/core/app.ts'
import type { GuestCaller } from '../../../model/core/caller.ts'
import { reasonsOf } from '../../../model/dashboard/attention/attention.ts'
import { noSummary, summariesOf } from '../../../model/dashboard/home.ts'
import type { ReportedPeriod } from '../../../model/mail/queue-reports.ts'
import { accountOfSchedule, type ReportedSite, sentenceOfRun, sitesOfSchedule } from '../../../model/mail/reported-sites.ts'
import { regionOfMail } from '../../../model/mail/written.ts'
import { type Words, wordsFor } from '../../components/number-format.ts'
import { periodOf } from '../../components/period.ts'
import type { ReaderPageRequest } from '../../page-request.ts'
import type { Letterhead } from '../letter.ts'
import { inShortOf, leftOut, type SummedSite, summaryLines, summaryOf, worstFirst } from './account-summary.ts'
import type { MailedReport, MailedSite } from './mailed-report.ts'
import { readSite } from './read-site.ts'

/** How many sites a mail and a PDF show in full. */
export const mostInFull = { mail: 3, pdf: 20 } as const

/** Dates are written as the reader does, if `email` is one whose choice is known. */
export async function readMailedReport(
  app: App,
  head: Letterhead,
  payload: ReportedPeriod,
  { email = null, inFull = mostInFull.mail }: { readonly email?: string | null; readonly inFull?: number } = {},
): Promise<MailedReport> {
  const account = (await accountOfSchedule(app, payload.schedule_id)) ?? notFound('schedule')
  const region = await regionOfMail(app, account.id, email)
  const words = wordsFor(undefined, app.settings.timeZone, { region, timeZone: null })
  const reported = await sitesOfSchedule(app, payload.schedule_id)
  const requestFor = ({ id }: Pick<ReportedSite, 'id'>) =>
    requestOf({ kind: 'guest', app, requestId: 'mail', partnerId: account.partner_id, accountId: account.id, siteId: id }, words, payload)
  const summed = worstFirst(await sumUp(app, reported, requestFor))
  const sites: MailedSite[] = []
  for (const { site } of summed.slice(0, inFull)) sites.push(await readSite(requestFor(site), head))
  const isOne = summed.length <= 1
  return {
    accountName: oneLine(account.name),
    period: words.span(payload.from, payload.to),
    inShort: inShortOf(words, summed),
    sentence: await sentenceOfRun(app, payload),
    summary: isOne ? '' : summaryOf(words, summed, beforeOf(reported, requestFor)),
    lines: isOne ? [] : summaryLines(words, summed, payload),
    leftOut: leftOut(summed),
    sites,
  }
}

type RequestFor = (site: Pick<ReportedSite, 'id'>) => ReaderPageRequest

/** All sites are of one account, which has one time zone. */
async function sumUp(app: App, reported: readonly ReportedSite[], requestFor: RequestFor): Promise<SummedSite[]> {
  const [first] = reported
  if (first === undefined) return []
  const found = await summariesOf(app, reported, periodOf(requestFor(first), first.time_zone))
  return reported.map((site) => {
    const summary = found.get(site.id) ?? noSummary
    return { site, ...summary, reasons: reasonsOf(summary) }
  })
}

/** The last day that is compared. */
function beforeOf([first]: readonly ReportedSite[], requestFor: RequestFor): string | null {
  return first === undefined ? null : (periodOf(requestFor(first), first.time_zone).before?.to ?? null)
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
    lostSession: null,
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
