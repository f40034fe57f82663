/** One review as it was written, and what owners, editors and staff note of it, with the form for it. */

import { type Html, html, raw } from '../../../lib/html.ts'
import type { ShownReview } from '../../../model/dashboard/reputation/review-list.ts'
import type { ReviewMark } from '../../../model/dashboard/reputation/review-marks.ts'
import { outsideLink } from '../../components/components.ts'
import { tokenField } from '../../components/layout.ts'
import { sourceName } from '../../components/names.ts'
import type { ReaderPageRequest } from '../../page-request.ts'

const foldedAt = 420

/** For whoever may note something of the review. */
export interface MarkForm {
  /** Where the form goes. */
  readonly action: string
  readonly siteId: number
  readonly mark: ReviewMark | null
}

interface Around {
  /** Whose it is, where reviews of several are listed. */
  readonly whose?: Html
  readonly form?: MarkForm
}

export function reviewHtml(request: ReaderPageRequest, review: ShownReview, { whose, form }: Around = {}): Html {
  const { lastVisitAt } = request.loggedIn?.session ?? { lastVisitAt: null }
  const isNew = lastVisitAt !== null && review.created_at > lastVisitAt
  const spoken = review.language === null ? null : html` lang="${review.language}"`
  return html`
    <li id="review-${review.id}">
      <div class="review-head">
        ${starsHtml(review.rating)}
        ${whose ?? null}
        <span>${sourceName(review.source)}</span>
        <time datetime="${review.date}">${request.words.day(review.date)}</time>
        <span dir="auto">${review.user}</span>
        ${isNew ? html`<span class="badge new">new since your last visit</span>` : null}
        <span class="push no-print">${outsideLink(review.url, 'Open at the source')}</span>
      </div>
      <div${spoken}>
        ${review.header ? html`<h3 dir="auto">${review.header}</h3>` : null}
        ${textHtml(review.detail)}
        ${review.answer ? html`<h4 lang="en">Answer</h4>${textHtml(review.answer)}` : null}
      </div>
      ${form ? markHtml(request, review, form) : null}
    </li>
  `
}

function textHtml(detail: string): Html | null {
  if (detail === '') return null
  if (detail.length <= foldedAt) return html`<p class="text" dir="auto">${detail}</p>`
  const start = [...detail.slice(0, foldedAt - 80)].join('').replace(/[\uD800-\uDBFF]$/, '')
  return html`
    <details>
      <summary>
        <span class="text" dir="auto">${start}…</span> <span class="more" lang="en">Read on</span>
      </summary>
      <p class="text" dir="auto">${detail}</p>
    </details>
  `
}

const said = { seen: 'Seen', answered: 'Answered' } as const

/** Pressed like buttons; the note is behind one more click, because most reviews need none. */
function markHtml(request: ReaderPageRequest, review: ShownReview, { action, siteId, mark }: MarkForm): Html {
  const { id } = review
  const typed = request.wrong !== null && request.form.get('review') === String(id) ? request.form.get('note') : null
  const told = mark && `${said[mark.state]} by ${mark.by ?? 'somebody who has left'}, ${request.words.moment(mark.at)}`
  const button = (value: string, label: string) =>
    html`<button class="button soft" name="do" value="${value}" aria-label="${label}: the review of ${request.words.day(review.date)} at ${sourceName(review.source)}">${label}</button>`
  return html`
    ${told ? html`<p class="marked"><span class="badge">${said[mark?.state ?? 'seen']}</span> ${told}${mark?.note ? html`: <span dir="auto">${mark.note}</span>` : null}</p>` : null}
    <form method="post" action="${action}" class="marks no-print">
      ${tokenField(request)}
      <input type="hidden" name="site" value="${siteId}">
      <input type="hidden" name="review" value="${id}">
      <input type="hidden" name="was" value="${mark?.at ?? ''}">
      ${mark === null ? button('seen', 'Mark as seen') : null}
      ${mark?.state === 'answered' || review.answer ? null : button('answered', 'Mark as answered')}
      ${mark === null ? null : button('none', 'Take back')}
      <details>
        <summary>${mark?.note ? 'Change the note' : 'Add a note'}</summary>
        <label for="note-${id}">Note for colleagues<input id="note-${id}" name="note" value="${typed ?? mark?.note ?? ''}" maxlength="500" autocomplete="off"></label>
        ${button('note', 'Save')}
      </details>
    </form>
  `
}

export function starsHtml(rating: number): Html {
  const full = Math.max(0, Math.min(5, rating))
  return html`
    <span class="stars" role="img" aria-label="${full} of 5 stars">
      ${raw('★'.repeat(full))}
      <i>${raw('★'.repeat(5 - full))}</i>
    </span>
  `
}
