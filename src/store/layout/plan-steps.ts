/** What `migrate` would do now, and about how long it takes. */

import { refuseBeyondRebuild, refuseNewer, schemaState, takenSteps } from '../migrate.ts'
import { migrations } from '../migrations.ts'
import type { Tables } from '../rows/tables.ts'
import type { Migration } from '../schema.ts'
import type { Store } from '../store.ts'
import { firstLayoutName, hasFirstLayout, rekeyedTables } from './first-layout.ts'

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
  await refuseBeyondRebuild(store, steps)
  const taken = new Set((await takenSteps(store, store.db)).map(({ name }) => name))
  const pending = steps.filter(({ name }) => state.pending.includes(name))
  const planned: PlannedStep[] = await Promise.all(
    pending.map(async ({ name, rewrites, worksFrom }): Promise<PlannedStep> => {
      const rows = rewrites === undefined ? 0 : await countRows(store, rewrites)
      const goesOn = worksFrom !== undefined && taken.has(worksFrom)
      return { name, rows, expected_seconds: 1 + Math.ceil(rows / rowsPerSecond), old_version: goesOn ? 'goes on' : 'must be stopped' }
    }),
  )
  return (await hasFirstLayout(store, store.db)) ? [await plannedRebuild(store), ...planned] : planned
}

async function plannedRebuild(store: Store): Promise<PlannedStep> {
  let rows = 0
  for (const table of rekeyedTables) rows += await countRows(store, table)
  return { name: firstLayoutName, rows, expected_seconds: 1 + Math.ceil(rows / rowsPerSecond), old_version: 'must be stopped' }
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
