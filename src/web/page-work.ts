/** A page as work of the reader threads: once the main thread knows who asks, the request travels as plain data, and the page comes back ready to be sent. */

import type { App } from '../model/core/app.ts'
import type { GuestCaller, PersonCaller, ReaderCaller } from '../model/core/caller.ts'
import type { LoggedIn } from '../model/people/sessions.ts'
import type { Visitor } from '../model/people/visitor.ts'
import type { ReaderWork } from '../readers/messages.ts'
import { wordsFor } from './components/number-format.ts'
import type { PageAnswer, PageRequest, ReaderPageRequest } from './page-request.ts'

/** What travels as it is. */
const plainFields = [
  'brand',
  'theme',
  'path',
  'params',
  'formToken',
  'isPrivate',
  'hasPlainCookies',
  'lostSession',
  'hasManySites',
  'told',
  'wrong',
  'faults',
] as const

type Plain = Pick<PageRequest, (typeof plainFields)[number]>
/** Of each type of a union for itself. */
type WithoutApp<T> = T extends unknown ? Omit<T, 'app'> : never

export interface AskedPage {
  /** Of the table of pages. */
  readonly template: string
  readonly plain: Plain
  readonly now: string
  readonly query: string
  readonly form: string
  readonly acceptLanguage: string | undefined
  readonly acceptEncoding: string | undefined
  readonly visitor: WithoutApp<Visitor>
  readonly loggedIn: (Omit<LoggedIn, 'person'> & { readonly person: WithoutApp<PersonCaller> }) | null
  readonly guest: WithoutApp<GuestCaller> | null
  readonly reader: WithoutApp<ReaderCaller>
}

export interface PageHead extends Omit<PageAnswer, 'body'> {
  /** Null if the body is streamed. */
  readonly body: Uint8Array | null
  /** How the body is compressed. */
  readonly encoding: string | null
}

export const pageWork: ReaderWork<AskedPage, PageHead> = { name: 'page', lane: 'short' }
/** A file takes as long as it is read, and the preview of a mail as long as its pictures are drawn. */
export const fileWork: ReaderWork<AskedPage, PageHead> = { name: 'page', lane: 'long' }

type Headers = Pick<AskedPage, 'acceptLanguage' | 'acceptEncoding'>

export function askedPage(template: string, request: ReaderPageRequest, headers: Headers): AskedPage {
  const { loggedIn, guest, visitor, reader } = request
  return {
    template,
    plain: Object.fromEntries(plainFields.map((name) => [name, request[name]])) as unknown as Plain,
    now: request.app.clock.now(),
    query: request.query.toString(),
    form: request.form.toString(),
    ...headers,
    visitor: withoutApp(visitor),
    loggedIn: loggedIn && { ...loggedIn, person: withoutApp(loggedIn.person) },
    guest: guest && withoutApp(guest),
    reader: withoutApp(reader),
  }
}

/** The same request in the thread, which reads what its own app reads. */
export function requestFrom(app: App, asked: AskedPage): ReaderPageRequest {
  const { loggedIn, guest } = asked
  return {
    ...asked.plain,
    app,
    visitor: { ...asked.visitor, app },
    words: wordsFor(asked.acceptLanguage, app.settings.timeZone, loggedIn?.written),
    query: new URLSearchParams(asked.query),
    form: new URLSearchParams(asked.form),
    files: [],
    loggedIn: loggedIn && { ...loggedIn, person: { ...loggedIn.person, app } },
    guest: guest && { ...guest, app },
    reader: { ...asked.reader, app },
    pendingLogin: null,
    isInFrame: false,
    framedBy: null,
    warn: () => {},
  }
}

function withoutApp<T extends { readonly app: App }>({ app: _, ...rest }: T): WithoutApp<T> {
  return rest as WithoutApp<T>
}
