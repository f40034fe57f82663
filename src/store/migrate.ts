/** Brings the schema forward, one process at a time and never backward: an empty database in one transaction, another in one transaction a step. */

import type { Kysely } from 'kysely'
import { refuse } from '../lib/failures.ts'
import { isoTime } from '../lib/time/clock.ts'
import { migrations } from './migrations.ts'
import type { Tables } from './rows/tables.ts'
import { type Migration, type Schema, schemaLanguage } from './schema.ts'
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
  // Nobody may ever see an empty database half brought up: a process that starts beside this one would take it for an older one.
  if (before.pending.length === steps.length) return take(store, steps, steps)
  const taken: string[] = []
  for (const step of steps.filter(({ name }) => before.pending.includes(name))) taken.push(...(await take(store, [step], steps)))
  return taken
}

export function refuseNewer({ unknown }: SchemaState): void {
  if (unknown.length === 0) return
  refuse('unavailable', `The database was brought up by a newer Marquee (it holds ${unknown.join(', ')}); run that version or a later one.`)
}

/** Takes these steps in one transaction, but for those that another process took while this one waited for the lock; answers their names. */
function take(store: Store, wanted: readonly Migration[], steps: readonly Migration[]): Promise<readonly string[]> {
  return store.write(async (tx) => {
    await store.engine.lockSchema(tx)
    const state = compare(await takenSteps(store, tx), steps)
    refuseNewer(state)
    const schema = schemaLanguage(tx, store.engine.columns)
    const pending = wanted.filter(({ name }) => state.pending.includes(name))
    if (state.pending.length === steps.length) await createRecord(store, schema, tx)
    for (const step of pending) await takeOne(schema, step)
    return pending.map(({ name }) => name)
  }, 'unlimited')
}

async function takeOne(schema: Schema, { name, up }: Migration): Promise<void> {
  await up(schema)
  await schema.db
    .insertInto('schema_migrations')
    .values({ name, applied_at: isoTime(Date.now()) })
    .execute()
}

async function createRecord(store: Store, schema: Schema, tx: Kysely<Tables>): Promise<void> {
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

/** When the database was made: its first step. */
export async function firstStepTime(db: Kysely<Tables>): Promise<string> {
  const first = await db.selectFrom('schema_migrations').select('applied_at').orderBy('applied_at').limit(1).executeTakeFirst()
  return first?.applied_at ?? isoTime(Date.now())
}
