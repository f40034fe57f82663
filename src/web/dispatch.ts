/** The door of the pages: from a request to a page's answer. Whoever is not logged in sees the login, and what a person may not see does not exist. */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestLimits } from '../http/concurrency-limits.ts'
import type { Exchange } from '../http/exchange.ts'
import { peerOf } from '../http/proxies.ts'
import { type Match, namedParams, routerOf } from '../http/router.ts'
import type { Door } from '../http/server.ts'
import { Failure, refuse } from '../lib/failures.ts'
import { browserName } from '../lib/network/browsers.ts'
import { idIn } from '../lib/text-kinds.ts'
import { withinDeadline } from '../lib/work/deadline.ts'
import type { App } from '../model/core/app.ts'
import { brandOf } from '../model/partners/brands.ts'
import { framingHosts } from '../model/partners/hosts/framing-hosts.ts'
import { lookAtSession } from '../model/people/sessions.ts'
import { findGuest } from '../model/people/share-links.ts'
import { rememberSite, seesManySites } from '../model/people/visible-sites.ts'
import { networkOf, type Visitor } from '../model/people/visitor.ts'
import { askReaders } from '../readers/pool.ts'
import { wordsFor } from './components/number-format.ts'
import { type Cookie, cookieLine, keepsPlainCookies, readCookie, visitCookie } from './cookies.ts'
import type { Dropped } from './dropped-files.ts'
import { errorPage } from './error-page.ts'
import { formToken } from './form-token.ts'
import { brandByHost, isPrivate } from './hosts.ts'
import { type PageAnswer, type PageRequest, type PersonPageRequest, type ReaderPageRequest, redirect } from './page-request.ts'
import { askedPage, fileWork, pageWork } from './page-work.ts'
import { isMadeByReaders, isOpenToPost, type Page, pages } from './pages.ts'
import { withinPagesOf } from './policy.ts'
import { takeFiles, withForm } from './read-form.ts'
import { type MadePage, respond } from './respond.ts'
import { askForFreshLogin } from './screens/login/fresh.ts'
import { guestInFrame, readerOf, whoSees } from './who-asks.ts'

const route = routerOf(pages.map((page) => [page.path, page] as const))

export function pagesDoor(app: App, limits: RequestLimits): Door {
  return {
    takes: (request) => route(pathOf(request)) !== null || (request.method === 'GET' && wantsPage(request)),
    answer: (exchange) => answer(app, limits, exchange),
  }
}

/** Browsers get pages; every other client gets the API's errors. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

async function answer(app: App, limits: RequestLimits, exchange: Exchange): Promise<void> {
  const match = route(pathOf(exchange.request))
  exchange.route = match?.template ?? 'unknown'
  let opened: Opened | null = null
  let dropped: Dropped | null = null
  try {
    opened = await openRequest(app, exchange, match)
    const page = pageFor(match?.rows ?? [], exchange.request.method ?? '')
    if (page.takesFiles) dropped = await takeFiles(limits, opened, exchange, page)
    const request = page.takesFiles ? { ...opened.request, ...dropped } : await withForm(opened, exchange, page)
    refuseWhileSeeing(page, request)
    const leave = await enter(limits, page, request, exchange)
    const over = overWith(exchange)
    const made = run(page, request, exchange, over.signal)
    try {
      const shown = await (kindOf(page) === 'page' ? withinDeadline('page', made) : made)
      await respond(exchange, framedFor(request, shown), linesOf(opened, shown, page.isStatic ? [] : opened.cookies))
    } finally {
      over.abort()
      // A page that took too long keeps its place until its work has ended.
      made.then(leave, leave)
    }
  } catch (error) {
    if (!(error instanceof Failure))
      exchange.log.error({ err: error, request_id: exchange.id, route: match?.template ?? null }, 'a page failed')
    const shown = errorPage(opened?.request ?? null, error, exchange.id)
    await respond(exchange, shown, opened === null ? [] : linesOf(opened, shown, opened.cookies))
  } finally {
    await dropped?.close()
  }
}

/** What a guest sees may stand in frames of the partner's own pages. */
function framedFor({ framedBy }: PageRequest, shown: PageAnswer | MadePage): PageAnswer | MadePage {
  return framedBy?.length ? { ...shown, headers: { ...shown.headers, ...withinPagesOf(framedBy) } } : shown
}

