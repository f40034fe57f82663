/** A month's run of reports at the desk: read before it goes, with a sentence for each customer, and sent, skipped or held. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { daysLater } from '../../../src/lib/time/days.ts'
import { queueDueReports } from '../../../src/model/mail/due-reports.ts'
import { lastPeriod, nameOfPeriod, runningPeriod } from '../../../src/model/mail/periods.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import type { Release } from '../../../src/resources/schedule.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'
import type { PlainBrowser } from '../../support/plain-browser.ts'

onPageEngine('the run of a month', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const db = () => service.app.store.db
  const today = () => service.app.clock.now().slice(0, 10)
  const over = () => ({ rhythm: 'monthly' as const, ...lastPeriod('monthly', today()) })
  const path = () => `/desk/reports/runs/${nameOfPeriod(over())}`
  const ahead = () => `/desk/reports/runs/${nameOfPeriod(runningPeriod('monthly', today()))}`
  let ids = { harbor: 0, pine: 0, oak: 0 }
  let oak = 0

  before(async () => {
    const account = async (name: string) => (await createAccount(service.operator, agency.world.partnerId, name)).id
    const schedule = async (accountId: number, release: Release) => {
      const recipients = [`reader-${accountId}@readers.example`]
      const { id } = await createSchedule(service.operator, accountId, { rhythm: 'monthly', siteIds: null, recipients, release })
      return id
    }
    oak = await account('Oak <Garden>')
    ids = {
      harbor: await schedule(agency.world.accountId, 'by_hand'),
      pine: await schedule(await account('Pine'), 'unless_wrong'),
      oak: await schedule(oak, 'by_hand'),
    }
    await service.app.store.write(async (tx) => {
      await tx.updateTable('report_recipients').set({ state: 'active' }).execute()
      await tx
        .updateTable('report_schedules')
        .set({ last_period: daysLater(over().from, -1) })
        .execute()
      const accounts = await tx.selectFrom('report_schedules').select('account_id').where('id', '!=', ids.pine).execute()
      for (const { account_id } of accounts)
        await tx
          .insertInto('measured_versions')
          .values({ account_id, version: 7 })
          .onConflict((on) => on.column('account_id').doUpdateSet({ version: 7 }))
          .execute()
      await tx.updateTable('accounts').set({ looked_after_by: agency.staff.mia }).where('id', '=', oak).execute()
    })
  })

  const mailed = async () =>
    (await db().selectFrom('mails').select('payload').where('kind', '=', 'report').execute()).map(
      ({ payload }) => JSON.parse(payload).schedule_id,
    )
  const rowOf = (text: string, id: number) => text.split(`<tr id="report-${id}">`)[1]?.split('</tr>')[0] ?? ''
  const wasOf = (text: string, id: number) => /name="was" value="(\w+)"/.exec(rowOf(text, id))?.[1] ?? ''
  const allOf = (text: string) => /name="was" value="(\w+)"><button class="button" name="do" value="all">/.exec(text)?.[1] ?? ''
  const decide = async (browser: PlainBrowser, id: number, act: string, more: Record<string, string> = {}, page = path()) => {
    const { text } = await browser.get(page)
    return send(browser, page, { schedule: String(id), do: act, was: wasOf(text, id), ...more }, '/password')
  }

  test('says before the due day what will go, and takes a sentence and a decision beforehand', async () => {
    const ben = await at('ben-desk')
    const { text } = await ben.get(ahead())
    assert.match(text, /Due on .*, as things are: 1 would be held, 2 will wait to be sent\./)
    assert.match(rowOf(text, ids.pine), /would be held.*nothing has been measured yet/s)
    assert.doesNotMatch(text, /value="send"|value="all"/)
    assert.match((await decide(ben, ids.harbor, 'skip', {}, ahead())).headers.location ?? '', /done=skip#report-/)
    assert.match(rowOf((await ben.get(ahead())).text, ids.harbor), /skipped.*Send after all/s)
    await decide(ben, ids.harbor, 'send', { sentence: 'Ahead' }, ahead())
    assert.match(rowOf((await ben.get(ahead())).text, ids.harbor), /will wait to be sent.*>Ahead<\/textarea>/s)
    assert.deepEqual(await mailed(), [])
    const never = `/desk/reports/runs/${nameOfPeriod(runningPeriod('monthly', daysLater(today(), 70)))}`
    for (const nothing of [never, '/desk/reports/runs/2026-13', '/desk/reports/runs/2026-11-10', '/desk/reports/runs/x'])
      assert.equal((await ben.get(nothing)).status, 404, nothing)
  })

  test('is held with its reasons, and a sentence is kept for each customer', async () => {
    assert.equal(await queueDueReports(service.app), 0)
    const ben = await at('ben-desk')
    const { text } = await ben.get(path())
    assert.match(text, /3 reports every month: 1 held, 2 ready\./)
    assert.match(text, /Send the 2</)
    assert.match(rowOf(text, ids.pine), /held.*nothing has been measured yet/s)
    assert.match(rowOf((await ben.get(`${path()}?show=ready`)).text, ids.harbor), /ready to be sent/)
    assert.equal(rowOf((await ben.get(`${path()}?show=ready`)).text, ids.pine), '')
    assert.equal(rowOf((await ben.get(`${path()}?q=oak`)).text, ids.harbor), '')
    assert.equal((await decide(ben, ids.oak, 'note', { sentence: ' We <moved>\r\nour office. ' })).status, 303)
    assert.match(rowOf((await ben.get(path())).text, ids.oak), /<details open>.*We &lt;moved&gt;\nour office\.<\/textarea>/s)
    const long = await decide(ben, ids.oak, 'note', { sentence: 'x'.repeat(601) })
    assert.equal(long.status, 422)
    assert.match(long.text, /Sentence is too long \(maximum is 600 characters\)/)
    assert.match(rowOf(long.text, ids.oak), /x{601}<\/textarea>/)
    const late = await decide(ben, ids.oak, 'send', { was: 'other', sentence: 'typed' })
    assert.match(late.text, /changed this meanwhile/)
    assert.match(rowOf(late.text, ids.oak), />typed<\/textarea>/)
    const preview = (await ben.get(`/desk/reports/${ids.oak}/preview?period=${nameOfPeriod(over())}`)).text
    assert.match(preview, /Nothing to mail/)
  })

  test('is that of assigned customers alone where customers are assigned, and of nobody else', async () => {
    const mia = await at('mia-desk')
    const { text } = await mia.get(path())
    assert.match(text, /1 report every month: 1 ready\./)
    assert.doesNotMatch(text, /Pine|Harbor/)
    const ben = await at('ben-desk')
    const was = wasOf((await ben.get(path())).text, ids.harbor)
    assert.equal((await send(mia, path(), { schedule: String(ids.harbor), do: 'send', was }, '/password')).status, 404)
    const all = allOf((await ben.get(path())).text)
    assert.match((await send(mia, path(), { do: 'all', was: all }, '/password')).text, /changed this meanwhile/)
    const dana = await at('dana-owner')
    assert.equal((await dana.get(path())).status, 404)
    assert.equal((await send(dana, path(), { do: 'all', was: all }, '/password')).status, 404)
    assert.deepEqual(await mailed(), [])
  })

  test('goes at once where it is ready, once', async () => {
    const ben = await at('ben-desk')
    const was = allOf((await ben.get(path())).text)
    assert.match((await send(ben, path(), { do: 'all', was }, '/password')).headers.location ?? '', /done=all/)
    assert.deepEqual(new Set(await mailed()), new Set([ids.harbor, ids.oak]))
    assert.match((await send(ben, path(), { do: 'all', was }, '/password')).headers.location ?? '', /done=none/)
    assert.equal((await mailed()).length, 2)
    const { text } = await ben.get(path())
    assert.match(text, /3 reports every month: 1 held, 2 sent\./)
    assert.match(rowOf(text, ids.oak), /sent; 1 on the way.*With this sentence: We &lt;moved&gt;/s)
    assert.doesNotMatch(rowOf(text, ids.oak), /<form/)
    assert.equal((await decide(ben, ids.pine, 'skip')).status, 303)
    assert.match(rowOf((await ben.get(path())).text, ids.pine), /skipped.*Send after all/s)
    assert.equal((await decide(ben, ids.pine, 'send', { sentence: 'Late, sorry.' })).status, 303)
    assert.equal((await mailed()).length, 3)
    const entries = await db()
      .selectFrom('audit_entries')
      .select(['action', 'subject_id'])
      .where('action', 'like', 'schedule.release')
      .execute()
    assert.deepEqual(
      entries.slice(-3).map(({ subject_id }) => subject_id),
      [...[ids.harbor, ids.oak].toSorted((a, b) => a - b), ids.pine],
    )
  })
})
