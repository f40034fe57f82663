/** `marquee site delete` and similar commands: delete a record with everything that belongs to it; `--dry-run` shows that first. */

import { allPages } from '../../../model/core/paging.ts'
import { deleteBusiness } from '../../../model/partners/businesses.ts'
import { deleteLocation, listLocations } from '../../../model/partners/locations.ts'
import { countBelowCompetitor, countBelowKeyword, countBelowPage, countBelowSite } from '../../../model/partners/removal-counts.ts'
import { deleteReviewPage, listReviewPages } from '../../../model/partners/review-pages.ts'
import { deleteCompetitor, deleteKeyword, listCompetitors, listKeywords } from '../../../model/partners/site-contents.ts'
import { deleteSite } from '../../../model/partners/site-removal.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { businessRecord, siteRecord } from '../../records.ts'

export async function site(input: OperatorInput): Promise<Output> {
  const below = await countBelowSite(input.caller, input.id)
  return output(input, { site: siteRecord(await deleteSite(trying(input), input.id)), below })
}

/** Refused while the business has sites or abilities. */
export async function business(input: OperatorInput): Promise<Output> {
  return output(input, { business: businessRecord(await deleteBusiness(trying(input), input.id)) })
}

export async function keyword(input: OperatorInput): Promise<Output> {
  const siteId = input.number('site') ?? 0
  const below = await countBelowKeyword(input.caller, siteId, input.id)
  return output(input, { keyword: await deleteKeyword(trying(input), siteId, input.id), below })
}

export async function competitor(input: OperatorInput): Promise<Output> {
  const siteId = input.number('site') ?? 0
  const below = await countBelowCompetitor(input.caller, siteId, input.id)
  return output(input, { competitor: await deleteCompetitor(trying(input), siteId, input.id), below })
}

export async function page(input: OperatorInput): Promise<Output> {
  const siteId = input.number('site') ?? 0
  const below = await countBelowPage(input.caller, siteId, input.id)
  return output(input, { page: await deleteReviewPage(trying(input), siteId, input.id), below })
}

/** Refused while pages with reviews belong to it. */
export async function location(input: OperatorInput): Promise<Output> {
  return output(input, { location: await deleteLocation(trying(input), input.id) })
}

export async function keywords({ caller, number }: OperatorInput): Promise<Output> {
  return { document: { keywords: await allPages((after) => listKeywords(caller, number('site') ?? 0, after)) } }
}

export async function competitors({ caller, number }: OperatorInput): Promise<Output> {
  return { document: { competitors: await allPages((after) => listCompetitors(caller, number('site') ?? 0, after)) } }
}

export async function pages({ caller, number }: OperatorInput): Promise<Output> {
  return { document: { pages: await allPages((after) => listReviewPages(caller, number('site') ?? 0, after)) } }
}

export async function locations({ caller, number }: OperatorInput): Promise<Output> {
  const site_id = number('site')
  return {
    document: { locations: await allPages((after) => listLocations(caller, after, site_id === undefined ? {} : { site_id })) },
  }
}

function trying({ caller, has }: OperatorInput) {
  return has('dry-run') ? { ...caller, isDryRun: true as const } : caller
}

function output({ has }: OperatorInput, document: object): Output {
  return { document, note: has('dry-run') ? 'This would go; nothing was removed.' : 'Removed. There is no way back but a backup.' }
}
