/** The mail as its recipients will get it: the very HTML of it, by itself in the window. */

import { idIn } from '../../../../lib/text-kinds.ts'
import { dayIn } from '../../../../lib/time/days.ts'
import { openMailing } from '../../../../model/dashboard/desk/mailing.ts'
import { lastPeriod, periodNamed } from '../../../../model/mail/periods.ts'
import { staffCallerOf } from '../../../../model/people/staff/staff-rules.ts'
import type { PageAnswer, PersonPageRequest } from '../../../page-request.ts'

/** A mail has its styles at each element and its pictures in it. It runs and loads nothing, and no form of it goes anywhere. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-top-navigation"

export async function showPreview(request: PersonPageRequest): Promise<PageAnswer> {
  const { app, params, query } = request
  const { customer, schedule } = await openMailing(staffCallerOf(request.loggedIn.person), idIn(params['schedule_id']))
  const period = periodNamed(query.get('period') ?? '') ?? lastPeriod(schedule.rhythm, dayIn('UTC', app.clock.now()))
  // The code that draws takes 16 MB, and most threads never show a mail.
  const { previewOf } = await import('../../../letters/preview.ts')
  const body = await previewOf(app, customer.id, { schedule_id: schedule.id, from: period.from, to: period.to })
  return { headers: { 'content-security-policy': policy }, body }
}
