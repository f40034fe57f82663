/** Months are partitions on PostgreSQL: made when data needs them, and rewritten in order while they are read and written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { areMonthsMissing, closeMonths, makeMonthsAhead } from '../../../src/model/upkeep/months.ts'
import { type MonthPartitions, monthTableNames, type SizedMonth } from '../../../src/store/month-tables.ts'
import { openPostgresSnapshots } from '../../../src/store/postgres/engine.ts'
import type { Tables } from '../../../src/store/rows/tables.ts'
import { exported, importLines, type World, worldAt } from '../../support/data.ts'
import { onEngine } from '../../support/engines.ts'
import { stopAfter } from '../../support/stop-after.ts'

const [august, september, october] = [7, 8, 9].map((month) => Date.UTC(2026, month, 1) / 1000) as [number, number, number]
const goingOn = new AbortController().signal
const keywords = 300
/** Of closing a month that others use. */
const mostAttempts = 30

onEngine('postgres', 'months', (place) => {
  const world = worldAt(place)
  const months = () => world.app.store.engine.months as MonthPartitions
  const october_ = async () =>
    (await months().sizes()).find(({ table, from }) => table === 'ranking_months' && from === october) as SizedMonth

  test('data of any month is taken, and each month of these years is a partition of its own', async () => {
    const days = ['1970-01-05', '2014-12-31', '2015-01-01', '2026-10-01', '2026-09-30', '2104-01-01', '2105-12-01', '2105-01-01']
    await importLines(
      world,
      days.map((day, rank) => ranking(day, 0, rank + 1)),
      { createMissing: true },
    )
    const found = (await months().list()).map(({ table, from, to }) => [table, monthAt(from), monthAt(to)])
    assert.deepEqual(
      found.map(([table]) => table),
      found.map(() => 'ranking_months'),
    )
    assert.deepEqual(found.map(([, from, to]) => `${from} to ${to}`).toSorted(), [
      '1970-01 to 2015-01',
      '2015-01 to 2015-02',
      '2026-09 to 2026-10',
      '2026-10 to 2026-11',
      '2104-01 to 2105-01',
      '2105-01 to 2106-01',
    ])
    await months().make('ranking_months', october)
  })

  test('the current month and the next two are made before there is data for them', async () => {
    assert.ok(await areMonthsMissing(world.app))
    await makeMonthsAhead(world.app)
    assert.ok(!(await areMonthsMissing(world.app)))
    const counts = (await months().list()).filter(({ from }) => from === Date.UTC(2027, 0, 1) / 1000)
    assert.deepEqual(
      counts.map(({ table }) => table),
      monthTableNames.toSorted(),
    )
  })

  test('a closed month holds the same in order and in fewer pages, and takes late data, an undo and removals', async () => {
    for (let day = 1; day <= 12; day += 1)
      await importLines(world, dayOf(`2026-10-${String(day).padStart(2, '0')}`), { createMissing: true })
    const [before, open] = [await exported(world), await october_()]
    const { closed: count, postponed, rows } = await closeMonths(world.app, goingOn)
    assert.deepEqual(
      { count, postponed, rows },
      { count: 1, postponed: 0, rows: keywords },
      'one month is large enough, and over for a week',
    )
    assert.equal(await exported(world), before)
    const closed = await october_()
    assert.equal(closed.state, 'closed')
    assert.ok(closed.bytes < open.bytes, `${closed.bytes} against ${open.bytes}`)
    assert.ok(await isInOrder(world.app.store.db, 'ranking_months_2026_10'))
    const { intakeId = 0 } = await importLines(world, dayOf('2026-10-20'), { createMissing: true })
    assert.notEqual(await exported(world), before)
    await undoIntake(world.operator, intakeId)
    assert.equal(await exported(world), before)
    assert.equal(await leftOvers(world), '')
  })

  test('what is written, changed and removed while a month is copied is in the copy', async () => {
    const late = await importLines(world, dayOf('2026-10-21'), { createMissing: true })
    const fresh = await importLines(world, [ranking('2026-10-07', 901, 5)], { createMissing: true })
    assert.equal((await months().close(await october_(), stopAfter(0))).outcome, 'busy')
    assert.equal((await months().close(await october_(), stopAfter(1))).outcome, 'stopped', 'nothing is copied yet')
    assert.match(await storageOf(world, 'ranking_months_2026_10_copy'), /autovacuum_enabled=off/, 'no vacuum holds up a batch')
    await undoIntake(world.operator, late.intakeId ?? 0, { isDespiteLater: true })
    await importLines(world, dayOf('2026-10-06').slice(30, 40), { createMissing: true })
    assert.equal((await months().close(await october_(), stopAfter(3))).outcome, 'busy', 'all is copied')
    assert.equal(
      (await undoIntake(world.operator, fresh.intakeId ?? 0, { isDespiteLater: true })).left,
      0,
      'the keyword goes with its month',
    )
    await importLines(world, [...dayOf('2026-10-05').slice(10, 20), ranking('2026-10-06', 900, 7)], { createMissing: true })
    const before = await exported(world)
    assert.equal((await months().close(await october_(), goingOn)).outcome, 'closed')
    assert.equal(await storageOf(world, 'ranking_months_2026_10'), 'fillfactor=100,toast_tuple_target=8160')
    assert.equal(await exported(world), before)
    assert.equal(await leftOvers(world), '')
  })

  test('writers and a closing at the same moment lose nothing and double nothing', async () => {
    const before = await exported(world)
    const days = ['2026-10-22', '2026-10-23', '2026-10-24']
    const importing = (async () => {
      const intakes: number[] = []
      for (const day of days) intakes.push((await importLines(world, dayOf(day), { createMissing: true })).intakeId ?? 0)
      return intakes
    })()
    const closing = (async () => {
      for (let [outcome, attempts] = ['', 0]; outcome !== 'closed'; attempts += 1) {
        assert.ok(attempts < mostAttempts, outcome)
        outcome = (await months().close(await october_(), goingOn)).outcome
      }
    })()
    const [intakes] = await Promise.all([importing, closing])
    const added = (await exported(world)).split('\n').filter((line) => days.some((day) => line.includes(`"${day}`)))
    assert.equal(added.length, days.length * keywords)
    for (const id of intakes.toReversed()) await undoIntake(world.operator, id)
    assert.equal(await exported(world), before)
  })

  test('a month of many batches and accounts is copied whole and in order, however often it is stopped', async () => {
    const { app, operator, partnerId, accountId, otherAccountId } = world
    const accounts = [accountId, otherAccountId]
    for (let count = 0; count < 55; count += 1) accounts.push((await createAccount(operator, partnerId, `Account ${count}`)).id)
    await months().make('ranking_months', august)
    await fillAugust(app.store.db, accounts, 2_100)
    const before = await hashOfAugust(app.store.db)
    const month = { table: 'ranking_months', from: august, to: september } as const
    let [stops, rows, outcome] = [0, 0, '']
    for (; outcome !== 'closed'; stops += 1) {
      assert.ok(stops < mostAttempts, outcome)
      const closed = await months().close(month, stops < 8 ? stopAfter(3) : goingOn)
      outcome = closed.outcome
      rows += closed.rows
    }
    assert.ok(stops > 2, `${stops} stops`)
    assert.deepEqual([rows, await hashOfAugust(app.store.db)], [before.count, before])
    assert.ok(await isInOrder(app.store.db, 'ranking_months_2026_08'))
  })

  test('a report that has begun keeps a month from being swapped, and reads what it would have read', async () => {
    const snapshots = openPostgresSnapshots(place.env.DATABASE_URL as string, 1)
    const count = (db: Kysely<Tables>) => sql<{ count: number }>`select count(*) as count from ranking_months`.execute(db)
    const expected = (await count(world.app.store.db)).rows[0]?.count
    await snapshots.snapshot(async (db) => {
      await sql`select 1`.execute(db)
      assert.equal((await months().close(await october_(), stopAfter(6))).outcome, 'busy')
      assert.equal((await count(db)).rows[0]?.count, expected)
    })
    await snapshots.close()
    assert.equal((await months().close(await october_(), goingOn)).outcome, 'closed')
    assert.equal((await count(world.app.store.db)).rows[0]?.count, expected)
  })
})

