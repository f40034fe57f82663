/** Annotations on days of a site's charts: added and removed by the owner of the account. */

import { Failure } from '../../lib/failures.ts'
import { type Html, html } from '../../lib/html.ts'
import { idIn } from '../../lib/text-kinds.ts'
import { type Annotation, addAnnotation, removeAnnotation } from '../../model/dashboard/annotations.ts'
import { tokenField } from '../components/layout.ts'
import { periodQuery } from '../components/period.ts'
import { type PageAnswer, type PersonPageRequest, type ReaderPageRequest, redirect } from '../page-request.ts'

export async function createAnnotation(request: PersonPageRequest): Promise<PageAnswer> {
  const siteId = idIn(request.params['site_id'])
  const wanted = { day: request.form.get('day') ?? '', text: request.form.get('text') ?? '' }
  try {
    await addAnnotation(request.loggedIn.person, siteId, wanted)
  } catch (error) {
    // The browser has checked the fields; a request that bypasses it only loses the annotation. It does not know what the database can hold.
    if (!(error instanceof Failure) || error.code !== 'validation_failed' || error.details.unheld !== undefined) throw error
  }
  return back(request, siteId)
}

export async function deleteAnnotation(request: PersonPageRequest): Promise<PageAnswer> {
  const siteId = idIn(request.params['site_id'])
  await removeAnnotation(request.loggedIn.person, siteId, idIn(request.params['annotation_id']))
  return back(request, siteId)
}

function back(request: PersonPageRequest, siteId: number): PageAnswer {
  return redirect(`/sites/${siteId}/search${periodQuery(request)}#glance`)
}

/** The forms below the chart, for the owner. */
export function annotationForms(request: ReaderPageRequest, siteId: number, shown: readonly Annotation[], today: string): Html {
  const action = `/sites/${siteId}/annotations`
  const query = periodQuery(request)
  return html`
    <details class="behind">
      <summary>Note what happened on a day</summary>
      <form method="post" action="${action}${query}" class="filters">
        ${tokenField(request)}
        <label for="note-day">Day<input id="note-day" type="date" name="day" value="${today}" required></label>
        <label for="note-text">What happened<input id="note-text" name="text" maxlength="200" required></label>
        <button class="button soft">Add</button>
      </form>
      ${shown.map(
        (one) => html`
          <form method="post" action="${action}/${one.id}${query}" class="filters">
            ${tokenField(request)}
            <span>${request.words.day(one.day)} <span dir="auto">${one.text}</span></span>
            <button class="button soft">Remove</button>
          </form>
        `,
      )}
    </details>
  `
}
