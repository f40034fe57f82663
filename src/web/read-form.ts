/** Reads the form of a page, with its files where it brings some, and refuses one that is not ours. */

import { readBody } from '../http/body.ts'
import type { RequestLimits } from '../http/concurrency-limits.ts'
import type { Exchange } from '../http/exchange.ts'
import { refuse } from '../lib/failures.ts'
import { type Dropped, receiveDropped } from './dropped-files.ts'
import { checkForm } from './form-token.ts'
import type { PageRequest } from './page-request.ts'
import { isOpenToPost, type Page } from './pages.ts'

const maxFormBytes = 16 * 1024

interface Asked {
  readonly request: PageRequest
  /** What the form tokens of this request are bound to. */
  readonly holder: string
}

export async function withForm({ request, holder }: Asked, exchange: Exchange, page: Page): Promise<PageRequest> {
  if (page.method !== 'POST' || page.isOneClick) return request
  const { headers } = exchange.request
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) refuse('unsupported_media_type')
  const form = new URLSearchParams((await readBody(exchange.request, page.formBytes ?? maxFormBytes)).toString('utf8'))
  checkForm(request.app.secrets, holder, headers, form.get('form_token'))
  return { ...request, form }
}

/** The files of whoever may not open the page are not received. */
export async function takeFiles(
  limits: RequestLimits,
  { request, holder }: Asked,
  exchange: Exchange,
  page: Page,
): Promise<Dropped | null> {
  const { app, loggedIn } = request
  if (loggedIn === null || loggedIn.lacksSecondFactor || loggedIn.view || !isOpenToPost(page, loggedIn.person.post)) return null
  const { headers } = exchange.request
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) refuse('unsupported_media_type')
  const leave = await limits.uploads.enter('file', String(loggedIn.person.partnerId), exchange.response)
  const begin = (form: URLSearchParams) => checkForm(app.secrets, holder, headers, form.get('form_token'))
  return receiveDropped(app, exchange.request, begin, page.formBytes).finally(leave)
}
