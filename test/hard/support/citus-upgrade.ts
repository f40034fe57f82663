/** Measured tables that come with later steps of the schema are spread like those that were there, and refer to them; months that are being closed are spread, too. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { readSettings } from '../../../src/config.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { months } from '../../../src/store/migrations/0022-months.ts'
import { migrations } from '../../../src/store/migrations.ts'
import type { MonthPartitions, StoredMonth } from '../../../src/store/month-tables.ts'
import { placement } from '../../../src/store/placement.ts'
import { distribute } from '../../../src/store/postgres/distribute.ts'
import { openStore } from '../../../src/store/store.ts'
import { insertMonths, readMonths } from '../../support/month-rows.ts'
import { stopAfter } from '../../support/stop-after.ts'
import { type CitusCluster, makeGatheredDatabase, makeSpreadDatabase } from './citus-cluster.ts'

/** Before tables of ranked addresses and clicks were made. */
const olderSteps = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === '0014-keyword-facts'),
)
const database = 'upgraded'

export async function checkUpgrade(cluster: CitusCluster): Promise<object> {
  await makeSpreadDatabase(cluster, database, olderSteps)
  const before = await spread(cluster)
  const store = openStore(readSettings({ DATABASE_URL: cluster.coordinator.url(database), DATA_DIR: tmpdir() }))
  await migrate(store, migrations.slice(0, migrations.indexOf(months)))
  await store.write(insertMonths)
  const rows = await readMonths(store)
  await migrate(store)
  assert.deepEqual(await readMonths(store), rows)
  const after = (await spread(cluster)).filter((name) => !/_\d{4}_\d\d$/.test(name))
  const { tables } = await store.write(distribute, 'unlimited')
  await store.close()
  const measured = Object.entries(placement).flatMap(([name, place]) => (place === 'measured' ? [name] : []))
  assert.deepEqual(after, measured.toSorted())
  assert.ok(before.length < after.length && tables.every(({ was }) => was === 'spread before'))
  const keys = await cluster.coordinator.ask<{ name: string }>(
    database,
    `select conname as name from pg_constraint where contype = 'f' and conrelid in ('ranked_urls'::regclass, 'ranked_url_months'::regclass, 'click_count_months'::regclass)`,
  )
  assert.equal(keys.length, 3)
  const closed = await distributeWhileClosing(cluster)
  return { spread_before: before.length, spread_after: after.length, months: rows.length, foreign_keys_of_new_tables: keys.length, closed }
}

/** The nights before have left a copy that is empty and one that is whole. */
async function distributeWhileClosing(cluster: CitusCluster): Promise<readonly string[]> {
  const store = await makeGatheredDatabase(cluster, 'half_closed', migrations.slice(0, migrations.indexOf(months)))
  await store.write(insertMonths)
  await migrate(store)
  const rows = await readMonths(store)
  const partitions = store.engine.months as MonthPartitions
  const [one, other] = (await partitions.list()) as [StoredMonth, StoredMonth]
  const close = async (month: StoredMonth, signal: AbortSignal) => (await partitions.close(month, signal)).outcome
  assert.deepEqual([await close(one, stopAfter(1)), await close(other, stopAfter(3))], ['stopped', 'busy'])
  const { tables } = await store.write(distribute, 'unlimited')
  assert.ok(tables.every(({ was }) => was === 'spread now'))
  assert.deepEqual(await readMonths(store), rows)
  const outcomes = [await close(one, stopAfter(100)), await close(other, stopAfter(100))]
  assert.deepEqual(outcomes, ['closed', 'closed'])
  assert.deepEqual(await readMonths(store), rows)
  await store.close()
  return outcomes
}

async function spread({ coordinator }: CitusCluster): Promise<readonly string[]> {
  const rows = await coordinator.ask<{ name: string }>(
    database,
    "select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' order by 1",
  )
  return rows.map(({ name }) => name)
}
