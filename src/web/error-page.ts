/** The error page: a sentence, the request's id, and a link back. */

import { Failure } from '../lib/failures.ts'
import { html } from '../lib/html.ts'
import { fullSentence, problems } from '../resources/problem.ts'
import { door } from './components/layout.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'

/** Sentences for people, instead of those for partners in the problem table. */
const forPeople: Partial<Record<Failure['code'], string>> = {
  not_found: 'There is nothing at this address, or it is not yours to see.',
  internal: 'Something went wrong on our side. It has been noted; please try again.',
  overloaded: 'The service is busy. Please try again in a moment.',
  unavailable: 'The service cannot reach its data. Please try again in a moment.',
}

export function errorPage(request: PageRequest | null, error: unknown, requestId: string): PageAnswer {
  const failure = error instanceof Failure ? error : new Failure('internal')
  const { status, title } = problems[failure.code]
  const headers = failure.details.headers ?? {}
  const sentence = sentenceOf(failure)
  // Without a page request the brand is unknown, so the answer is plain text.
  if (request === null) return { status, headers, type: 'text/plain; charset=utf-8', body: `${sentence}\n\n${requestId}\n` }
  const back = html`<p class="after"><a href="/">${request.loggedIn ? 'All sites' : 'To the login'}</a></p><p class="note">Request ${requestId}</p>`
  return { status, headers, body: door(request, status === 404 ? 'Not found' : title, html`<p>${sentence}</p>${back}`) }
}

export function sentenceOf(failure: Failure): string {
  const faults = failure.details.faults?.map(fullSentence).join('. ')
  return forPeople[failure.code] ?? failure.details.sentence ?? faults ?? problems[failure.code].sentence
}
