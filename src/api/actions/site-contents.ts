/** Keywords, competitors and pages of a site: listed, shown, added many at a time, deleted. */

import { completeAll, readDrafts } from '../../fields/read.ts'
import { addReviewPages, deleteReviewPage, findReviewPage, listReviewPages } from '../../model/partners/review-pages.ts'
import {
  addCompetitors,
  addKeywords,
  deleteCompetitor,
  deleteKeyword,
  findCompetitor,
  findKeyword,
  listCompetitors,
  listKeywords,
} from '../../model/partners/site-contents.ts'
import { findSite } from '../../model/partners/sites.ts'
import { mostEntries, newCompetitor, newKeyword, newReviewPage } from '../../resources/site-contents.ts'
import type { Call } from '../endpoint.ts'
import type { inPages } from '../parameters.ts'

type Listing = Call<typeof inPages>

export const keywords = ({ caller, ids: [site], query }: Listing) => listKeywords(caller, site, query.after)
export const competitors = ({ caller, ids: [site], query }: Listing) => listCompetitors(caller, site, query.after)
export const pages = ({ caller, ids: [site], query }: Listing) => listReviewPages(caller, site, query.after)

export const showKeyword = ({ caller, ids: [site, id = 0] }: Call) => findKeyword(caller, site, id)
export const showCompetitor = ({ caller, ids: [site, id = 0] }: Call) => findCompetitor(caller, site, id)
export const showPage = ({ caller, ids: [site, id = 0] }: Call) => findReviewPage(caller, site, id)

export const removeKeyword = ({ caller, ids: [site, id = 0] }: Call) => deleteKeyword(caller, site, id)
export const removeCompetitor = ({ caller, ids: [site, id = 0] }: Call) => deleteCompetitor(caller, site, id)
export const removePage = ({ caller, ids: [site, id = 0] }: Call) => deleteReviewPage(caller, site, id)

export async function createKeywords({ caller, ids: [site], body }: Call) {
  await findSite(caller, site)
  return addKeywords(caller, site, completeAll(readDrafts(newKeyword, body, 'keywords', mostEntries)))
}

export async function createCompetitors({ caller, ids: [site], body }: Call) {
  await findSite(caller, site)
  return addCompetitors(caller, site, completeAll(readDrafts(newCompetitor, body, 'competitors', mostEntries)))
}

export async function createPages({ caller, ids: [site], body }: Call) {
  await findSite(caller, site)
  return addReviewPages(caller, site, completeAll(readDrafts(newReviewPage, body, 'pages', mostEntries)))
}
