/** Databases as landed versions wrote them: their statements are kept in test/store/landed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type EngineName, emptyPlace, type Place } from './engines.ts'
import { withStore } from './opened.ts'

const at = "'2026-11-15T12:00:00Z'"
const steps = ['0001-provisioning', '0002-measurements', '0003-people', '0004-reliability']

const rows = [
  ...steps.map((name) => `insert into schema_migrations (name, applied_at) values ('${name}', ${at})`),
  `insert into partners (id, name, state, created_at, updated_at) values (1, 'Acme', 'active', ${at}, ${at})`,
  `insert into accounts (id, partner_id, name, created_at, updated_at) values (1, 1, 'Harbor', ${at}, ${at})`,
  `insert into businesses (id, account_id, name, aasm_state, created_at, updated_at) values (1, 1, 'Harbor', 'active', ${at}, ${at})`,
  `insert into sites (id, account_id, business_id, domain, created_at, updated_at) values (1, 1, 1, 'harbor.example', ${at}, ${at})`,
  `insert into subjects (id, account_id, site_id, domain, created_at) values (1, 1, 1, '', ${at})`,
  `insert into keywords (id, account_id, subject_id, phrase) values (1, 1, 1, 'dentist')`,
]

/** A database of the version e7f3709, whose first two steps were others than those that have their names today. */
export async function firstLanded(engine: EngineName): Promise<Place> {
  const place = await emptyPlace(engine)
  const written = readFileSync(join(import.meta.dirname, '..', 'store', 'landed', `e7f3709-${engine}.sql`), 'utf8')
  const statements = written.split(/;\n/).filter((statement) => statement.trim() !== '')
  await withStore(Promise.resolve({ ...place, remove: async () => {} }), (store) =>
    store.write(async (tx) => {
      for (const statement of [...statements, ...rows]) await sql.raw(statement).execute(tx)
    }),
  )
  return place
}
