/** Applies schema migrations, one process at a time and only forward: an empty database in one transaction, any other in one transaction per step. */

import type { Kysely } from 'kysely'
import { refuse } from '../lib/failures.ts'
import { isoTime } from '../lib/time/clock.ts'
import { firstLayoutName, hasFirstLayout, rebuildFirstLayout } from './layout/first-layout.ts'
import { knownHashes } from './layout/step-hashes.ts'
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
  const taken: string[] = (await rebuildFirstLayout(store, (tx) => refuseLacking(store, steps, tx))) ? [firstLayoutName] : []
  await refuseLacking(store, steps)
  // An empty database must never be seen half migrated: a process that starts at the same time would take it for an older schema.
  if (before.pending.length === steps.length) taken.push(...(await take(store, steps, steps, begin)))
  else for (const step of steps.filter(({ name }) => before.pending.includes(name))) taken.push(...(await take(store, [step], steps)))
  await keepHashes(store)
  return taken
}

/** Of steps that have none of this engine yet: they were compared with what they should have left. A moved database brings those of the other engine. */
async function keepHashes(store: Store): Promise<void> {
  const isWithout = ({ name, sql_hash }: Taken) => sql_hash !== undefined && !isOf(store, sql_hash) && hashOf(store, name) !== undefined
  const without = (await takenSteps(store, store.db)).filter(isWithout)
  if (without.length === 0) return
  await store.write(async (tx) => {
    for (const { name } of without)
      await tx
        .updateTable('schema_migrations')
        .set({ sql_hash: hashOf(store, name) })
        .where('name', '=', name)
        .execute()
  })
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
  const taken = await takenSteps(store, db)
  const known = steps.filter((step) => taken.some(({ name }) => name === step.name))
  const others = taken.filter((step) => isOther(store, step))
  const edited = others.map(({ name }) => `the step ${name} was applied in another form than this version has`)
  if (known.length === 0 || known.length < taken.length) return edited
  const needed = await tablesAfter(known)
  return [...edited, ...lackingOf(needed, await store.engine.tablesFound(db, [...needed.keys()]))]
}

function isOther(store: Store, { name, sql_hash }: Taken): boolean {
  const known = hashOf(store, name)
  return known !== undefined && isOf(store, sql_hash) && sql_hash !== known
}

/** The hash of a step as a database keeps it, with the engine whose SQL it is of. */
function hashOf({ engine }: Store, name: string): string | undefined {
  const hash = knownHashes[name]?.[engine.name]
  return hash === undefined ? undefined : `${engine.name} ${hash}`
}

function isOf({ engine }: Store, kept: string | null | undefined): boolean {
  return kept?.startsWith(`${engine.name} `) ?? false
}

/** Refuses a database whose tables are not those that its steps make: it was changed by other means, or written by a version whose steps were others. */
export async function refuseLacking(store: Store, steps?: readonly Migration[], db?: Kysely<Tables>): Promise<void> {
  const lacking = await lackingIn(store, steps, db)
  if (lacking.length === 0) return
  const others = lacking.length > mostNamed ? `; and ${lacking.length - mostNamed} more, which marquee doctor names` : ''
  refuse(
    'unavailable',
    `The database ${store.engine.place} is not as this version needs it: ${lacking.slice(0, mostNamed).join('; ')}${others}. Nothing was changed; ${await whoGoesOn(store, db)}`,
  )
}

/** What only a rebuild lacks is none of it: `migrate` makes that first. */
export async function refuseBeyondRebuild(store: Store, steps?: readonly Migration[]): Promise<void> {
  if (!(await hasFirstLayout(store, store.db))) await refuseLacking(store, steps)
}

/** What an operator can do with a database that lacks something. */
export async function whoGoesOn(store: Store, db = store.db): Promise<string> {
  if (await hasFirstLayout(store, db)) return '`marquee migrate` brings it forward.'
  const hasExport = (await takenSteps(store, db)).some(({ name }) => name === firstStepWithExport)
  const wayOut = ', and its `marquee export --all` writes what `marquee import --all` of this version reads into a new database'
  return `the version of Marquee that ran on it before goes on with it${hasExport ? wayOut : ''}.`
}

/** The version that brought `export --all` brought this step, too. */
const firstStepWithExport = '0020-upgrades'

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

type Taken = Pick<SchemaMigrationRow, 'name'> & Partial<Pick<SchemaMigrationRow, 'works_from' | 'sql_hash'>>

/** Selects all columns, because two were added by later steps. */
export async function takenSteps(store: Store, db: Kysely<Tables>): Promise<readonly Taken[]> {
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

/** The time at which the database was created: that of its first step. */
export async function firstStepTime(db: Kysely<Tables>): Promise<string> {
  const first = await db.selectFrom('schema_migrations').select('applied_at').orderBy('applied_at').limit(1).executeTakeFirst()
  return first?.applied_at ?? isoTime(Date.now())
}
