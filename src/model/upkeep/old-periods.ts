/** Figures of periods that are over for long: a period is as old as its last day. */

import { livingIn } from '../../store/living-owners.ts'
import type { App } from '../core/app.ts'
import { padded } from '../imports/batches.ts'

const keywordsAtOnce = 100

/** How many of an account ended before a day, and on which day the first of them began. */
export async function countOldPeriods({ store }: App, accountId: number, before: string) {
  const { count, first } = await store.db
    .selectFrom('periods')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min<string | null>('start_date').as('first')])
    .where('account_id', '=', accountId)
    .where('end_date', '<', before)
    .where('keyword_id', 'in', livingIn(store.db, 'keywords', accountId))
    .executeTakeFirstOrThrow()
  return { count: Number(count), first: first === null ? Number.POSITIVE_INFINITY : Date.parse(first) / 1000 }
}

/** In small transactions. No report of the interface has periods, so none gets a new version. */
export async function removeOldPeriods(app: App, accountId: number, before: string): Promise<void> {
  for (let some = true; some; ) some = await removeSome(app, accountId, before)
}

function removeSome({ store }: App, accountId: number, before: string): Promise<boolean> {
  return store.write(async (tx) => {
    const old = tx.selectFrom('periods').select('keyword_id').distinct().where('account_id', '=', accountId).where('end_date', '<', before)
    const keywords = (await old.limit(keywordsAtOnce).execute()).map(({ keyword_id }) => keyword_id)
    if (keywords.length === 0) return false
    await tx
      .deleteFrom('periods')
      .where('account_id', '=', accountId)
      .where('keyword_id', 'in', padded(keywords))
      .where('end_date', '<', before)
      .execute()
    return true
  })
}
