/** A month is closed on a cluster while it is read, written, undone and deleted from, its closing is killed and its shards are moved: every row is there. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import type { ClosedMonths } from '../../../src/model/upkeep/months.ts'
import { removeOldMonths } from '../../../src/model/upkeep/old-months.ts'
import type { MonthPartitions } from '../../../src/store/month-tables.ts'
import { holdSchema } from '../../../src/store/postgres/months.ts'
import { stopAfter } from '../../support/stop-after.ts'
import type { CitusCluster } from './citus-cluster.ts'
import { type CitusWorld, openCitusWorld } from './citus-world.ts'
import { type MonthWriter, monthWriter } from './month-writer.ts'
import { pause } from './process.ts'
import { chanceFrom } from './random.ts'

const database = 'closing'
const [accounts, busy, keywords, days] = [24, 6, 250, 12] as const
const month = 'ranking_months_2026_09'
const copy = `${month}_copy`
const goingOn = new AbortController().signal

export async function checkMonths(cluster: CitusCluster): Promise<object> {
  const world = await openCitusWorld(cluster, database, accounts)
  const chance = chanceFrom()
  const writers = world.accounts.map((account) => monthWriter(world, account, keywords, chance))
  try {
    for (let day = 1; day <= days; day += 1) for (const writer of writers) await writer.fill(`2026-09-${String(day).padStart(2, '0')}`)
    for (const writer of writers) await writer.fill('2026-10-01', 20)
    const open = await measure(cluster)
    const [kills, result] = await whileWriting(writers.slice(0, busy), () => closeWithKills(cluster, world))
    for (const writer of writers) await writer.check()
    assert.deepEqual(await leftOvers(cluster), [])
    assert.deepEqual(await storageOf(cluster, month), ['fillfactor=100,toast_tuple_target=8160'])
    const outcomes = await closeAfterLostTrigger(cluster, world, writers)
    const closed = await measure(cluster)
    assert.ok(
      closed.out_of_order < closed.rows / 50 && closed.pages_of_accounts < open.pages_of_accounts / 2,
      JSON.stringify({ open, closed }),
    )
    await removeSeptember(world, writers)
    return { seed: chance.seed, open, closed_again: closed, kills, ...result, outcomes, ...sum(writers) }
  } finally {
    await world.stop()
  }
}

/** The writers go on a little after the work, so that late data is among what they write. */
async function whileWriting<T>(writers: readonly MonthWriter[], work: () => Promise<T>): Promise<T> {
  let isOver = false
  const writing = Promise.all(writers.map((writer) => writer.work(() => isOver)))
  try {
    const result = await Promise.race([work(), writing.then(() => assert.fail('the writers stopped'))])
    await pause(3_000)
    return result
  } finally {
    isOver = true
    await writing
  }
}

/** Killed while it copies, and while a report keeps it from swapping; between the two, rows are moved to the other machine. */
async function closeWithKills(cluster: CitusCluster, world: CitusWorld): Promise<[kills: number, ClosedMonths]> {
  await killWhen(world, async () => (await positionOf(cluster)) !== null)
  await moveShard(cluster)
  const report = new pg.Client({ connectionString: cluster.coordinator.url(database) })
  await report.connect()
  await report.query(`begin isolation level repeatable read read only; ${holdSchema}`)
  await killWhen(world, async () => (await waiting(cluster)) > 0)
  await report.end()
  return [2, await closeAtLast(world)]
}

/** As from night to night: readers and writers may keep it from swapping. */
async function closeAtLast(world: CitusWorld): Promise<ClosedMonths & { attempts: number }> {
  for (let attempts = 1; ; attempts += 1) {
    const closed = JSON.parse(await text(startClosing(world).stdout)) as ClosedMonths
    if (closed.closed > 0) return { ...closed, attempts }
    assert.ok(attempts < 10, JSON.stringify(closed))
  }
}

