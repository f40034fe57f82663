/** Logos that an admin has uploaded and looks at before they are saved; each partner has one draft of each kind at most. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { BrandDraftRow } from '../../store/rows/partners.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { StaffCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { setBrand } from './brand-changes.ts'
import { checkedPicture } from './brand-checks.ts'
import { findPicture } from './brands.ts'

export type LogoKind = BrandDraftRow['kind']

export const logoNames = { logo: 'logo', dark_logo: 'dark logo' } as const

/** The ids of the pictures that are looked at. */
export type DraftLogos = Readonly<Partial<Record<LogoKind, string>>>

export async function listDrafts(staff: StaffCaller): Promise<DraftLogos> {
  const rows = staff.app.store.db.selectFrom('brand_drafts').select(['kind', 'picture_id']).where('partner_id', '=', staff.partnerId)
  return Object.fromEntries((await rows.execute()).map(({ kind, picture_id }) => [kind, picture_id]))
}

/** Changes nothing that others see. */
export function keepDraft(staff: StaffCaller, kind: LogoKind, bytes: Uint8Array): Promise<void> {
  refuseMembers(staff)
  const [id, type] = [randomBytes(16).toString('base64url'), checkedPicture(logoNames[kind], bytes)]
  return change(staff, async (tx) => {
    await staff.app.store.lock(tx, 'partners', staff.partnerId)
    await dropDrafts(tx, staff, [kind])
    await tx.insertInto('brand_pictures').values({ id, type, bytes }).execute()
    const row = { partner_id: staff.partnerId, kind, picture_id: id, created_at: staff.app.clock.now() }
    await tx.insertInto('brand_drafts').values(row).execute()
  })
}

export function discardDrafts(staff: StaffCaller): Promise<void> {
  refuseMembers(staff)
  return change(staff, (tx) => dropDrafts(tx, staff, ['logo', 'dark_logo']))
}

/** Everybody sees what was looked at; `was` is the version of the brand beside which it was. */
export async function saveDrafts(staff: StaffCaller, was: string): Promise<void> {
  const { logo, dark_logo } = await listDrafts(staff)
  const bytesOf = async (id: string) => (await findPicture(staff.app, id)).bytes
  const wishes = { ...(logo && { logo: await bytesOf(logo) }), ...(dark_logo && { darkLogo: await bytesOf(dark_logo) }) }
  await setBrand(staff, staff.partnerId, wishes, was)
  await discardDrafts(staff)
}

async function dropDrafts(tx: Kysely<Tables>, { partnerId }: StaffCaller, kinds: readonly LogoKind[]): Promise<void> {
  const rows = tx.deleteFrom('brand_drafts').where('partner_id', '=', partnerId).where('kind', 'in', kinds)
  const gone = (await rows.returning('picture_id').execute()).map(({ picture_id }) => picture_id)
  if (gone.length > 0) await tx.deleteFrom('brand_pictures').where('id', 'in', gone).execute()
}

function refuseMembers({ role }: StaffCaller): void {
  if (role !== 'admin') refuse('forbidden', 'Only an admin concerns themselves with the brand')
}
