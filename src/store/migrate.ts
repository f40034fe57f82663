/** Brings the schema forward, one transaction a step, one process at a time, and never backward. */

import type { Kysely } from 'kysely'
import { isoTime } from '../lib/clock.ts'
import { refuse } from '../lib/failures.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './rows/tables.ts'
import { type Migration, schemaLanguage } from './schema.ts'
import type { Store } from './store.ts'

export interface SchemaState {
  readonly state: 'current' | 'behind' | 'newer'
  /** Steps this version knows and the database has not taken. */
  readonly pending: readonly string[]
  /** Steps the database has taken and this version does not know. */
  readonly unknown: readonly string[]
}

export async function schemaState(store: Store, steps: readonly Migration[] = migrations): Promise<SchemaState> {
  return compare(await takenSteps(store, store.db), steps)
}

/** Takes every pending step; answers their names. */
export async function migrate(store: Store, steps: readonly Migration[] = migrations): Promise<readonly string[]> {
  const before = await schemaState(store, steps)
  refuseNewer(before)
  const taken: string[] = []
  for (const step of steps) if (before.pending.includes(step.name) && (await take(store, step, steps))) taken.push(step.name)
  return taken
}

export function refuseNewer({ unknown }: SchemaState): void {
  if (unknown.length === 0) return
  refuse('unavailable', `The database was brought up by a newer Marquee (it holds ${unknown.join(', ')}); run that version or a later one.`)
}

/** False when another process has taken the step while this one waited for the lock. */
async function take(store: Store, step: Migration, steps: readonly Migration[]): Promise<boolean> {
  return store.write(async (tx) => {
    await store.engine.lockSchema(tx)
    const state = compare(await takenSteps(store, tx), steps)
    refuseNewer(state)
    if (!state.pending.includes(step.name)) return false
    const schema = schemaLanguage(tx, store.engine.columns)
    if (state.pending.length === steps.length) await createRecord(store, schema, tx)
    await step.up(schema)
    await tx
      .insertInto('schema_migrations')
      .values({ name: step.name, applied_at: isoTime(Date.now()) })
      .execute()
    return true
  })
}

async function createRecord(store: Store, schema: ReturnType<typeof schemaLanguage>, tx: Kysely<Tables>): Promise<void> {
  if ((await store.engine.tableNames(tx)).includes('schema_migrations')) return
  await schema.createTable('schema_migrations', { name: 'text', applied_at: 'text' }, { primaryKey: ['name'] })
}

async function takenSteps(store: Store, db: Kysely<Tables>): Promise<readonly string[]> {
  if (!(await store.engine.tableNames(db)).includes('schema_migrations')) return []
  return (await db.selectFrom('schema_migrations').select('name').orderBy('name').execute()).map((row) => row.name)
}

function compare(taken: readonly string[], steps: readonly Migration[]): SchemaState {
  const pending = steps.map((step) => step.name).filter((name) => !taken.includes(name))
  const unknown = taken.filter((name) => !steps.some((step) => step.name === name))
  return { state: unknown.length > 0 ? 'newer' : pending.length > 0 ? 'behind' : 'current', pending, unknown }
}
