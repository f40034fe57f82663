/** Mappings that are saved by name for a partner: listed, shown, renamed and deleted. */

import type { Kysely } from 'kysely'
import { invalid, notFound } from '../../../lib/failures.ts'
import { isOneLine } from '../../../lib/one-line.ts'
import type { ImportMapping } from '../../../resources/imports/import-preset.ts'
import type { ImportMappingRow } from '../../../store/rows/intakes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { audit } from '../../core/audit.ts'
import type { Managing } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import type { MappingWords } from './mappings.ts'

const mostNameCharacters = 100

export async function saveMapping(caller: Managing, partner_id: number, name: string, words: MappingWords): Promise<void> {
  await caller.app.store.write((tx) => storeMapping(tx, caller, partner_id, name, words))
}

/** By somebody whose whole wish it is, so that it is recorded. */
export async function rememberMapping(caller: Managing, partner_id: number, name: string, words: MappingWords): Promise<void> {
  if (name === '') invalid([{ field: 'name', code: 'blank' }])
  if (name.length > mostNameCharacters) invalid([{ field: 'name', code: 'too_long', limit: mostNameCharacters }])
  if (!isOneLine(name)) invalid([{ field: 'name', code: 'not_one_line' }])
  await change(caller, async (tx) => {
    await storeMapping(tx, caller, partner_id, name, words)
    await audit(tx, caller, 'partner.save_mapping', { id: partner_id, partner_id }, { after: { name, ...words } })
  })
}

function storeMapping(tx: Kysely<Tables>, { app }: Managing, partner_id: number, name: string, words: MappingWords) {
  const row = { partner_id, name, mapping: JSON.stringify(words), updated_at: app.clock.now() }
  return tx
    .insertInto('import_mappings')
    .values(row)
    .onConflict((taken) => taken.columns(['partner_id', 'name']).doUpdateSet({ mapping: row.mapping, updated_at: row.updated_at }))
    .execute()
}

export async function listMappings({ app }: Managing, partnerId: number): Promise<ImportMapping[]> {
  const rows = await app.store.db.selectFrom('import_mappings').selectAll().where('partner_id', '=', partnerId).orderBy('name').execute()
  return rows.map(mappingOf)
}

function mappingOf({ name, mapping, updated_at }: ImportMappingRow): ImportMapping {
  return { name, options: optionsOf(JSON.parse(mapping)), updated_at }
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

/** The row is made anew, because only an insertion can find out that somebody else has just taken the name. */
export async function renameMapping(caller: Managing, partner_id: number, name: string, to: string): Promise<ImportMapping> {
  const all = await listMappings(caller, partner_id)
  const found = all.find((each) => each.name === name) ?? notFound('mapping')
  if (to === name) return found
  if (all.some((each) => each.name === to)) refuseTaken()
  return change(caller, async (tx) => {
    const row = await removed(tx, partner_id, name)
    const named = tx.insertInto('import_mappings').values({ ...row, name: to })
    const isNamed = await named
      .onConflict((taken) => taken.columns(['partner_id', 'name']).doNothing())
      .returning('name')
      .executeTakeFirst()
    if (isNamed === undefined) refuseTaken()
    await audit(tx, caller, 'partner.rename_mapping', { id: partner_id, partner_id }, { before: { name }, after: { name: to } })
    return mappingOf({ ...row, name: to })
  })
}

function refuseTaken(): never {
  return invalid([{ field: 'name', code: 'taken' }])
}

export async function deleteMapping(caller: Managing, partner_id: number, name: string): Promise<ImportMapping> {
  return change(caller, async (tx) => {
    const found = mappingOf(await removed(tx, partner_id, name))
    await audit(tx, caller, 'partner.delete_mapping', { id: partner_id, partner_id }, { before: { ...found } })
    return found
  })
}

async function removed(tx: Kysely<Tables>, partner_id: number, name: string): Promise<ImportMappingRow> {
  const row = tx.deleteFrom('import_mappings').where('partner_id', '=', partner_id).where('name', '=', name).returningAll()
  return (await row.executeTakeFirst()) ?? notFound('mapping')
}
