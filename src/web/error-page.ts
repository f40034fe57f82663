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

/** Headings for people, by status, instead of the names of the statuses. */
const headings: Readonly<Record<number, string>> = {
  403: 'Not possible',
  404: 'Not found',
  429: 'One moment, please',
  503: 'One moment, please',
}

export function errorPage(request: PageRequest | null, error: unknown, requestId: string): PageAnswer {
  const failure = error instanceof Failure ? error : new Failure('internal')
  const { status, title } = problems[failure.code]
  const headers = failure.details.headers ?? {}
  const sentence = withAdvice(sentenceOf(failure), headers)
  // Without a page request the brand is unknown, so the answer is plain text.
  if (request === null) return { status, headers, type: 'text/plain; charset=utf-8', body: `${sentence}\n\n${requestId}\n` }
  const home = request.hasManySites ? 'All sites' : 'Back to the start'
  const back = html`<p class="after"><a href="/">${request.loggedIn ? home : 'To the login'}</a></p><p class="note">Request ${requestId}</p>`
  return { status, headers, body: door(request, headings[status] ?? title, html`<p>${sentence}</p>${back}`) }
}

/** A sentence with its full stop. */
export function sentenceOf(failure: Failure): string {
  const faults = failure.details.faults?.map(fullSentence).join('. ')
  const said = forPeople[failure.code] ?? failure.details.sentence ?? faults ?? problems[failure.code].sentence
  return said.endsWith('.') ? said : `${said}.`
}

/** Whoever is refused for a while is told to come back. */
function withAdvice(sentence: string, headers: Readonly<Record<string, string>>): string {
  return 'retry-after' in headers && !sentence.includes('again') ? `${sentence} Please try again in a moment.` : sentence
}
