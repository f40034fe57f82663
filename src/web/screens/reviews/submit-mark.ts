/** What the form of a review says: noted, or refused with a sentence on the page that it came from. */

import { Failure } from '../../../lib/failures.ts'
import { idIn } from '../../../lib/text-kinds.ts'
import { type MarkWish, markReview } from '../../../model/dashboard/reputation/review-marks.ts'
import { sentenceOf } from '../../error-page.ts'
import { hrefWith, type PageAnswer, type PersonPageRequest, redirect } from '../../page-request.ts'

export function submitReviewMark(request: PersonPageRequest): Promise<PageAnswer> {
  return submitMark(request, idIn(request.params['site_id']), 'reviews')
}

/** Goes back to the list that it came from. */
export async function submitMark(request: PersonPageRequest, siteId: number, anchor: string): Promise<PageAnswer> {
  const { form } = request
  try {
    await markReview(request.loggedIn.person, siteId, idIn(form.get('review') ?? ''), wishIn(form))
  } catch (error) {
    if (!(error instanceof Failure) || !['conflict', 'validation_failed'].includes(error.code)) throw error
    return { wrong: sentenceOf(error), body: '' }
  }
  return redirect(`${hrefWith(request, {})}#${anchor}`)
}

function wishIn(form: URLSearchParams): MarkWish {
  const [word, note, was] = [form.get('do'), form.get('note') ?? '', form.get('was') ?? '']
  if (word === 'none') return { state: null, note: '', was }
  return { state: word === 'seen' || word === 'answered' ? word : 'kept', note, was }
}