/** The people of a partner share its places, and each person has few of them; visitors who are not logged in are counted by network. */
async function enter(
  limits: RequestLimits,
  page: Page,
  { loggedIn, guest, visitor }: PageRequest,
  { response }: Exchange,
): Promise<() => void> {
  const kind = kindOf(page)
  if (kind === null) return () => {}
  const partnerId = loggedIn?.person.partnerId ?? guest?.partnerId
  const party = partnerId === undefined ? `network:${visitor.network}` : String(partnerId)
  return limits.enter(kind, { party, person: personOf({ loggedIn, visitor }) }, response)
}

function personOf({ loggedIn, visitor }: Pick<PageRequest, 'loggedIn' | 'visitor'>): string {
  return loggedIn === null ? visitor.network : String(loggedIn.person.userId)
}

/** Null for pages that have another limit, such as password hashing, and for static files. */
function kindOf({ method, path, isStatic }: Page): 'page' | 'page_csv' | null {
  if (isFile(path)) return 'page_csv'
  return method === 'GET' && !isStatic ? 'page' : null
}

function isFile(path: string): boolean {
  return ['.csv', '.xlsx', '.pdf'].some((ending) => path.endsWith(ending))
}

async function run(page: Page, request: PageRequest, exchange: Exchange, over: AbortSignal): Promise<PageAnswer | MadePage> {
  if (page.to === 'anyone') return page.show(request)
  const reader = page.to === 'reader' ? await readerOf(request) : whoSees(request.loggedIn)
  if (reader === null) return redirect(loginPath(request))
  if (!isOpenToPost(page, request.loggedIn?.person.post ?? null)) refuse('not_found')
  if (request.loggedIn?.lacksSecondFactor && !page.isOpenWithoutFactor) return redirect('/second-factor')
  const asked = page.isFreshOnly ? await askForFreshLogin({ ...request, reader } as PersonPageRequest, page.method) : null
  if (asked !== null) return asked
  const made = (refused: Pick<PageRequest, 'wrong' | 'faults'>) => madeByReaders(page, { ...request, ...refused, reader }, exchange, over)
  if (isMadeByReaders(page)) return made(request)
  const shown = await page.show({ ...request, reader } as PersonPageRequest)
  return shown.wrong === undefined ? shown : { ...(await made({ wrong: shown.wrong, faults: shown.faults ?? [] })), status: 422 }
}

/** What is written besides, the site that a person opened, is written here. */
async function madeByReaders(page: Page, request: ReaderPageRequest, exchange: Exchange, over: AbortSignal): Promise<MadePage> {
  const { app, reader, params } = request
  const { headers } = exchange.request
  const asked = askedPage(page.path, request, { acceptLanguage: headers['accept-language'], acceptEncoding: headers['accept-encoding'] })
  const kind = isFile(page.path) || page.takesLong ? fileWork : pageWork
  const work = await askReaders(app, kind, asked, { party: String(reader.partnerId), person: personOf(request), client: exchange.response })
  if (over.aborted) work.stop()
  over.addEventListener('abort', () => work.stop())
  try {
    const head = await work.begun()
    if (page.to !== 'staff' && reader.kind === 'person' && params['site_id'] !== undefined && head.status === undefined)
      await rememberSite(reader, idIn(params['site_id']))
    return { ...head, chunks: work }
  } catch (error) {
    await work.left
    throw error
  }
}

/** Ends with the client, and when the answer was given or came too late. */
function overWith({ response }: Exchange): AbortController {
  const over = new AbortController()
  response.once('close', () => over.abort())
  return over
}

/** Staff who look as a person see dashboards, and change nothing until they leave. */
function refuseWhileSeeing(page: Page, { loggedIn }: PageRequest): void {
  if (!loggedIn?.view || page.to === 'reader' || page.isStatic || page.isOpenInViews) return
  refuse('forbidden', `You see what ${loggedIn.name} sees: you can look at the dashboards and change nothing. Leave this view first.`)
}

