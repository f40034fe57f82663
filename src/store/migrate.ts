/** Applies schema migrations, one process at a time and only forward: an empty database in one transaction, any other in one transaction per step. */

import type { Kysely } from 'kysely'
import { refuse } from '../lib/failures.ts'
import { isoTime } from '../lib/time/clock.ts'
import { migrations } from './migrations.ts'
import { createRecordOfSteps, lackingOf, tablesAfter } from './needs.ts'
import type { SchemaMigrationRow, Tables } from './rows/tables.ts'
import { type Migration, type Schema, schemaLanguage } from './schema.ts'
import type { Store } from './store.ts'

export interface SchemaState {
  readonly state: 'current' | 'behind' | 'newer'
  /** Steps that this version knows and the database has not applied. */
  readonly pending: readonly string[]
  /** Steps that the database has applied and this version does not know. */
  readonly unknown: readonly string[]
  /** Those of the unknown steps with which this version cannot work. */
  readonly barring: readonly string[]
}

export async function schemaState(store: Store, steps: readonly Migration[] = migrations): Promise<SchemaState> {
  return compare(await takenSteps(store, store.db), steps)
}

/** Applies every pending step and returns their names. In an empty database `begin` runs in the same transaction. */
export async function migrate(
  store: Store,
  steps: readonly Migration[] = migrations,
  begin: (tx: Kysely<Tables>) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const before = await schemaState(store, steps)
  refuseNewer(before)
  await refuseLacking(store, steps)
  // An empty database must never be seen half migrated: a process that starts at the same time would take it for an older schema.
  if (before.pending.length === steps.length) return take(store, steps, steps, begin)
  const taken: string[] = []
  for (const step of steps.filter(({ name }) => before.pending.includes(name))) taken.push(...(await take(store, [step], steps)))
  return taken
}

export function refuseNewer({ barring }: SchemaState): void {
  if (barring.length === 0) return
  refuse('unavailable', `The database was brought up by a newer Marquee (it holds ${barring.join(', ')}); run that version or a later one.`)
}

/**
 * What the steps that the database has applied should have left there, and it lacks. Nothing is compared beside the steps of a newer version, which may have
 * removed what went out of use in this one, and which compares with what it needs itself.
 */
export async function lackingIn(store: Store, steps: readonly Migration[] = migrations, db = store.db): Promise<readonly string[]> {
  const taken = new Set((await takenSteps(store, db)).map(({ name }) => name))
  const known = steps.filter(({ name }) => taken.has(name))
  if (known.length === 0 || known.length < taken.size) return []
  const needed = await tablesAfter(known)
  return lackingOf(needed, await store.engine.tablesFound(db, [...needed.keys()]))
}

/** Refuses a database whose tables are not those that its steps make: it was changed by other means, or written by a version whose steps were others. */
export async function refuseLacking(store: Store, steps?: readonly Migration[], db?: Kysely<Tables>): Promise<void> {
  const lacking = await lackingIn(store, steps, db)
  if (lacking.length === 0) return
  const others = lacking.length > mostNamed ? `; and ${lacking.length - mostNamed} more, which marquee doctor names` : ''
  refuse(
    'unavailable',
    `The database ${store.engine.place} is not as this version needs it: ${lacking.slice(0, mostNamed).join('; ')}${others}. Nothing was changed; ${whoGoesOn}`,
  )
}

/** What an operator can do with a database that lacks something. */
export const whoGoesOn = 'the version of Marquee that ran on it before goes on with it.'

const mostNamed = 5

