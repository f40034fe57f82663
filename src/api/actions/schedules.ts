/** Report schedules of an account: listed, shown, created, changed, deleted; and the addresses that get no mail of the partner. */

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
import { endSuppression, findSuppression, listSuppressions } from '../../model/mail/suppressions.ts'
import { findAccount } from '../../model/partners/accounts.ts'
import { type ChangedSchedule, changedSchedule, newSchedule } from '../../resources/schedule.ts'
import type { Call } from '../endpoint.ts'
import type { suppressionFilters } from '../parameters.ts'

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

export function suppressions({ caller, query: { after, ...narrow } }: Call<typeof suppressionFilters>) {
  return listSuppressions(caller, caller.partnerId, after, narrow)
}

export function showSuppression({ caller, ids: [id] }: Call) {
  return findSuppression(caller, caller.partnerId, id)
}

export function endSuppressed({ caller, ids: [id] }: Call) {
  return endSuppression(caller, caller.partnerId, id)
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