/** A person whose session has ended is told so on the login page. */
function loginPath({ path, query, lostSession }: PageRequest): string {
  const next = query.size === 0 ? path : `${path}?${query}`
  const asked = new URLSearchParams({ ...(next !== '/' && { next }), ...(lostSession && { session: lostSession }) })
  return asked.size === 0 ? '/login' : `/login?${asked}`
}

/** The path of the URL, which `URL` may not be able to parse, such as `//`. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}

function pageFor(here: readonly Page[], method: string): Page {
  const wanted = method === 'HEAD' ? 'GET' : method
  if (here.length === 0) refuse('not_found')
  const allow = here.flatMap((page) => (page.method === 'GET' ? ['GET', 'HEAD'] : [page.method])).join(', ')
  return here.find((page) => page.method === wanted) ?? refuse('method_not_allowed', undefined, { allow })
}

interface Opened {
  readonly request: PageRequest
  /** What the form tokens of this request are bound to. */
  readonly holder: string
  readonly cookies: readonly Cookie[]
}

async function openRequest(app: App, exchange: Exchange, match: Match<Page> | null): Promise<Opened> {
  const { headers } = exchange.request
  const hostBrand = await brandByHost(app, exchange.request)
  const network = networkOf(peerOf(exchange).address)
  const visitor: Visitor = {
    app,
    requestId: exchange.id,
    network,
    browser: browserName(headers['user-agent']),
    hostPartnerId: hostBrand?.partner_id ?? null,
  }
  const hasPlainCookies = keepsPlainCookies(app.settings, exchange.request)
  const cookie = (name: Cookie['name']) => readCookie(headers.cookie, name, hasPlainCookies)
  const isInFrame = headers['sec-fetch-dest'] === 'iframe'
  const framed = isInFrame ? await guestInFrame(visitor, match?.rows ?? [], cookie('embedded')) : null
  const token = framed === null ? cookie('session') : null
  const found = token ? await lookAtSession(visitor, token) : null
  const loggedIn = typeof found === 'string' ? null : found
  const share = cookie('share')
  const guest = framed ?? (share ? await findGuest(visitor, share) : null)
  const known = cookie('visit')
  const visitId = known && /^[\w-]{22}$/.test(known) ? known : randomBytes(16).toString('base64url')
  const holder = loggedIn ? loggedIn.session.tokenHash : visitId
  const seeing = whoSees(loggedIn)
  const whose = seeing ?? guest
  const isPage = match?.rows.some(({ isStatic, to }) => !isStatic && to !== 'anyone') ?? false
  const brand = whose === null ? hostBrand : ((await brandOf(app, whose)) ?? null)
  const theme = cookie('theme')
  const request: PageRequest = {
    app,
    visitor,
    words: wordsFor(headers['accept-language'], app.settings.timeZone, loggedIn?.written),
    brand,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    path: pathOf(exchange.request),
    query: new URLSearchParams((exchange.request.url ?? '').split('?').slice(1).join('?')),
    params: match === null ? {} : namedParams(match),
    form: new URLSearchParams(),
    files: [],
    formToken: formToken(app.secrets, holder),
    isPrivate: isPrivate(exchange),
    hasPlainCookies,
    loggedIn,
    pendingLogin: cookie('pending') || null,
    told: cookie('told') || null,
    lostSession: typeof found === 'string' ? found : null,
    hasManySites: seeing !== null && isPage && (await seesManySites(seeing)),
    guest,
    isInFrame,
    framedBy: framed && (await framingHosts(app, framed.partnerId)),
    wrong: null,
    faults: [],
    warn: (error, sentence) => exchange.log.warn({ err: error, request_id: exchange.id }, sentence),
  }
  return { request, holder, cookies: framed || loggedIn || known === visitId ? [] : [visitCookie(visitId)] }
}

function linesOf({ request }: Opened, answer: Pick<PageAnswer, 'cookies'>, cookies: readonly Cookie[]): readonly string[] {
  return [...cookies, ...(answer.cookies ?? [])].map((cookie) => cookieLine(cookie, request.hasPlainCookies))
}
