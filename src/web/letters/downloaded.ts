/** Reports as they are mailed, for whoever looks at the pages: of one site, or of all that they may open. */

import type { HomeLine } from '../../model/dashboard/home.ts'
import type { ChosenPeriod } from '../../model/dashboard/periods/chosen-period.ts'
import type { ShownSite } from '../../model/people/visible-sites.ts'
import { domainName } from '../components/names.ts'
import { isOfPeriod } from '../components/period.ts'
import type { PersonPageRequest, ReaderPageRequest } from '../page-request.ts'
import { letterheadIn, letterheadOf } from './letterhead.ts'
import { leftOut, summaryLines, summaryOf, worstFirst } from './report/account-summary.ts'
import type { MailedReport, MailedSite } from './report/mailed-report.ts'
import { mostInFull } from './report/read-report.ts'
import { readSite } from './report/read-site.ts'
import { pdfOf } from './sheet.ts'

const plain: Omit<MailedReport, 'accountName' | 'period' | 'sites'> = {
  inShort: '',
  sentence: '',
  summary: '',
  lines: [],
  leftOut: { sites: 0, needing: 0 },
}

export async function pdfOfSite(request: ReaderPageRequest, site: ShownSite, { from, to }: ChosenPeriod): Promise<Buffer> {
  const head = await letterheadOf(request.app, site.account_id)
  const sites = [await readSite(aboutSite(request, site), head)]
  return pdfOf(head, { ...plain, accountName: site.business_name || domainName(site.domain), period: request.words.span(from, to), sites })
}

export async function pdfOfSites(request: PersonPageRequest, all: readonly HomeLine[], period: ChosenPeriod): Promise<Buffer> {
  const { app, brand, words } = request
  const head = await letterheadIn(app, brand ?? undefined)
  const summed = worstFirst(all)
  const sites: MailedSite[] = []
  for (const { site } of summed.slice(0, mostInFull.pdf)) sites.push(await readSite(aboutSite(request, site), head))
  return pdfOf(head, {
    ...plain,
    accountName: 'All sites',
    period: words.span(period.from, period.to),
    summary: summaryOf(words, summed, period.before?.to ?? null),
    lines: summaryLines(words, summed, period),
    leftOut: leftOut(summed),
    sites,
  })
}

/** Of what was chosen on the page, the period alone. */
function aboutSite(request: ReaderPageRequest, { id }: Pick<ShownSite, 'id'>): ReaderPageRequest {
  const query = new URLSearchParams([...request.query].filter(([name]) => isOfPeriod(name)))
  return { ...request, params: { site_id: String(id) }, query }
}
