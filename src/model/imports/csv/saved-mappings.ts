/** Mappings that are saved by name for a partner: listed, shown, renamed and deleted. */

import { invalid, notFound } from '../../../lib/failures.ts'
import type { ImportMapping } from '../../../resources/imports/import-preset.ts'
import { audit } from '../../core/audit.ts'
import type { Managing } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import type { MappingWords } from './mappings.ts'

export async function saveMapping(caller: Managing, partner_id: number, name: string, words: MappingWords): Promise<void> {
  const row = { partner_id, name, mapping: JSON.stringify(words), updated_at: caller.app.clock.now() }
  await caller.app.store.write((tx) =>
    tx
      .insertInto('import_mappings')
      .values(row)
      .onConflict((taken) => taken.columns(['partner_id', 'name']).doUpdateSet({ mapping: row.mapping, updated_at: row.updated_at }))
      .execute(),
  )
}

export async function listMappings({ app }: Managing, partnerId: number): Promise<ImportMapping[]> {
  const rows = await app.store.db.selectFrom('import_mappings').selectAll().where('partner_id', '=', partnerId).orderBy('name').execute()
  return rows.map(({ name, mapping, updated_at }) => ({ name, options: optionsOf(JSON.parse(mapping)), updated_at }))
}

function optionsOf(words: MappingWords): ImportMapping['options'] {
  return Object.entries(words).map(([name, value]) => ({ name, value: value === true ? '1' : String(value) }))
}

export async function findMapping(caller: Managing, partnerId: number, name: string): Promise<ImportMapping> {
  return (await listMappings(caller, partnerId)).find((each) => each.name === name) ?? notFound('mapping')
}

/** What is told, over what is saved. A saved locale holds although a file names several countries: the mapping is older than the reading of them. */
export function overSaved(saved: MappingWords, told: MappingWords): MappingWords {
  const given = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
  const keepsLocale = told.set === undefined && /^locale=/m.test(saved.set ?? '')
  return { ...saved, ...given, ...(keepsLocale && { keeps_locale: true }) }
}

export async function savedMapping({ app }: Managing, partnerId: number, name: string): Promise<MappingWords> {
  const mappings = app.store.db.selectFrom('import_mappings').select('mapping').where('partner_id', '=', partnerId)
  const found = await mappings.where('name', '=', name).executeTakeFirst()
  return found === undefined ? notFound('mapping') : JSON.parse(found.mapping)
}

export async function renameMapping(caller: Managing, partner_id: number, name: string, to: string): Promise<ImportMapping> {
  const all = await listMappings(caller, partner_id)
  const found = all.find((each) => each.name === name) ?? notFound('mapping')
  if (to !== name && all.some((each) => each.name === to)) invalid([{ field: 'name', code: 'taken' }])
  return change(caller, async (tx) => {
    await tx.updateTable('import_mappings').set({ name: to }).where('partner_id', '=', partner_id).where('name', '=', name).execute()
    await audit(tx, caller, 'partner.rename_mapping', { id: partner_id, partner_id }, { before: { name }, after: { name: to } })
    return { ...found, name: to }
  })
}

export async function deleteMapping(caller: Managing, partner_id: number, name: string): Promise<ImportMapping> {
  const found = await findMapping(caller, partner_id, name)
  return change(caller, async (tx) => {
    await tx.deleteFrom('import_mappings').where('partner_id', '=', partner_id).where('name', '=', name).execute()
    await audit(tx, caller, 'partner.delete_mapping', { id: partner_id, partner_id }, { before: { ...found } })
    return found
  })
}
