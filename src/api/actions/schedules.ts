/** Report schedules of an account: listed, shown, created, changed, deleted. */

import { complete, readDraft } from '../../fields/read.ts'
import { invalid } from '../../lib/failures.ts'
import { textKinds } from '../../lib/text-kinds.ts'
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findSchedule,
  listSchedules,
  type ScheduleWishes,
} from '../../model/mail/schedules.ts'
import { findAccount } from '../../model/partners/accounts.ts'
import { type ChangedSchedule, changedSchedule, newSchedule } from '../../resources/schedule.ts'
import type { Call } from '../endpoint.ts'

const mostSites = 200

export function index({ caller, ids: [account] }: Call) {
  return listSchedules(caller, account)
}

export function show({ caller, ids: [account, id = 0] }: Call) {
  return findSchedule(caller, account, id)
}

export async function create({ caller, ids: [account], body }: Call) {
  await findAccount(caller, account)
  const wanted = complete(newSchedule, readDraft(newSchedule, body))
  const { recipients = [], siteIds = null } = wishesOf(wanted)
  return createSchedule(caller, account, { rhythm: wanted.rhythm, recipients, siteIds, ...(wanted.release && { release: wanted.release }) })
}

export async function change({ caller, ids: [account, id = 0], body }: Call) {
  await findSchedule(caller, account, id)
  return changeSchedule(caller, account, id, wishesOf(complete(changedSchedule, readDraft(changedSchedule, body))))
}

export function remove({ caller, ids: [account, id = 0] }: Call) {
  return deleteSchedule(caller, account, id)
}

/** Lists are comma-separated text, so that XML, JSON and forms write them alike. */
function wishesOf({ rhythm, recipients, site_ids, release }: ChangedSchedule): Partial<ScheduleWishes> {
  return {
    ...(rhythm !== undefined && { rhythm }),
    ...(recipients !== undefined && { recipients: recipients.split(',') }),
    ...(site_ids !== undefined && { siteIds: site_ids === '' ? null : idsIn(site_ids) }),
    ...(release !== undefined && { release }),
  }
}

function idsIn(text: string): readonly number[] {
  return textKinds.idList(mostSites).read(text) ?? invalid([{ field: 'site_ids', code: 'invalid' }])
}
