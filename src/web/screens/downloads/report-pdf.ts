/** The report of one site or of all as a PDF, for the chosen period: looks as the one that is mailed. */

import { notFound } from '../../../lib/failures.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import { homeFigures } from '../../../model/dashboard/home.ts'
import type { ChosenPeriod } from '../../../model/dashboard/periods/chosen-period.ts'
import { isOpenTo, openSite } from '../../../model/people/visible-sites.ts'
import { attached } from '../../components/csv.ts'
import { periodOf } from '../../components/period.ts'
import type { PageAnswer, PersonPageRequest, ReaderPageRequest } from '../../page-request.ts'

export async function sitePdf(request: ReaderPageRequest): Promise<PageAnswer> {
  const site = await openSite(request.reader, idIn(request.params['site_id']))
  const period = periodOf(request, site.time_zone)
  return answerOf(site.domain, period, await (await drawing()).pdfOfSite(request, site, period))
}

/** Of active businesses, since the others are mailed neither. */
export async function sitesPdf(request: PersonPageRequest): Promise<PageAnswer> {
  const period = periodOf(request, request.loggedIn.timeZone)
  const lines = await homeFigures(request.reader, period)
  const shown = lines.filter(({ site }) => site.business_state === 'active' && isOpenTo(request.reader, site))
  if (shown.length === 0) return notFound('page')
  return answerOf('sites', period, await (await drawing()).pdfOfSites(request, shown, period))
}

/** The code that draws takes 16 MB, and most threads never show a PDF. */
function drawing() {
  return import('../../letters/downloaded.ts')
}

function answerOf(name: string, { from, to }: ChosenPeriod, body: Buffer): PageAnswer {
  return { type: 'application/pdf', headers: attached(`${name}-${from}-${to}`, 'pdf'), body }
}
