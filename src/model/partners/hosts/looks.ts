/** Looks at the records of named hosts: when somebody asks, and by itself. */

import { randomUUID } from 'node:crypto'
import { notFound } from '../../../lib/failures.ts'
import { textRecords } from '../../../lib/network/text-records.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import type { NamedHostRow } from '../../../store/rows/partners.ts'
import type { App } from '../../core/app.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { proofRecordOf, refuseMembers } from './named-hosts.ts'
import { keepLook } from './proofs.ts'

const leastSeconds = 10
const atOnce = 20

type Looked = Pick<NamedHostRow, 'partner_id' | 'host_name' | 'token'>

/** Looks at most once in ten seconds; whoever asks more often is told what was seen then. */
export async function lookAgain(staff: StaffCaller, host: string): Promise<void> {
  refuseMembers(staff)
  const { app, partnerId, requestId } = staff
  const now = app.clock.now()
  const rows = app.store.db.selectFrom('named_hosts').select('token').where('partner_id', '=', partnerId).where('host_name', '=', host)
  const known = (await rows.executeTakeFirst()) ?? notFound('host')
  const claimed = await app.store.write((tx) =>
    tx
      .updateTable('named_hosts')
      .set({ looked_at: now })
      .where('partner_id', '=', partnerId)
      .where('host_name', '=', host)
      .where((row) => row.or([row('looked_at', 'is', null), row('looked_at', '<=', secondsAfter(now, -leastSeconds))]))
      .returning('host_name')
      .executeTakeFirst(),
  )
  if (claimed !== undefined) await look({ app, requestId }, { partner_id: partnerId, host_name: host, ...known })
}

export async function isAnyLookDue(app: App): Promise<boolean> {
  return (await due(app).limit(1).executeTakeFirst()) !== undefined
}

/** A few at a time; the others follow in the next round. */
export async function lookAtDueHosts(app: App): Promise<void> {
  const hosts = await due(app).limit(atOnce).execute()
  await Promise.all(hosts.map((host) => look({ app, requestId: randomUUID() }, host)))
}

function due({ store, clock }: App) {
  return store.db
    .selectFrom('named_hosts')
    .innerJoin('partners', 'partners.id', 'named_hosts.partner_id')
    .select(['partner_id', 'host_name', 'token'])
    .where('look_at', '<=', clock.now())
    .where('partners.state', '=', 'active')
    .orderBy('look_at')
}

async function look(by: { readonly app: App; readonly requestId: string }, host: Looked): Promise<void> {
  const { name, value } = proofRecordOf(host)
  const records = await textRecords(name, by.app.settings.dnsServers)
  await keepLook(by, host, records === null ? 'unknown' : records.includes(value) ? 'found' : 'absent')
}
