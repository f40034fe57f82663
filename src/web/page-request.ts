/** Everything that a page knows about its request: the person, the host name, and the reader's language. */

import type { FieldError } from '../lib/failures.ts'
import type { Html } from '../lib/html.ts'
import type { App } from '../model/core/app.ts'
import type { GuestCaller, ReaderCaller, SeeingCaller } from '../model/core/caller.ts'
import { type Brand, brandOf } from '../model/partners/brands.ts'
import type { EndedSession, LoggedIn } from '../model/people/sessions.ts'
import type { Visitor } from '../model/people/visitor.ts'
import type { Words } from './components/number-format.ts'
import type { Cookie } from './cookies.ts'
import type { DroppedFile } from './dropped-files.ts'

export interface PageRequest {
  readonly app: App
  readonly visitor: Visitor
  readonly words: Words
  readonly brand: Brand | null
  readonly theme: 'light' | 'dark' | null
  readonly path: string
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly form: URLSearchParams
  /** What a form brought beside its fields. */
  readonly files: readonly DroppedFile[]
  /** The token that every form contains. */
  readonly formToken: string
  /** False for an unencrypted connection, over which browsers drop our cookies. */
  readonly isPrivate: boolean
  /** Whether the browser is on this machine, over plain HTTP. */
  readonly hasPlainCookies: boolean
  readonly loggedIn: LoggedIn | null
  /** How the session ended whose cookie the browser still has. */
  readonly lostSession: EndedSession | null
  /** Whether the person has a choice of sites; with a single one there is nothing to find. */
  readonly hasManySites: boolean
  /** The token of a login that awaits the code of a second factor. */
  readonly pendingLogin: string | null
  /** What the form before this page left to be told once. */
  readonly told: string | null
  /** The guest of a share link. */
  readonly guest: GuestCaller | null
  /** Whether the browser shows the answer in a frame. */
  readonly isInFrame: boolean
  /** The hosts whose pages may show this one in a frame; null where nobody may. */
  readonly framedBy: readonly string[] | null
  /** What was wrong with the form that this page is the answer to. */
  readonly wrong: string | null
  /** What was wrong with its fields. */
  readonly faults: readonly FieldError[]
  /** Logs what fails after the page was sent. */
  readonly warn: (error: unknown, sentence: string) => void
}

/** A request of a person who has logged in. */
export interface PersonPageRequest extends ReaderPageRequest {
  readonly reader: SeeingCaller
  readonly loggedIn: LoggedIn
}

/** A request of someone who may see the pages of a site: a person who has logged in, or a guest with a share link. */
export interface ReaderPageRequest extends PageRequest {
  readonly reader: ReaderCaller
}

export interface PageAnswer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly Cookie[]
  /** Set if a form was refused: its page is shown again with this sentence. */
  readonly wrong?: string
  /** What is said beside its fields. */
  readonly faults?: readonly FieldError[]
  /** An iterable is streamed; only reader threads make one. */
  readonly body: Html | string | Uint8Array | AsyncIterable<string | Uint8Array>
}

/** The same request in the brand of an account, for pages that know the account by a token before anybody has logged in. */
export async function inBrandOf(request: PageRequest, whose: { partnerId: number; accountId: number }): Promise<PageRequest> {
  return { ...request, brand: (await brandOf(request.app, whose)) ?? null }
}

export function redirect(to: string, cookies: readonly Cookie[] = []): PageAnswer {
  return { status: 303, headers: { location: to }, cookies, body: '' }
}

/** The same page with some of its query changed; null removes a parameter. */
export function hrefWith(request: PageRequest, changes: Readonly<Record<string, string | null>>, path = request.path): string {
  const query = new URLSearchParams(request.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** A path on this host to return to after the login; never another host. */
export function localPath(text: string | null): string {
  return text !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\') ? text : '/'
}
