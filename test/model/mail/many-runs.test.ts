/** Thousands of reports fall due and are let go in a few statements for each hundred, while other work of the process goes on. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StaffCaller } from '../../../src/model/core/caller.ts'
import { queueDueReports } from '../../../src/model/mail/due-reports.ts'
import { lastPeriod, type NamedPeriod } from '../../../src/model/mail/periods.ts'
import { readyRuns, readyVersion, releaseReady } from '../../../src/model/mail/release-ready.ts'
import { onEachEngine } from '../../support/engines.ts'
import { hearStatements, type Statements } from '../../support/statements.ts'
import { letsOthersWork } from '../../support/turns.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const many = 5_000

onEachEngine('thousands of reports', (place) => {
  const world = doorWorldAt(place)
  let heard: Statements
  const period = (): NamedPeriod => ({ rhythm: 'monthly', ...lastPeriod('monthly', world.clock.now().slice(0, 10)) })
  const db = () => world.app.store.db

  before(async () => {
    heard = hearStatements()
    const now = world.clock.now()
    const [about, times] = [{ account_id: world.accountId }, { created_at: now, updated_at: now }]
    const schedules = Array.from({ length: many }, () => ({ ...about, ...times, rhythm: 'monthly' as const, site_ids: null }))
    await world.app.store.write(async (tx) => {
      const rows = schedules.map((row) => ({ ...row, last_period: '2020-01-31', release: 'by_hand' as const }))
      for (let start = 0; start < many; start += 500) {
        const made = await tx
          .insertInto('report_schedules')
          .values(rows.slice(start, start + 500))
          .returning('id')
          .execute()
        const readers = made.map(({ id }) => ({
          ...about,
          ...times,
          schedule_id: id,
          email: `r${id}@readers.example`,
          state: 'active' as const,
        }))
        await tx.insertInto('report_recipients').values(readers).execute()
      }
      await tx
        .insertInto('measured_versions')
        .values({ ...about, version: 1 })
        .onConflict((on) => on.doNothing())
        .execute()
    })
  })
  after(() => heard?.close())

  const amount = async (table: 'mails' | 'report_runs') =>
    Number(
      (
        await db()
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    )

  test('are held without a statement for each', async () => {
    heard.take()
    await letsOthersWork(() => queueDueReports(world.app))
    assert.ok(heard.take().length < many / 10)
    assert.deepEqual([await amount('report_runs'), await amount('mails')], [many, 0])
  })

  test('go without a statement for each, also if somebody presses twice', async () => {
    const partner = await db().selectFrom('partners').select('account_id').where('id', '=', world.partnerId).executeTakeFirstOrThrow()
    const userId = world.users['dana-owner']
    const ben: StaffCaller = {
      ...{ kind: 'staff', app: world.app, requestId: 'test', userId, role: 'member', customers: 'all' },
      ...{ partnerId: world.partnerId, accountId: partner.account_id ?? 0 },
    }
    const ready = await readyRuns(ben, db(), period()).execute()
    assert.equal(ready.length, many)
    const was = readyVersion(ready)
    await assert.rejects(releaseReady(ben, period(), readyVersion(ready.slice(1))), { code: 'conflict' })
    heard.take()
    await letsOthersWork(async () => {
      const [one, two] = await Promise.all([releaseReady(ben, period(), was), releaseReady(ben, period(), was)])
      assert.equal(one + two, many)
    })
    assert.ok(heard.take().length < many / 2, 'both together')
    assert.equal(await amount('mails'), many)
    assert.equal(await releaseReady(ben, period(), was), 0)
    const entries = db().selectFrom('audit_entries').select('id').where('action', '=', 'schedule.release')
    assert.equal((await entries.execute()).length, many)
  })
})
