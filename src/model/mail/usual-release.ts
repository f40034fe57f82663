/** Who lets the reports of new schedules go: what the partner of an account has chosen, and who of the staff may choose it. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../lib/failures.ts'
import { type Release, releaseNamed, releases, usualRelease } from '../../resources/schedule.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { changedMeanwhile } from './schedule-version.ts'

type Db = Kysely<Tables>

export async function usualReleaseOf(db: Db, accountId: number): Promise<Release> {
  const partners = db.selectFrom('accounts').innerJoin('partners', 'partners.id', 'accounts.partner_id').select('partners.release')
  return (await partners.where('accounts.id', '=', accountId).executeTakeFirst())?.release ?? usualRelease
}

/** It is of all customers, so that whoever has assigned ones does not find it. */
export function chooseUsualRelease(caller: StaffCaller, chosen: string, was: string): Promise<void> {
  if (caller.customers !== 'all') notFound('page')
  const release = releaseNamed(chosen) ?? invalid([{ field: 'release', code: 'inclusion', words: releases }])
  const { app, partnerId, accountId } = caller
  return change(caller, async (tx) => {
    await app.store.lock(tx, 'partners', partnerId)
    const before = await usualReleaseOf(tx, accountId)
    if (before !== was) changedMeanwhile()
    if (before === release) return
    await tx.updateTable('partners').set({ release, updated_at: app.clock.now() }).where('id', '=', partnerId).execute()
    await audit(tx, caller, 'partner.set', { id: partnerId }, { before: { release: before }, after: { release } })
  })
}
