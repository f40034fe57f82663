/** The hosts that admins name: one for the pages of their partner, others whose own pages may show share links; each counts once a record in the DNS proves whose it is. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '../../../lib/failures.ts'
import type { NamedHostRow } from '../../../store/rows/partners.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'
import { checkedHost } from '../brand-checks.ts'
import { forgetUnusedHosts, placeHost } from './placed-hosts.ts'
import { settle } from './proofs.ts'

const mostHosts = 20

export interface NamedHost extends Omit<NamedHostRow, 'for_frames' | 'partner_id' | 'token' | 'look_at'> {
  readonly for_frames: 0 | 1
  /** What the partner publishes. */
  readonly record: { readonly name: string; readonly value: string }
}

/** A host may lead elsewhere by an alias, which leaves no room for other records, so that ours stands below it. */
export function proofRecordOf({ host_name, token }: Pick<NamedHostRow, 'host_name' | 'token'>): NamedHost['record'] {
  return { name: `_marquee.${host_name}`, value: `marquee-proof=${token}` }
}

export async function listNamedHosts(staff: StaffCaller): Promise<NamedHost[]> {
  refuseMembers(staff)
  const rows = await staff.app.store.db
    .selectFrom('named_hosts')
    .selectAll()
    .where('partner_id', '=', staff.partnerId)
    .orderBy('created_at')
    .orderBy('host_name')
    .execute()
  return rows.map(({ partner_id: _, token, look_at: __, ...row }) => ({ ...row, record: proofRecordOf({ ...row, token }) }))
}

/** What was served goes on until the new one is proved. A repetition changes nothing and records nothing. */
export function namePagesHost(staff: StaffCaller, given: string): Promise<void> {
  refuseMembers(staff)
  const host_name = checkedHost(given)
  if (host_name === new URL(staff.app.settings.baseUrl).hostname)
    refuse('bad_request', 'This is the address of the service itself, where your pages are without a host of your own')
  return change(staff, async (tx) => {
    const known = await lockedHosts(tx, staff)
    const here = known.find((row) => row.host_name === host_name)
    const isNew = here?.for_pages !== 'wanted' && here?.for_pages !== 'served'
    const others = known.filter((row) => row.for_pages === 'wanted' && row.host_name !== host_name)
    if (!isNew && others.length === 0) return
    const own = tx.updateTable('named_hosts').where('partner_id', '=', staff.partnerId)
    await own.set({ for_pages: null }).where('for_pages', '=', 'wanted').where('host_name', '!=', host_name).execute()
    if (here === undefined) await insertHost(tx, staff, known.length, { host_name, for_pages: 'wanted', for_frames: 0 })
    else if (isNew) await own.set({ for_pages: 'wanted' }).where('host_name', '=', host_name).execute()
    await forgetUnusedHosts(tx, staff.partnerId)
    await audit(tx, staff, 'partner.host', { id: staff.partnerId }, { after: { host_name } })
    await settle(tx, staff.app, staff.requestId, staff.partnerId)
  })
}

/** The pages are at the address of the service again. What the operator has set stays. */
export function removePagesHost(staff: StaffCaller): Promise<void> {
  refuseMembers(staff)
  return change(staff, async (tx) => {
    const named = (await lockedHosts(tx, staff)).filter(({ for_pages }) => for_pages !== null)
    if (named.length === 0) return
    const rows = tx.updateTable('named_hosts').set({ for_pages: null }).where('partner_id', '=', staff.partnerId)
    await rows.where('for_pages', 'is not', null).execute()
    await forgetUnusedHosts(tx, staff.partnerId)
    if (named.some(({ for_pages }) => for_pages === 'served')) await placeHost(tx, staff.app, staff.partnerId, null)
    await audit(tx, staff, 'partner.host', { id: staff.partnerId }, { after: { host_name: null } })
  })
}

/** The host of an origin such as `https://www.acme.example`, at whose pages share links may be shown in a frame. A repetition changes nothing and records nothing. */
export function nameFramesHost(staff: StaffCaller, given: string): Promise<void> {
  refuseMembers(staff)
  const host_name = checkedOrigin(given)
  return change(staff, async (tx) => {
    const known = await lockedHosts(tx, staff)
    const here = known.find((row) => row.host_name === host_name)
    if (here?.for_frames === 1) return
    if (here === undefined) await insertHost(tx, staff, known.length, { host_name, for_pages: null, for_frames: 1 })
    else await hostOf(tx, staff, host_name).set({ for_frames: 1 }).execute()
    await audit(tx, staff, 'partner.frames', { id: staff.partnerId }, { after: { host_name } })
  })
}

/** Nothing of ours is shown there any more. */
export function removeFramesHost(staff: StaffCaller, host_name: string): Promise<void> {
  refuseMembers(staff)
  return change(staff, async (tx) => {
    const known = (await lockedHosts(tx, staff)).find((row) => row.host_name === host_name)
    if (known?.for_frames !== 1) return
    await hostOf(tx, staff, host_name).set({ for_frames: 0 }).execute()
    await forgetUnusedHosts(tx, staff.partnerId)
    await audit(tx, staff, 'partner.frames', { id: staff.partnerId }, { before: { host_name } })
  })
}

function checkedOrigin(given: string): string {
  const [, host] = /^https:\/\/([^/:?#@]+)\/?$/i.exec(given.trim()) ?? []
  return host === undefined
    ? refuse('bad_request', 'Write the beginning of an address such as https://www.acme.example, without port or path')
    : checkedHost(host)
}

function hostOf(tx: Kysely<Tables>, { partnerId }: StaffCaller, host_name: string) {
  return tx.updateTable('named_hosts').where('partner_id', '=', partnerId).where('host_name', '=', host_name)
}

export function refuseMembers(staff: StaffCaller): void {
  if (staff.role !== 'admin') refuse('forbidden', 'Only an admin names hosts')
}

async function lockedHosts(tx: Kysely<Tables>, { app, partnerId }: StaffCaller) {
  await app.store.lock(tx, 'partners', partnerId)
  return tx.selectFrom('named_hosts').select(['host_name', 'for_pages', 'for_frames']).where('partner_id', '=', partnerId).execute()
}

async function insertHost(
  tx: Kysely<Tables>,
  { app, partnerId }: StaffCaller,
  known: number,
  named: Pick<NamedHostRow, 'host_name' | 'for_pages'> & { for_frames: 0 | 1 },
): Promise<void> {
  if (known >= mostHosts) refuse('conflict', `At most ${mostHosts} hosts can be named: take one away first.`)
  const now = app.clock.now()
  const unseen = { seen: null, looked_at: null, proved_at: null, missing_since: null }
  const row = { partner_id: partnerId, ...named, token: randomBytes(16).toString('hex'), ...unseen, look_at: now, created_at: now }
  await tx.insertInto('named_hosts').values(row).execute()
}
