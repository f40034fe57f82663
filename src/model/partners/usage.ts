/** What a partner used, day by day; a key that is limited to some accounts sees only its own use. */

import { refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { Usage, UsageDay } from '../../resources/usage.ts'
import type { PartnerCaller, StaffCaller } from '../core/caller.ts'

interface DaySpan {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

export const usualDays = 31

export async function readUsage(caller: PartnerCaller, span: DaySpan): Promise<Usage> {
  const { readsPerMinute, writesPerMinute } = caller.limits
  return {
    reads_per_minute: readsPerMinute === 0 ? null : readsPerMinute,
    writes_per_minute: writesPerMinute === 0 ? null : writesPerMinute,
    days: await readUsageDays(caller, span),
  }
}

/** The newest day first; days without use have no row. */
export function readUsageDays(caller: PartnerCaller | StaffCaller, { start_date, end_date }: DaySpan): Promise<UsageDay[]> {
  if (start_date !== undefined && end_date !== undefined && start_date > end_date)
    refuse('bad_request', 'The start_date is after the end_date')
  const last = end_date ?? caller.app.clock.now().slice(0, 10)
  return usageWithin(caller)
    .select((row) => [
      'day as date',
      row.fn.sum<number>('requests').as('requests'),
      row.fn.sum<number>('refused').as('refused'),
      row.fn.sum<number>('rate_limited').as('rate_limited'),
      row.fn.sum<number>('records').as('records'),
    ])
    .where('day', '>=', start_date ?? daysBefore(last, usualDays - 1))
    .where('day', '<=', last)
    .groupBy('day')
    .orderBy('day', 'desc')
    .execute()
}

function usageWithin(caller: PartnerCaller | StaffCaller) {
  const rows = caller.app.store.db.selectFrom('usage_days').where('partner_id', '=', caller.partnerId)
  return caller.kind === 'staff' || caller.accountIds === null ? rows : rows.where('key_id', '=', caller.keyId)
}

function daysBefore(day: string, many: number): string {
  return secondsAfter(`${day}T00:00:00Z`, -many * 86_400).slice(0, 10)
}
