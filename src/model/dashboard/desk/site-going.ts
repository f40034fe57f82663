/** What goes with a site that somebody wants to remove at the desk: counted, and never measurements. */

import { hash } from 'node:crypto'
import type { Site } from '../../../resources/site.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { refuseMeanwhile } from '../../core/transaction.ts'
import { deleteSite } from '../../partners/site-removal.ts'
import { findSite } from '../../partners/sites.ts'

export interface GoingWithSite {
  readonly site: Site
  readonly keywords: number
  readonly competitors: number
  readonly notes: number
  /** Those that still work. */
  readonly links: number
  /** Who may see this site by itself, and not with its business or account. */
  readonly people: number
  /** Differs once something of it has changed. */
  readonly state: string
}

export async function findGoingWithSite(caller: StaffCaller, siteId: number): Promise<GoingWithSite> {
  const site = await findSite(caller, siteId)
  const counts = await countGoing(caller, site)
  return { site, ...counts, state: hash('sha256', JSON.stringify([site.domain, counts]), 'base64url').slice(0, 22) }
}

/** Refused if something of it has changed since somebody looked. */
export async function removeSeenSite(caller: StaffCaller, siteId: number, seen: string): Promise<Site> {
  if ((await findGoingWithSite(caller, siteId)).state !== seen) refuseMeanwhile()
  return deleteSite(caller, siteId)
}

async function countGoing({ app }: StaffCaller, { id, account_id }: Site) {
  const { db } = app.store
  const subjects = db.selectFrom('subjects').where('subjects.account_id', '=', account_id).where('site_id', '=', id)
  const tracked = subjects.innerJoin('keywords', (join) =>
    join.onRef('keywords.subject_id', '=', 'subjects.id').onRef('keywords.account_id', '=', 'subjects.account_id'),
  )
  const notes = db.selectFrom('annotations').where('account_id', '=', account_id).where('site_id', '=', id)
  const links = db.selectFrom('share_links').where('site_id', '=', id).where('revoked_at', 'is', null)
  const seen = db.selectFrom('abilities').where('scope_type', '=', 'Site').where('scope_id', '=', id)
  return {
    keywords: many(await tracked.select(({ fn }) => fn.countAll<number>().as('many')).executeTakeFirst()),
    competitors: many(
      await subjects
        .where('domain', '!=', '')
        .select(({ fn }) => fn.countAll<number>().as('many'))
        .executeTakeFirst(),
    ),
    notes: many(await notes.select(({ fn }) => fn.countAll<number>().as('many')).executeTakeFirst()),
    links: many(
      await links
        .where('expires_at', '>', app.clock.now())
        .select(({ fn }) => fn.countAll<number>().as('many'))
        .executeTakeFirst(),
    ),
    people: many(await seen.select(({ fn }) => fn.countAll<number>().as('many')).executeTakeFirst()),
  }
}

function many(counted: { readonly many: number } | undefined): number {
  return Number(counted?.many ?? 0)
}
