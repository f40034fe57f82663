/** The run of a month with 5,000 reports: a page of a hundred, all sent by its button, and the reasons for which a report is held, in words. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { lastPeriod, nameOfPeriod } from '../../../src/model/mail/periods.ts'
import type { RunReason } from '../../../src/model/mail/run-reasons.ts'
import { wordsFor } from '../../../src/web/components/number-format.ts'
import { reasonsText } from '../../../src/web/screens/desk/reports/run-texts.ts'
import { agencyOn } from '../../support/agency.ts'
import { onPageEngine } from '../../support/engines.ts'

const many = 5_000

onPageEngine('a run of thousands of reports', (place) => {
  const { service, agency, at, send } = agencyOn(place)
  const period = () => ({ rhythm: 'monthly' as const, ...lastPeriod('monthly', service.app.clock.now().slice(0, 10)) })
  const path = () => `/desk/reports/runs/${nameOfPeriod(period())}`

  before(async () => {
    const now = service.app.clock.now()
    const [about, times] = [{ account_id: agency.world.accountId }, { created_at: now, updated_at: now }]
    const { rhythm, from, to } = period()
    await service.app.store.write(async (tx) => {
      for (let start = 0; start < many; start += 500) {
        const rows = Array.from({ length: 500 }, () => ({ ...about, ...times, rhythm, site_ids: null, last_period: to }))
        const made = await tx.insertInto('report_schedules').values(rows).returning('id').execute()
        const readers = made.map(({ id }) => ({
          ...about,
          ...times,
          schedule_id: id,
          email: `r${id}@readers.example`,
          state: 'active' as const,
        }))
        await tx.insertInto('report_recipients').values(readers).execute()
        const held = { ...about, rhythm, period_from: from, period_to: to, state: 'held' as const, sentence: '', updated_at: now }
        const runs = made.map(({ id }, place) => ({
          ...held,
          schedule_id: id,
          reasons: start === 0 && place < 12 ? JSON.stringify([{ kind: 'never' }]) : '[]',
        }))
        await tx.insertInto('report_runs').values(runs).execute()
      }
    })
  })

  test('shows a hundred of them, and leads to the others', async () => {
    const { text } = await (await at('ben-desk')).get(path())
    assert.match(text, /5,000 reports every month: 12 held, 4,988 ready\./)
    assert.equal(text.split('<tr id="report-').length - 1, 100)
    assert.match(text, /page=2/)
    assert.ok(brotliCompressSync(text).length < 40 * 1024, 'compressed')
    assert.ok(text.length < 300 * 1024, `${text.length} characters`)
  })

  test('sends what is ready by its button, each once, and keeps what is held', async () => {
    const ben = await at('ben-desk')
    for (let times = 0; times < 20; times++) {
      const { text } = await ben.get(path())
      const was = /name="was" value="(\w+)"><button class="button" name="do" value="all">/.exec(text)?.[1]
      if (was === undefined) break
      assert.equal((await send(ben, path(), { do: 'all', was }, '/password')).status, 303)
    }
    assert.match((await ben.get(path())).text, /5,000 reports every month: 12 held, 4,988 sent\./)
    const mails = service.app.store.db.selectFrom('mails').where('kind', '=', 'report')
    const { rows } = await mails.select(({ fn }) => fn.countAll().as('rows')).executeTakeFirstOrThrow()
    assert.equal(Number(rows), many - 12)
  })
})

describe('why a report is held', () => {
  const words = wordsFor('en-GB', 'UTC')
  const file = { kind: 'file', files: 1, name: 'ranks.csv', on: '2026-11-08', isRefused: false } as const
  const cases: readonly (readonly [readonly RunReason[], string])[] = [
    [[{ kind: 'never' }], 'nothing has been measured yet'],
    [[{ kind: 'stale', since: '2026-11-06', sites: 1, site: 'www.harbor.example' }], 'nothing measured since 6 Nov at www.harbor.example'],
    [[{ kind: 'stale', since: '2026-11-06', sites: 3, site: '' }], '3 sites not measured lately, one since 6 Nov'],
    [[file], 'the file ranks.csv of 8 Nov has lines that were left out'],
    [[{ ...file, isRefused: true, name: null }], 'a file of 8 Nov could not be stored'],
    [[{ ...file, files: 3 }], 'the file ranks.csv of 8 Nov has lines that were left out, and 2 more files with faults'],
    [[{ kind: 'never' }, file], 'nothing has been measured yet; the file ranks.csv of 8 Nov has lines that were left out'],
  ]
  for (const [reasons, said] of cases) test(said, () => assert.equal(reasonsText(words, reasons), said))
})
