/** The partner's own ids, stored beside the records so that the records of the interface get no new field. */

import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../fields/read.ts'
import { invalid } from '../../lib/failures.ts'
import { scrub } from '../../lib/xml/xml.ts'
import { type ExternalId, type NewExternalId, newExternalId } from '../../resources/external-id.ts'
import type { ExternalIdRow, Tables } from '../../store/rows/tables.ts'
import { audit } from './audit.ts'
import type { PartnerCaller, StaffCaller } from './caller.ts'
import type { Managing } from './tenancy.ts'
import { change, refuseMeanwhile } from './transaction.ts'

export type ExternalKind = ExternalIdRow['kind']

export async function readExternalId(caller: Managing, kind: ExternalKind, id: number): Promise<ExternalId> {
  return { id, external_id: await externalIdIn(caller.app.store.db, kind, id) }
}

/**
 * The calling function must have checked that the caller reaches the record. With `was`, refused if it has another id by now. A repetition changes
 * nothing.
 */
export async function setExternalId(
  caller: PartnerCaller | StaffCaller,
  kind: ExternalKind,
  id: number,
  draft: Draft<NewExternalId>,
  was?: string,
): Promise<ExternalId> {
  const wanted = complete(newExternalId, draft).external_id || null
  return change(caller, async (tx) => {
    const before = await externalIdIn(tx, kind, id)
    if (was !== undefined && was !== (before ?? '')) refuseMeanwhile()
    if (before === wanted) return { id, external_id: wanted }
    await forgetExternalId(tx, kind, id)
    if (wanted !== null) await insert(tx, caller.partnerId, kind, id, wanted)
    await audit(tx, caller, `${kind}.external_id`, subjectOf(kind, id), { before: { external_id: before }, after: { external_id: wanted } })
    return { id, external_id: wanted }
  })
}

/** Stores the external id of a record that is being created, in the same transaction. The operator has external ids only of a partner that is told. */
export async function nameRecord(
  tx: Kysely<Tables>,
  caller: Managing,
  kind: ExternalKind,
  id: number,
  external_id: string | undefined,
  partnerId = partnerOf(caller),
): Promise<void> {
  if (external_id === undefined || partnerId === undefined) return
  await insert(tx, partnerId, kind, id, external_id)
  await audit(tx, caller, `${kind}.external_id`, subjectOf(kind, id), { after: { external_id } })
}

/** The number of an account is in its history. */
function subjectOf(kind: ExternalKind, id: number) {
  return kind === 'account' ? { id, account_id: id } : { id }
}

/** The id of the record with this external id; 0, which no record has, if there is none. */
export async function recordCalled(caller: Managing, kind: ExternalKind, name: string, partnerId = partnerOf(caller)): Promise<number> {
  if (partnerId === undefined) return 0
  const found = await caller.app.store.db
    .selectFrom('external_ids')
    .select('record_id')
    .where('partner_id', '=', partnerId)
    .where('kind', '=', kind)
    .where('external_id', '=', scrub(name).trim())
    .executeTakeFirst()
  return found?.record_id ?? 0
}

function partnerOf(caller: Managing): number | undefined {
  return caller.kind === 'operator' ? undefined : caller.partnerId
}

/** Of a list that may be narrowed to the record of an external id: which one that is. */
export async function recordNarrowed(caller: Managing, kind: ExternalKind, name: string | undefined): Promise<number | undefined> {
  return name === undefined ? undefined : recordCalled(caller, kind, name)
}

export async function forgetExternalId(tx: Kysely<Tables>, kind: ExternalKind, id: number): Promise<void> {
  await tx.deleteFrom('external_ids').where('kind', '=', kind).where('record_id', '=', id).execute()
}

async function insert(tx: Kysely<Tables>, partner_id: number, kind: ExternalKind, id: number, external_id: string): Promise<void> {
  const row = { partner_id, kind, external_id, record_id: id }
  const taken = await tx
    .insertInto('external_ids')
    .values(row)
    .onConflict((on) => on.columns(['partner_id', 'kind', 'external_id']).doNothing())
    .returning('record_id')
    .executeTakeFirst()
  if (taken === undefined) invalid([{ field: 'external_id', code: 'taken' }])
}

async function externalIdIn(db: Kysely<Tables>, kind: ExternalKind, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('external_ids')
    .select('external_id')
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .executeTakeFirst()
  return row?.external_id ?? null
}