function monthAt(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 7)
}

function ranking(day: string, keyword: number, rank: number) {
  const words = { phrase: `word ${keyword}`, search_engine: 'Google', locale: 'en-us', ranked_at: `${day} 04:00:00`, rank }
  return { type: 'ranking', site: 'example.com', ...words }
}

function dayOf(day: string) {
  return Array.from({ length: keywords }, (_, keyword) => ranking(day, keyword, 1 + (keyword % 90)))
}

/** Two large accounts and many small ones; written in no order. */
async function fillAugust(db: Kysely<Tables>, accounts: readonly number[], large: number): Promise<void> {
  await sql`insert into subjects (account_id, site_id, domain, created_at)
    select id, (select min(id) from sites), 'august.example', '2026-08-01T00:00:00Z' from unnest(${accounts}::bigint[]) id`.execute(db)
  await sql`insert into keywords (account_id, subject_id, phrase)
    select s.account_id, s.id, 'august ' || n from subjects s, generate_series(1, case when s.account_id = any(${accounts.slice(0, 2)}::bigint[]) then ${large}::int else 2 end) n
    where s.domain = 'august.example'`.execute(db)
  await sql`insert into ranking_months (account_id, keyword_id, starts_at, data)
    select account_id, id, ${august}, decode(md5(id::text), 'hex') from keywords where phrase like 'august %' order by md5(id::text)`.execute(
    db,
  )
}

async function hashOfAugust(db: Kysely<Tables>): Promise<{ count: number; hash: string }> {
  const { rows } = await sql<{ count: number; hash: string }>`
    select count(*) as count, md5(string_agg(concat_ws(',', account_id, keyword_id, starts_at, data), ';' order by account_id, keyword_id)) as hash
    from ranking_months where starts_at >= ${august} and starts_at < ${september}`.execute(db)
  return rows[0] as { count: number; hash: string }
}

async function isInOrder(db: Kysely<Tables>, partition: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select bool_and(before is null or before < (account_id, keyword_id, starts_at)) as is from (
      select account_id, keyword_id, starts_at, lag((account_id, keyword_id, starts_at)) over (order by ctid) as before from ${sql.table(partition)}
    ) rows`.execute(db)
  return rows[0]?.is === true
}

async function storageOf({ app }: World, table: string): Promise<string> {
  const { rows } = await sql<{ options: string }>`
    select array_to_string(reloptions, ',') as options from pg_class where oid = to_regclass(${table})`.execute(app.store.db)
  return rows[0]?.options ?? ''
}

/** Tables, functions and triggers that closing made and that must be gone. */
async function leftOvers({ app }: World): Promise<string> {
  const { rows } = await sql<{ names: string | null }>`select string_agg(name, ',') as names from (
    select relname as name from pg_class where relname like '%months%\\_copy%'
    union all select proname from pg_proc where proname like '%\\_mirror'
    union all select tgname from pg_trigger where tgname = 'mirror') found`.execute(app.store.db)
  return rows[0]?.names ?? ''
}
