/** Stores what people have noted of the sites and reviews of an exported account. */

import type { Insertable } from 'kysely'
import type { ReviewMarkRow } from '../../store/rows/dashboard.ts'
import type { TransferRow } from './read-record.ts'
import { isOf, notOfAccount } from './same-account.ts'
import type { StoreOutcome, Storing } from './storing.ts'

export async function storeAnnotation(work: Storing, row: TransferRow): Promise<StoreOutcome> {
  const { tx } = work
  const { account_id, day, text, site_id, created_at } = row as {
    account_id: number
    day: string
    text: string
    site_id: number | null
    created_at: string
  }
  if (site_id !== null && !(await isOf(work, 'sites', account_id, site_id))) return notOfAccount(text, 'site')
  const same = tx.selectFrom('annotations').select('site_id').where('account_id', '=', account_id).where('day', '=', day)
  const known = await same.where('text', '=', text).where('created_at', '=', created_at).execute()
  if (known.some((one) => one.site_id === site_id)) return 'unchanged'
  await tx
    .insertInto('annotations')
    .values(row as never)
    .execute()
  return 'created'
}

/** What was noted here meanwhile stays. */
export async function storeReviewMark(work: Storing, row: TransferRow): Promise<StoreOutcome> {
  const mark = row as unknown as Insertable<ReviewMarkRow>
  if (!(await isOf(work, 'sites', mark.account_id, mark.site_id))) return notOfAccount(mark.review_hash, 'site')
  const here = work.tx.selectFrom('review_marks').select('id').where('site_id', '=', mark.site_id).where('source', '=', mark.source)
  if ((await here.where('review_hash', '=', mark.review_hash).executeTakeFirst()) !== undefined) return 'unchanged'
  await work.tx.insertInto('review_marks').values(mark).execute()
  return 'created'
}
