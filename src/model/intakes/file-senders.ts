/** Who sent a file that waits: a program with its key, or somebody of the staff. */

import type { App } from '../core/app.ts'
import type { PartnerCaller, StaffCaller } from '../core/caller.ts'

export type FileSender = PartnerCaller | StaffCaller

/** As it is stored with the task. */
export interface KeptSender {
  readonly key?: Pick<PartnerCaller, 'accountId' | 'accountIds' | 'keyId' | 'keyName' | 'requestId'>
  readonly staff?: Pick<StaffCaller, 'accountId' | 'userId' | 'role' | 'requestId'>
  /** How often the partner may learn that a name is taken; absent in tasks of earlier versions. */
  readonly takenPerHour?: number
}

/** The work is done as the key or the person that sent the file. */
export function senderOf(app: App, partnerId: number, { key, staff, takenPerHour = 0 }: KeptSender): FileSender {
  if (key !== undefined) return callerOf(app, partnerId, key, takenPerHour)
  if (staff === undefined) throw new Error('Somebody sent the file.')
  // What they reached was asked when the file came: a customer that a colleague took over since then still gets it.
  return { kind: 'staff', app, partnerId, ...staff, customers: 'all' }
}

export function callerOf(app: App, partnerId: number, key: NonNullable<KeptSender['key']>, takenPerHour = 0): PartnerCaller {
  return {
    kind: 'partner',
    app,
    partnerId,
    ...key,
    scopes: ['ingest'],
    hasPassword: true,
    mayReadWithKeyAlone: false,
    mayWriteDirectly: false,
    names: null,
    series: null,
    limits: { readsPerMinute: 0, writesPerMinute: 0, takenPerHour },
  }
}

export function keptSender(caller: FileSender): KeptSender {
  const { accountId, requestId } = caller
  switch (caller.kind) {
    case 'partner':
      return {
        key: { accountId, accountIds: caller.accountIds, keyId: caller.keyId, keyName: caller.keyName, requestId },
        takenPerHour: caller.limits.takenPerHour,
      }
    case 'staff':
      return { staff: { accountId, userId: caller.userId, role: caller.role, requestId } }
  }
}
