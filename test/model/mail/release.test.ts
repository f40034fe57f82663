/** Reports that are due: what goes by itself, what is held and why, and what staff decide about it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { daysLater } from '../../../src/lib/time/days.ts'
import type { StaffCaller } from '../../../src/model/core/caller.ts'
import { renewMeasuredVersions } from '../../../src/model/core/report-version.ts'
import { isReportDue, queueDueReports, sendAgain } from '../../../src/model/mail/due-reports.ts'
import { lastPeriod } from '../../../src/model/mail/periods.ts'
import { confirmRecipient, recipientToken } from '../../../src/model/mail/recipients.ts'
import { decideRun, type NamedRun } from '../../../src/model/mail/release.ts'
import { runVersion } from '../../../src/model/mail/run-version.ts'
import { changeSchedule, createSchedule, deleteSchedule, type ScheduleWishes } from '../../../src/model/mail/schedules.ts'
import { setPartner } from '../../../src/model/partners/partners.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onEachEngine } from '../../support/engines.ts'
import { password } from '../../support/people.ts'
import { doorWorldAt } from '../../support/visitors.ts'

onEachEngine('reports that are due', (place) => {
  const world = doorWorldAt(place)
  const dana = 'dana-owner@people.example'
  let staff = {} as Record<'ben' | 'mia', StaffCaller>

  before(async () => {
    staff = { ben: await colleague('ben-desk', 'all'), mia: await colleague('mia-desk', 'assigned') }
  })

  const db = () => world.app.store.db
  const colleague = async (login: string, customers: 'all' | 'assigned'): Promise<StaffCaller> => {
    const { partnerId } = world
    const { account_id } = await db().selectFrom('partners').select('account_id').where('id', '=', partnerId).executeTakeFirstOrThrow()
    const accountId = account_id ?? 0
    const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: accountId })
    const { id: userId } = await createUser(world.operator, draft)
    await appointStaff(world.operator, partnerId, userId, { role: 'member', customers })
    return { kind: 'staff', app: world.app, requestId: 'test', partnerId, accountId, userId, role: 'member', customers }
  }
  const clear = async () => {
    await world.app.store.write(async (tx) => {
      for (const table of ['mails', 'report_recipients', 'report_runs', 'report_schedules', 'site_figures', 'intakes'] as const)
        await tx.deleteFrom(table).execute()
    })
  }
  const schedule = async (wishes: Partial<ScheduleWishes> = {}, account = world.accountId) => {
    const usual = { rhythm: 'monthly', siteIds: null, recipients: [dana] } as const
    const { id, recipients } = await createSchedule(world.operator, account, { ...usual, ...wishes })
    for (const recipient of recipients) await confirmRecipient(world.app, recipientToken(world.app, recipient.id))
    return id
  }
  const nextMonth = () => world.clock.pass(31 * 86_400)
  const ended = () => lastPeriod('monthly', world.clock.now().slice(0, 10))
  /** What the stored figures say of the sites of the account, each with the last day of a position. */
  const measure = async (days: Readonly<Record<number, string>>) => {
    const rows = Object.entries(days).map(([id, measured_on]) => ({
      site_id: Number(id),
      account_id: world.accountId,
      measured_on,
      visibility: null,
      pairs: 1,
      compared_now: null,
      compared_before: null,
      compared_pairs: 0,
      rating: null,
      reasons: '[]',
    }))
    await world.app.store.write(async (tx) => {
      await tx.deleteFrom('site_figures').execute()
      await tx.insertInto('site_figures').values(rows).execute()
      await renewMeasuredVersions(tx, [world.accountId])
    })
  }
  const intake = (values: { state: 'stored' | 'refused' | 'undone'; refused: number; file_name?: string; undone_at?: string }) =>
    world.app.store.write((tx) =>
      tx
        .insertInto('intakes')
        .values({
          partner_id: world.partnerId,
          account_id: world.accountId,
          via: 'upload',
          actor: 'test',
          file_name: 'ranks.csv',
          sha256: null,
          mapping: null,
          counts: '{}',
          created_at: world.clock.now(),
          began_at: null,
          ended_at: null,
          bytes: null,
          faults: null,
          notices: null,
          undo: null,
          recognised_as: null,
          undone_at: null,
          ...values,
        })
        .execute(),
    )
  const runs = async (id: number) => {
    const rows = await db().selectFrom('report_runs').selectAll().where('schedule_id', '=', id).orderBy('period_to').execute()
    return rows.map(({ state, reasons }) => [state, JSON.parse(reasons)])
  }
  const named = async (id: number): Promise<[NamedRun, string]> => {
    const { to } = ended()
    const run = await db()
      .selectFrom('report_runs')
      .selectAll()
      .where('schedule_id', '=', id)
      .where('period_to', '=', to)
      .executeTakeFirst()
    return [{ scheduleId: id, period: { rhythm: 'monthly', ...ended() } }, run ? runVersion(run) : '']
  }
  const decide = async (decision: 'send' | 'skip', id: number) => {
    const [run, was] = await named(id)
    return decideRun(staff.ben, run, decision, was)
  }
  const mailed = async () =>
    (await db().selectFrom('mails').select('payload').where('kind', '=', 'report').orderBy('id').execute()).map(
      ({ payload }) => JSON.parse(payload).schedule_id,
    )
  const measuredWell = () => measure({ [world.chicago]: ended().to, [world.evanston]: daysLater(ended().to, -6) })

  test('those of earlier versions and those that go by themselves go, whatever was measured', async () => {
    await clear()
    const old = await schedule({ release: 'automatic' })
    await world.app.store.write((tx) => tx.updateTable('report_schedules').set({ release: null }).execute())
    const own = await schedule({ release: 'automatic' })
    nextMonth()
    await measure({ [world.chicago]: '2020-01-01' })
    assert.equal(await isReportDue(world.app), true)
    assert.equal(await queueDueReports(world.app), 2)
    assert.deepEqual(await mailed(), [old, own])
    assert.deepEqual(await runs(old), [['released', []]])
    assert.equal(await isReportDue(world.app), false)
  })

  test('new ones are held where a site was not measured at the end of the period', async () => {
    await clear()
    const id = await schedule()
    const other = await schedule({ siteIds: [world.chicago] })
    nextMonth()
    const since = `${ended().to.slice(0, 7)}-06`
    await measure({ [world.chicago]: ended().to, [world.evanston]: since, [world.closed]: '2020-01-01' })
    assert.equal(await queueDueReports(world.app), 1, 'the site of the other one was measured')
    assert.deepEqual(await mailed(), [other])
    assert.deepEqual(await runs(id), [['held', [{ kind: 'stale', since, sites: 1, site: 'evanston.harbor.example' }]]])
    assert.equal(await queueDueReports(world.app), 0, 'it stays held')
    nextMonth()
    await measuredWell()
    assert.equal(await queueDueReports(world.app), 2)
    assert.deepEqual(
      (await runs(id)).map(([state]) => state),
      ['missed', 'released'],
      'what was held until the next one came is not sent any more',
    )
  })

  test('a file with faults holds them until it is undone or sent again', async () => {
    await clear()
    const held = async () => {
      const id = await schedule()
      nextMonth()
      await measuredWell()
      return id
    }
    const first = await held()
    await intake({ state: 'stored', refused: 0 })
    await intake({ state: 'undone', refused: 4, undone_at: world.clock.now() })
    assert.equal(await queueDueReports(world.app), 1, 'nothing is wrong with these')
    await deleteSchedule(world.operator, world.accountId, first)
    const second = await held()
    await intake({ state: 'stored', refused: 4, file_name: 'march.csv' })
    await intake({ state: 'refused', refused: 9 })
    assert.equal(await queueDueReports(world.app), 0)
    const on = world.clock.now().slice(0, 10)
    assert.deepEqual(await runs(second), [['held', [{ kind: 'file', files: 2, name: 'ranks.csv', on, isRefused: true }]]])
    await deleteSchedule(world.operator, world.accountId, second)
    await world.app.store.write((tx) => tx.updateTable('intakes').set({ undone_at: on }).where('state', '=', 'stored').execute())
    const third = await held()
    await intake({ state: 'refused', refused: 9 })
    await intake({ state: 'stored', refused: 0 })
    assert.equal(await queueDueReports(world.app), 1, 'the file came again without faults')
    assert.deepEqual(await runs(third), [['released', []]])
  })

  test('nothing is held where nobody of the staff could let it go, unless somebody wanted that', async () => {
    await clear()
    const globex = await db().selectFrom('sites').select('account_id').where('id', '=', world.globexSite).executeTakeFirstOrThrow()
    const to = ['gina-globex@people.example']
    const id = await schedule({ recipients: to }, globex.account_id)
    const byHand = await schedule({ recipients: to, release: 'by_hand' }, globex.account_id)
    nextMonth()
    assert.equal(await queueDueReports(world.app), 1)
    assert.deepEqual(await mailed(), [id])
    assert.deepEqual(await runs(byHand), [['held', [{ kind: 'never' }]]])
    assert.equal(await sendAgain(world.operator, byHand), 1, 'the operator sends it')
    assert.deepEqual(
      (await runs(byHand)).map(([state]) => state),
      ['released'],
    )
  })

  test('what is held is sent once, or skipped', async () => {
    await clear()
    const [one, two] = [await schedule({ release: 'by_hand' }), await schedule({ release: 'by_hand' })]
    nextMonth()
    await measuredWell()
    assert.equal(await queueDueReports(world.app), 0)
    assert.deepEqual(await runs(one), [['held', []]])
    const [first, was] = await named(one)
    await assert.rejects(decideRun(staff.mia, first, 'send', was), { code: 'not_found' }, 'the customer is not hers')
    await assert.rejects(decideRun(staff.ben, { ...first, period: { ...first.period, to: '2020-01-31' } }, 'send', was), {
      code: 'not_found',
    })
    await assert.rejects(decideRun(staff.ben, first, 'send', 'other'), { code: 'conflict' })
    await decideRun(staff.ben, first, 'send', was)
    assert.deepEqual(await mailed(), [one])
    await assert.rejects(decideRun(staff.ben, first, 'send', was), { code: 'conflict' })
    await assert.rejects(decide('skip', one), { code: 'conflict' })
    await decide('skip', two)
    assert.deepEqual(await mailed(), [one])
    await decide('send', two)
    assert.deepEqual(await mailed(), [one, two], 'who has skipped one may think better of it')
    const entries = await db().selectFrom('audit_entries').select(['action', 'actor']).where('action', 'like', 'schedule.%').execute()
    assert.deepEqual(
      entries.slice(-3).map(({ action, actor }) => [action, actor]),
      ['release', 'skip', 'release'].map((verb) => [`schedule.${verb}`, `user:${staff.ben.userId}`]),
    )
  })

  test('the partner chooses for new ones, and each of them may choose otherwise', async () => {
    await clear()
    const release = async (id: number) =>
      (await db().selectFrom('report_schedules').select('release').where('id', '=', id).executeTakeFirstOrThrow()).release
    const before = await schedule()
    await setPartner(world.operator, world.partnerId, { release: 'by_hand' })
    const after = await schedule()
    assert.deepEqual([await release(before), await release(after)], ['unless_wrong', 'by_hand'])
    await changeSchedule(world.operator, world.accountId, after, { release: 'automatic' })
    assert.equal(await release(after), 'automatic')
    const wrong = changeSchedule(world.operator, world.accountId, after, { release: 'never' as 'automatic' })
    await assert.rejects(wrong, { code: 'validation_failed' })
    await setPartner(world.operator, world.partnerId, { release: null })
    assert.equal(await release(await schedule()), 'unless_wrong')
  })
})
