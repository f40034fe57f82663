/** The pages' door: from a request to a page's answer; who may not come in sees the login, and what is not theirs is simply not there. */

import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readBody } from '../http/body.ts'
import { exchangeOf } from '../http/exchange.ts'
import { Failure, refuse } from '../lib/failures.ts'
import type { Ground } from '../model/core/app.ts'
import { brandOfPartner } from '../model/partners/brands.ts'
import { findSession } from '../model/people/sessions.ts'
import { networkOf, type Visitor } from '../model/people/visitor.ts'
import { wordsFor } from './components/number-format.ts'
import { cookieNames, readCookie, visitCookie } from './cookies.ts'
import { wrongPage } from './error-page.ts'
import { checkForm, formToken } from './form-token.ts'
import { brandByHost, isPrivate } from './hosts.ts'
import { type Answer, type PersonVisit, redirect, type Visit } from './page-request.ts'
import { type Page, pages } from './pages.ts'
import { sendAnswer } from './respond.ts'

const maxFormBytes = 16 * 1024

export function registerPages(server: FastifyInstance, ground: Ground): void {
  for (const [path, here] of Map.groupBy(pages, (page) => page.path)) {
    server.all(path, (request, reply) => answer(ground, here, request, reply))
  }
  server.get('/*', (request, reply) => (wantsPage(request) ? answer(ground, [], request, reply) : reply.callNotFound()))
}

/** Browsers ask for pages; everyone else is answered in the API's words. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

async function answer(ground: Ground, here: readonly Page[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
  exchangeOf(request.raw).route = here[0]?.path ?? 'unknown'
  let visit: Visit | null = null
  let cookies: readonly string[] = []
  try {
    const opened = await openVisit(ground, request)
    visit = opened.visit
    cookies = opened.cookies
    const page = pageFor(here, request.method)
    const given = page.method === 'POST' ? await withForm(opened, request) : visit
    await sendAnswer(request, reply, withCookies(await run(page, given), cookies))
  } catch (error) {
    if (!(error instanceof Failure))
      request.log.error({ err: error, request_id: request.id, route: here[0]?.path ?? null }, 'a page failed')
    await sendAnswer(request, reply, withCookies(wrongPage(visit, error, request.id), cookies))
  }
}

async function run(page: Page, visit: Visit): Promise<Answer> {
  if (page.to === 'anyone') return page.show(visit)
  return visit.loggedIn === null ? redirect(loginPath(visit)) : page.show(visit as PersonVisit)
}

function loginPath({ path, query }: Visit): string {
  const next = query.size === 0 ? path : `${path}?${query}`
  return next === '/' ? '/login' : `/login?${new URLSearchParams({ next })}`
}

function pageFor(here: readonly Page[], method: string): Page {
  const wanted = method === 'HEAD' ? 'GET' : method
  if (here.length === 0) refuse('not_found')
  const allow = here.flatMap((page) => (page.method === 'GET' ? ['GET', 'HEAD'] : [page.method])).join(', ')
  return here.find((page) => page.method === wanted) ?? refuse('method_not_allowed', undefined, { allow })
}

interface Opened {
  readonly visit: Visit
  /** What the form tokens of this visit are made for. */
  readonly holder: string
  readonly cookies: readonly string[]
}

async function openVisit(ground: Ground, request: FastifyRequest): Promise<Opened> {
  const hostBrand = await brandByHost(ground, request)
  const visitor: Visitor = { ground, requestId: request.id, network: networkOf(request.ip), hostPartnerId: hostBrand?.partner_id ?? null }
  const cookie = (name: string) => readCookie(request.headers.cookie, name)
  const token = cookie(cookieNames.session)
  const loggedIn = token ? await findSession(visitor, token) : null
  const known = cookie(cookieNames.visit)
  const visitId = known && /^[\w-]{22}$/.test(known) ? known : randomBytes(16).toString('base64url')
  const holder = loggedIn ? loggedIn.session.tokenHash : visitId
  const brand = hostBrand ?? (loggedIn ? ((await brandOfPartner(ground, loggedIn.person.partnerId)) ?? null) : null)
  const theme = cookie(cookieNames.theme)
  const url = new URL(request.url, 'http://page')
  const visit: Visit = {
    ground,
    visitor,
    words: wordsFor(request.headers['accept-language'], ground.settings.timeZone),
    brand,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    path: url.pathname,
    query: url.searchParams,
    params: request.params as Record<string, string>,
    form: new URLSearchParams(),
    formToken: formToken(ground.secrets, holder),
    isPrivate: isPrivate(request),
    loggedIn,
    warn: (error, sentence) => request.log.warn({ err: error, request_id: request.id }, sentence),
  }
  return { visit, holder, cookies: loggedIn || known === visitId ? [] : [visitCookie(visitId)] }
}

async function withForm({ visit, holder }: Opened, request: FastifyRequest): Promise<Visit> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) refuse('unsupported_media_type')
  const form = new URLSearchParams((await readBody(request.raw, maxFormBytes)).toString('utf8'))
  checkForm(visit.ground.secrets, holder, request.headers, form.get('form_token'))
  return { ...visit, form }
}

function withCookies(answer: Answer, cookies: readonly string[]): Answer {
  return { ...answer, cookies: [...cookies, ...(answer.cookies ?? [])] }
}
