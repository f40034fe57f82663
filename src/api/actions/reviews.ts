/** Reviews of a page of one of the partner's sites: listed and shown. */

import { findPageReview, listPageReviews } from '../../model/partners/page-reviews.ts'
import type { Call } from '../endpoint.ts'
import type { reviewFilters } from '../parameters.ts'

export function index({ caller, ids: [siteId, pageId = 0], query: { after, ...days } }: Call<typeof reviewFilters>) {
  return listPageReviews(caller, { siteId, pageId }, after, days)
}

export function show({ caller, ids: [siteId, pageId = 0, id = 0] }: Call) {
  return findPageReview(caller, { siteId, pageId }, id)
}
