/** Share links whose maker may no longer share the site: who looks after the account is told, and they end after 14 days unless somebody who may share it takes them over. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import { sendsMail } from '../../lib/network/smtp.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import type { OperatorCaller, PersonCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { queueMail } from '../mail/queue.ts'
import { isLinkLive, lostBefore } from './share-link-ends.ts'
import { makerOf, readMaker } from './share-link-makers.ts'
import { ownSite, recordLink, shownLink, sitesSharedBy } from './share-links.ts'
import { whomToTell } from './whom-to-tell.ts'

export interface LostLinksPayload {
  readonly maker_id: number
}

/** The link has a new maker from now on. */
export function takeOverShareLink(caller: PersonCaller, siteId: number, id: number): Promise<void> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'sites', siteId)
    const site = await ownSite(caller, tx, siteId)
    const links = tx.selectFrom('share_links').selectAll().where('site_id', '=', site.id).where('id', '=', id)
    const link = (await links.executeTakeFirst()) ?? notFound('link')
    if (!isLinkLive(link, caller.app.clock.now())) refuse('conflict', 'The link has ended: make a new one')
    if (link.created_by === caller.userId) return
    const maker = link.created_by === null ? null : await makerOf(tx, caller, siteId, link.created_by)
    if (maker === null || maker.mayShare) refuse('conflict', 'Whoever made the link may still share the site: it stays theirs')
    const kept = { created_by: caller.userId, needs_maker: 1, maker_lost_at: null } as const
    await tx.updateTable('share_links').set(kept).where('id', '=', id).execute()
    await recordLink(tx, caller, 'site.take_over_link', site, shownLink(link))
  })
}

export async function isAnyMakerNeeded({ store, clock }: App): Promise<boolean> {
  return (await heldLinks(store.db, clock.now()).select('share_links.id').limit(1).executeTakeFirst()) !== undefined
}

/** Notes since when makers may no longer share what they have shared; whoever may again within the 14 days keeps the link. */
export async function noteLostLinks(operator: OperatorCaller, signal: AbortSignal): Promise<void> {
  const { store, clock } = operator.app
  const held = heldLinks(store.db, clock.now()).innerJoin('sites', 'sites.id', 'share_links.site_id')
  const makers = await held
    .innerJoin('accounts', 'accounts.id', 'sites.account_id')
    .select(['share_links.created_by as makerId', 'sites.account_id as accountId', 'accounts.partner_id as partnerId'])
    .distinct()
    .execute()
  for (const { makerId, accountId, partnerId } of makers) {
    if (signal.aborted) return
    if (makerId !== null && partnerId !== null) await noteLostOf(operator, { makerId, accountId, partnerId })
  }
}

/** Those that end soon, for the mail. */
export async function readLostLinks({ store, clock }: App, accountId: number, makerId: number) {
  const links = await heldLinks(store.db, clock.now())
    .innerJoin('sites', 'sites.id', 'share_links.site_id')
    .select(['share_links.site_id', 'domain', 'label', 'maker_lost_at'])
    .where('sites.account_id', '=', accountId)
    .where('created_by', '=', makerId)
    .where('maker_lost_at', 'is not', null)
    .orderBy('domain')
    .orderBy('share_links.id')
    .limit(mostTold)
    .execute()
  return links.flatMap(({ maker_lost_at, ...link }) => (maker_lost_at === null ? [] : [{ ...link, lostAt: maker_lost_at }]))
}

const mostTold = 50

interface Made {
  readonly makerId: number
  readonly accountId: number
  readonly partnerId: number
}

async function noteLostOf(operator: OperatorCaller, { makerId, accountId, partnerId }: Made): Promise<void> {
  const { app, requestId } = operator
  const now = app.clock.now()
  await app.store.write(async (tx) => {
    const maker = await readMaker(tx, { app, requestId, partnerId }, makerId)
    const sites = tx.selectFrom('sites').select('id').where('account_id', '=', accountId)
    const own = tx.updateTable('share_links').where('created_by', '=', makerId).where('needs_maker', '=', 1).where('site_id', 'in', sites)
    const shared = maker.person === null ? null : sitesSharedBy(maker.person, tx).clearSelect().select('sites.id')
    if (shared !== null)
      await own.set({ maker_lost_at: null }).where('maker_lost_at', '>', lostBefore(now)).where('site_id', 'in', shared).execute()
    const lost = await own
      .set({ maker_lost_at: now })
      .where('maker_lost_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .$if(shared !== null, (rows) => rows.where('site_id', 'not in', shared as NonNullable<typeof shared>))
      .returning('id')
      .execute()
    if (lost.length > 0) await tell(tx, app, { makerId, accountId, partnerId }, now)
  })
}

async function tell(tx: Kysely<Tables>, app: App, { makerId, accountId, partnerId }: Made, now: string): Promise<void> {
  const recipient = sendsMail(app.settings) ? await whomToTell(tx, { accountId, partnerId, exceptId: makerId }) : null
  const payload: LostLinksPayload = { maker_id: makerId }
  const key = `lost_links:${accountId}:${makerId}:${now}`
  if (recipient !== null) await queueMail(tx, app, { key, kind: 'lost_links', account_id: accountId, recipient, payload })
}

/** Live links that end when their maker may no longer share the site. */
function heldLinks(db: Kysely<Tables>, now: string) {
  return db
    .selectFrom('share_links')
    .where('needs_maker', '=', 1)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('created_by', 'is not', null)
    .where((row) => row.or([row('maker_lost_at', 'is', null), row('maker_lost_at', '>', lostBefore(now))]))
}
