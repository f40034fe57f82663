/** What the API answered a partner last, for its admins: the log that is written beside the answers. */

import type { Selectable } from 'kysely'
import { notFound, refuse } from '../../../lib/failures.ts'
import type { RequestRow } from '../../../store/rows/processes.ts'
import type { StaffCaller } from '../../core/caller.ts'

export type LoggedRequest = Selectable<RequestRow>

export interface WantedRequests {
  readonly areRefusals: boolean
  readonly status: number | null
  /** A part of it. */
  readonly path: string
  /** The part of a key that may be shown. */
  readonly key: string
  readonly requestId: string
  /** Only those noted before this one. */
  readonly before: number | null
}

export const requestsAtOnce = 100

/** The newest first; one more than are shown tells that there are older ones. */
export function listRequests(staff: StaffCaller, wanted: WantedRequests): Promise<LoggedRequest[]> {
  const { areRefusals, status, path, key, requestId, before } = wanted
  return requestsOf(staff)
    .selectAll()
    .$if(areRefusals, (rows) => rows.where('is_refused', '=', 1))
    .$if(status !== null, (rows) => rows.where('status', '=', status))
    .$if(path !== '', (rows) => rows.where('path', 'like', `%${path.replaceAll(/[%_]/g, '_')}%`))
    .$if(key !== '', (rows) => rows.where('public_part', '=', key))
    .$if(requestId !== '', (rows) => rows.where('request_id', '=', requestId))
    .$if(before !== null, (rows) => rows.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(requestsAtOnce + 1)
    .execute()
}

export async function findRequest(staff: StaffCaller, id: number): Promise<LoggedRequest> {
  return (await requestsOf(staff).selectAll().where('id', '=', id).executeTakeFirst()) ?? notFound('page')
}

/** The keys that are in the log, each with what it is for; the one used last comes first. */
export async function keysInLog(staff: StaffCaller): Promise<{ public_part: string; label: string }[]> {
  const used = requestsOf(staff).select('public_part').distinct()
  return staff.app.store.db
    .selectFrom('keys')
    .select(['public_part', 'label'])
    .where('partner_id', '=', staff.partnerId)
    .where('public_part', 'in', used.$castTo<{ public_part: string }>())
    .orderBy('id', 'desc')
    .limit(mostKeys)
    .execute()
}

const mostKeys = 200

function requestsOf({ app, partnerId, role }: StaffCaller) {
  if (role !== 'admin') refuse('forbidden', 'Only an admin of the staff may see that')
  return app.store.db.selectFrom('requests').where('partner_id', '=', partnerId)
}