function startClosing({ env }: CitusWorld) {
  const script = new URL('close-months.ts', import.meta.url).pathname
  return spawn(process.execPath, [script], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function killWhen(world: CitusWorld, isTime: () => Promise<boolean>): Promise<void> {
  const closing = startClosing(world)
  const gone = new Promise((resolve) => closing.on('exit', (_, signal) => resolve(signal)))
  while (closing.exitCode === null && !(await isTime())) await pause(5)
  closing.kill('SIGKILL')
  assert.equal(await gone, 'SIGKILL', 'the closing was over before it was killed')
}

async function one<R extends object>({ coordinator }: CitusCluster, query: string): Promise<R> {
  return (await coordinator.ask<R>(database, query))[0] as R
}

/** Up to where the rows are copied; null before the first batch. */
async function positionOf(cluster: CitusCluster): Promise<string | null> {
  return (await one<{ at: string | null }>(cluster, `select obj_description(to_regclass('${copy}'), 'pg_class') as at`)).at
}

async function waiting(cluster: CitusCluster): Promise<number> {
  return (
    await one<{ count: number }>(
      cluster,
      "select count(*)::int as count from pg_locks where not granted and mode = 'AccessExclusiveLock' and relation = 'schema_migrations'::regclass",
    )
  ).count
}

async function moveShard(cluster: CitusCluster): Promise<void> {
  const { shard, port } = await firstShard(cluster)
  const other = cluster.workers.find((worker) => worker.port !== port)?.port
  await cluster.coordinator.ask(
    database,
    `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${other}, 'force_logical')`,
  )
}

function firstShard(cluster: CitusCluster): Promise<{ shard: string; port: number }> {
  return one(
    cluster,
    `select p.shardid as shard, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('${month}', (select min(account_id) from ${month}))`,
  )
}

type Facts = Record<'rows' | 'accounts' | 'pages' | 'pages_of_accounts' | 'out_of_order', number>

/** A row that fits into a gap of an earlier page is put there by the server, so that a few are out of order in any case. */
async function measure({ coordinator }: CitusCluster): Promise<Facts> {
  const question = `select json_build_object('rows', (select count(*) from %1$s), 'accounts', (select count(distinct account_id) from %1$s),
    'pages', pg_relation_size('%1$s') / 8192,
    'pages_of_accounts', (select coalesce(sum(pages), 0) from (select count(distinct (ctid::text::point)[0]) as pages from %1$s group by account_id) a),
    'out_of_order', (select count(*) filter (where before > (account_id, keyword_id, starts_at)) from (
      select account_id, keyword_id, starts_at, lag((account_id, keyword_id, starts_at)) over (order by ctid) as before from %1$s) rows))`
  const shards = await coordinator.ask<{ result: string }>(
    database,
    `select result from run_command_on_shards('${month}', $$${question}$$)`,
  )
  const facts = shards.map(({ result }) => JSON.parse(result) as Facts)
  return Object.fromEntries(
    Object.keys(facts[0] as Facts).map((name) => [name, facts.reduce((sum, one) => sum + one[name as keyof Facts], 0)]),
  ) as Facts
}

/** The settings that the shards of the table have. */
async function storageOf({ coordinator }: CitusCluster, table: string): Promise<readonly string[]> {
  const shards = await coordinator.ask<{ result: string }>(
    database,
    `select distinct result from run_command_on_shards('${table}', $$select array_to_string(reloptions, ',') from pg_class where oid = '%s'::regclass$$)`,
  )
  return shards.map(({ result }) => result)
}

/** Tables, functions and triggers on any machine. Citus removes the shards that it has moved away only after a while. */
async function leftOvers({ coordinator, workers }: CitusCluster): Promise<readonly string[]> {
  await coordinator.ask(database, 'call citus_cleanup_orphaned_resources()')
  const found = await Promise.all(
    [coordinator, ...workers].map((node) =>
      node.ask<{ name: string }>(
        database,
        `select relname as name from pg_class where relname like '%\\_copy%' and relname like 'ranking%'
         union all select proname from pg_proc where proname like '%\\_mirror' union all select tgname from pg_trigger where tgname like 'mirror%'`,
      ),
    ),
  )
  return found.flat().map(({ name }) => name)
}

/** A copy that has missed changes is thrown away, and the next one has them. */
async function closeAfterLostTrigger(
  cluster: CitusCluster,
  { service }: CitusWorld,
  writers: readonly MonthWriter[],
): Promise<readonly string[]> {
  const months = service.app.store.engine.months as MonthPartitions
  const september = (await months.sizes()).find(({ table, from }) => table === 'ranking_months' && from === Date.UTC(2026, 8, 1) / 1000)
  assert.equal(september?.state, 'closed')
  await whileVacuumed(cluster, async () => assert.equal((await months.close(september, stopAfter(1))).outcome, 'busy'))
  const outcomes = [(await months.close(september, stopAfter(1))).outcome]
  assert.deepEqual(await storageOf(cluster, copy), ['fillfactor=100,toast_tuple_target=8160,autovacuum_enabled=off'])
  await cluster.coordinator.ask(database, `select run_command_on_shards('${month}', 'alter table %s disable trigger user')`)
  for (const writer of writers) await writer.fill('2026-09-29')
  outcomes.push((await months.close(september, goingOn)).outcome, (await months.close(september, goingOn)).outcome)
  assert.deepEqual(outcomes, ['stopped', 'moved', 'closed'])
  for (const writer of writers) await writer.check()
  return outcomes
}

/** A worker that vacuums a shard holds this lock for hours; nobody may wait for it for more than a moment. */
async function whileVacuumed(cluster: CitusCluster, work: () => Promise<void>): Promise<void> {
  const { shard, port } = await firstShard(cluster)
  const worker = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/${database}` })
  await worker.connect()
  await worker.query(`set citus.enable_manual_changes_to_shards = on; begin; lock table ${month}_${shard} in share update exclusive mode`)
  const tooLong = setTimeout(() => worker.query('rollback'), 10_000)
  await work()
  clearTimeout(tooLong)
  await worker.end()
}

async function removeSeptember({ service }: CitusWorld, writers: readonly MonthWriter[]): Promise<void> {
  const now = new Date()
  await removeOldMonths(service.operator, (now.getUTCFullYear() - 2026) * 12 + now.getUTCMonth() - 9)
  for (const writer of writers) {
    writer.forget('2026-10-01')
    await writer.check()
  }
}

function sum(writers: readonly MonthWriter[]): Readonly<Record<string, number>> {
  const [first] = writers as [MonthWriter]
  const add = (name: keyof MonthWriter['counts']) =>
    writers.reduce((total, { counts }) => (name === 'longest_milliseconds' ? Math.max(total, counts[name]) : total + counts[name]), 0)
  return Object.fromEntries(Object.keys(first.counts).map((name) => [name, add(name as keyof MonthWriter['counts'])]))
}
