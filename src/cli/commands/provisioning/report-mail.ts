/** `marquee reports`: reports mailed on a schedule, the state of each mail, and the addresses that get none. */

import { textKinds } from '../../../lib/text-kinds.ts'
import { allPages } from '../../../model/core/paging.ts'
import { lastMails, sendAgain } from '../../../model/mail/due-reports.ts'
import { createSchedule, deleteSchedule, listSchedules, type ScheduleWishes } from '../../../model/mail/schedules.ts'
import { endSuppression, listSuppressions } from '../../../model/mail/suppressions.ts'
import { releaseNamed } from '../../../resources/schedule.ts'
import type { OperatorInput, Output } from '../../command.ts'

export async function schedule({ caller, number, text }: OperatorInput): Promise<Output> {
  const release = releaseNamed(text('release'))
  const wishes: ScheduleWishes = {
    rhythm: text('every') === 'month' ? 'monthly' : 'weekly',
    siteIds: text('sites')?.split(',').map(siteId) ?? null,
    recipients: (text('to') ?? '').split(',').map((email) => email.trim()),
    ...(release && { release }),
  }
  return { document: { schedule: await createSchedule(caller, number('account') ?? 0, wishes) } }
}

/** An invalid id becomes -1, which no site has. */
function siteId(text: string): number {
  return textKinds.id.read(text.trim()) ?? -1
}

export async function unschedule({ caller, id, number }: OperatorInput): Promise<Output> {
  await deleteSchedule(caller, number('account') ?? 0, id)
  return { document: { deleted: { id } } }
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const account = number('account') ?? 0
  const [schedules, mails] = [await listSchedules(caller, account), await lastMails(caller, account)]
  return { document: { schedules, mails } }
}

/** For a period that has not been mailed, or for recipients added since. */
export async function send({ caller, id }: OperatorInput): Promise<Output> {
  const queued = await sendAgain(caller, id)
  return { document: { queued }, note: 'The running service sends them within a few seconds.' }
}

export async function suppressed({ caller, number, text }: OperatorInput): Promise<Output> {
  const email = text('email')
  const found = await allPages((after) =>
    listSuppressions(caller, number('partner') ?? 0, after, { ...(email !== undefined && { email }) }),
  )
  return { document: { suppressions: found }, columns: ['id', 'address', 'reason', 'created_at'] }
}

export async function unsuppress({ caller, id, number }: OperatorInput): Promise<Output> {
  return { document: { ended: await endSuppression(caller, number('partner') ?? 0, id) } }
}