/** Applies these steps in one transaction, except those that another process applied while this one waited for the lock; returns their names. */
function take(
  store: Store,
  wanted: readonly Migration[],
  steps: readonly Migration[],
  begin?: (tx: Kysely<Tables>) => Promise<void>,
): Promise<readonly string[]> {
  return store.write(async (tx) => {
    await store.engine.lockSchema(tx)
    const state = compare(await takenSteps(store, tx), steps)
    refuseNewer(state)
    const schema = schemaLanguage(tx, store.engine.columns, await store.engine.isDistributed(tx))
    const pending = wanted.filter(({ name }) => state.pending.includes(name))
    if (state.pending.length === steps.length) await createRecord(store, schema, tx)
    for (const step of pending) await takeOne(schema, step)
    if (pending.length > 0) await refuseLacking(store, steps, tx)
    if (pending.length > 0) await begin?.(tx)
    return pending.map(({ name }) => name)
  }, 'unlimited')
}

async function takeOne(schema: Schema, { name, worksFrom, up }: Migration): Promise<void> {
  await up(schema)
  await schema.db
    .insertInto('schema_migrations')
    .values({ name, applied_at: isoTime(Date.now()), ...(worksFrom !== undefined && { works_from: worksFrom }) })
    .execute()
}

async function createRecord(store: Store, schema: Schema, tx: Kysely<Tables>): Promise<void> {
  if ((await store.engine.tableNames(tx)).includes('schema_migrations')) return
  await createRecordOfSteps(schema)
}

type Taken = Pick<SchemaMigrationRow, 'name'> & Partial<Pick<SchemaMigrationRow, 'works_from'>>

/** Selects all columns, because `works_from` was added by a later step. */
async function takenSteps(store: Store, db: Kysely<Tables>): Promise<readonly Taken[]> {
  if (!(await store.engine.tableNames(db)).includes('schema_migrations')) return []
  return db.selectFrom('schema_migrations').selectAll().orderBy('name').execute()
}

function compare(taken: readonly Taken[], steps: readonly Migration[]): SchemaState {
  const isKnown = (name: string | null | undefined) => steps.some((step) => step.name === name)
  const pending = steps.map((step) => step.name).filter((name) => !taken.some((step) => step.name === name))
  const unknown = taken.filter(({ name }) => !isKnown(name))
  const barring = unknown.filter(({ works_from }) => !isKnown(works_from))
  return {
    state: barring.length > 0 ? 'newer' : pending.length > 0 ? 'behind' : 'current',
    pending,
    unknown: unknown.map(({ name }) => name),
    barring: barring.map(({ name }) => name),
  }
}

export interface PlannedStep {
  readonly name: string
  /** The number of rows it rewrites; 0 if it only changes table definitions. */
  readonly rows: number
  readonly expected_seconds: number
  /** Whether processes of the previous version keep working after this step. */
  readonly old_version: 'goes on' | 'must be stopped'
}

/** How many rows a slow disk rewrites per second. */
const rowsPerSecond = 10_000

/** The steps that `migrate` would apply now, and about how long each takes. */
export async function planSteps(store: Store, steps: readonly Migration[] = migrations): Promise<readonly PlannedStep[]> {
  const state = await schemaState(store, steps)
  refuseNewer(state)
  await refuseLacking(store, steps)
  const taken = new Set((await takenSteps(store, store.db)).map(({ name }) => name))
  const pending = steps.filter(({ name }) => state.pending.includes(name))
  return Promise.all(
    pending.map(async ({ name, rewrites, worksFrom }) => {
      const rows = rewrites === undefined ? 0 : await countRows(store, rewrites)
      const goesOn = worksFrom !== undefined && taken.has(worksFrom)
      return { name, rows, expected_seconds: 1 + Math.ceil(rows / rowsPerSecond), old_version: goesOn ? 'goes on' : 'must be stopped' }
    }),
  )
}

/** A table that an earlier pending step will create has none. */
async function countRows({ db, engine }: Store, table: keyof Tables): Promise<number> {
  if (!(await engine.tableNames(db)).includes(table)) return 0
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The time at which the database was created: that of its first step. */
export async function firstStepTime(db: Kysely<Tables>): Promise<string> {
  const first = await db.selectFrom('schema_migrations').select('applied_at').orderBy('applied_at').limit(1).executeTakeFirst()
  return first?.applied_at ?? isoTime(Date.now())
}
