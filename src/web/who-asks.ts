/** Who asks for a page: a person, somebody of the staff who looks as a person, or the guest of a share link. */

import { idIn } from '../lib/text-kinds.ts'
import type { GuestCaller, ReaderCaller, SeeingCaller } from '../model/core/caller.ts'
import type { LoggedIn } from '../model/people/sessions.ts'
import { findGuest } from '../model/people/share-links.ts'
import { seeingCallerOf } from '../model/people/staff/seen-people.ts'
import { maySee } from '../model/people/visible-sites.ts'
import type { Visitor } from '../model/people/visitor.ts'
import type { PageRequest } from './page-request.ts'
import type { Page } from './pages.ts'

/** A person who may see the site anyway is not treated as a guest of a share link. */
export async function readerOf({ loggedIn, guest, params }: PageRequest): Promise<ReaderCaller | null> {
  const caller = whoSees(loggedIn)
  if (caller === null || guest === null || guest.siteId !== idIn(params['site_id'])) return caller ?? guest
  return caller.kind === 'view' || (await maySee(caller, guest.siteId)) ? caller : guest
}

/** The one place in which somebody of the staff who looks as a person becomes a caller that reaches what both may see. */
export function whoSees(loggedIn: LoggedIn | null): SeeingCaller | null {
  return loggedIn?.view ? seeingCallerOf(loggedIn.person, loggedIn.view) : (loggedIn?.person ?? null)
}

/** The guest of a share link in a frame of somebody else's page, where nobody is logged in and only pages of the site are shown. */
export async function guestInFrame(visitor: Visitor, here: readonly Page[], cookie: string | null): Promise<GuestCaller | null> {
  return cookie && here.some(({ to }) => to === 'reader') ? findGuest(visitor, cookie) : null
}
