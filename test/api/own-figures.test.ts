/** Numbers of the customer's own (calls, leads) come in by every way, go out, are taken back and go with their site; reports know nothing of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { exportObservations } from '../../src/model/imports/export/export.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { undoIntake } from '../../src/model/intakes/undo.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { countBelowSite } from '../../src/model/partners/removal-counts.ts'
import { deleteSite } from '../../src/model/partners/site-removal.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { exportAccounts } from '../../src/model/transfers/export-accounts.ts'
import { importAccounts } from '../../src/model/transfers/import-accounts.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { bytesOf } from '../support/data.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

const site = 'harbor.example'
const calls = { type: 'own_figure', site, figure: 'calls', date: '2026-11-14', value: 37.25 }
const costs = { type: 'own_figure', site, figure: 'cost', unit: 'EUR a lead', date: '2026-11-14', value: -0.1, better: 'down' }

onEachEngine('own figures', (place) => {
  const house = serviceOn(place)
  let many = 0

  /** A partner with one site, and what a test does with it. */
  async function newcomer() {
    const partner = await house.partner(`Partner ${many++}`)
    const business = await createBusiness(house.operator, draftOf(newBusiness, { name: 'Harbor', account_id: partner.accountId }))
    const { id: siteId } = await createSite(house.operator, business.id, site)
    const { key, password } = await issueKey(house.operator, partner.id, { label: 'push', scopes: ['ingest'] })
    const push = async (path: string, type: string, body: string) =>
      (await partner.ask('POST', `/api/observations${path}`, { credentials: `${key}:${password}`, body, type })).text
    const take = async (lines: readonly object[]) => {
      const summary = await importObservations(house.operator, { partnerId: partner.id }, readNdjson(bytesOf(lines)))
      return { ...summary.kinds.own_figure, intakeId: summary.intakeId as number, faults: summary.faults }
    }
    const exported = async () => {
      const lines: object[] = []
      const add = async (text: string) =>
        void lines.push(
          ...text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        )
      await exportObservations(house.operator, { accountId: partner.accountId, kinds: ['own_figure'] }, add)
      return lines
    }
    return { partner, siteId, push, take, exported }
  }

  test('they are pushed as JSON and as CSV, and come out as they went in', async () => {
    const { push, exported } = await newcomer()
    assert.match(await push('.xml', 'application/json', JSON.stringify([calls, costs])), /<created type="integer">2</)
    const csv = `site,figure,unit,date,value,better\n${site},calls,,2026-11-14,38,\n${site},leads,,2026-11-13,4,up\n`
    assert.match(await push('.json', 'text/csv', csv), /"created":1,"updated":1/)
    const leads = { type: 'own_figure', site, figure: 'leads', date: '2026-11-13', better: 'up', value: 4 }
    assert.deepEqual(await exported(), [leads, { ...calls, better: 'up', value: 38 }, costs])
  })

  test('columns of days are read, with a comma before the fraction', async () => {
    const { push, exported } = await newcomer()
    const query = '.json?kind=own_figure&unpivot=value&decimal=,&set=figure=calls'
    assert.match(await push(query, 'text/csv', `site;2026-11-01;2026-11-02\n${site};1,5;2\n`), /"created":2/)
    assert.deepEqual(
      (await exported()).map((line) => ('value' in line ? line.value : undefined)),
      [1.5, 2],
    )
  })

  test('a file of another kind may have a column named value', async () => {
    const { push } = await newcomer()
    const csv = `site,phrase,value\n${site},dentist,4\n`
    assert.match(await push('.json?create_missing=1', 'text/csv', csv), /"created":1,.*"refused":0/)
    assert.match(await push('.json', 'text/csv', csv.replace('value', 'figure')), /own_figures it lacks date, value/)
  })

  test('a figure in another unit is another figure, and every field is checked', async () => {
    const { take } = await newcomer()
    assert.partialDeepStrictEqual(await take([calls, { ...calls, unit: 'a day' }, costs]), { created: 3 })
    assert.partialDeepStrictEqual(
      await take([
        { ...calls, better: 'down' },
        { ...costs, unit: ' EUR a lead ' },
      ]),
      {
        updated: 1,
        unchanged: 1,
      },
    )
    const bad = [{ figure: ' ' }, { figure: 'two\nlines' }, { unit: 'x'.repeat(31) }, { value: '1' }, { value: 1e13 }, { better: 'left' }]
    const { faults } = await take([...bad.map((one) => ({ ...calls, ...one })), { ...calls, competitor: 'rival.example' }])
    assert.deepEqual(
      faults.map(({ field, code }) => `${field} ${code}`),
      [
        'figure blank',
        'figure not_one_line',
        'unit too_long',
        'value not_a_number',
        'value out_of_range',
        'better not_one_of',
        'competitor unknown_field',
      ],
    )
  })

  test('an import is taken back: what it created goes, what it changed is as before', async () => {
    const { take, exported } = await newcomer()
    await take([calls])
    const before = await exported()
    const { intakeId } = await take([{ ...calls, value: 99 }, costs])
    assert.equal((await exported()).length, 2)
    assert.deepEqual((await undoIntake(house.operator, intakeId)).left_alone, [])
    assert.deepEqual(await exported(), before)
  })

  test('an undo leaves the site that own figures of another import hang on', async () => {
    const { partner, take, exported } = await newcomer()
    const target = { partnerId: partner.id }
    const fresh = { ...calls, site: 'fresh.example', account: partner.accountId }
    const { intakeId } = await importObservations(house.operator, target, readNdjson(bytesOf([fresh])), { createMissing: true })
    await take([{ ...fresh, figure: 'leads' }])
    const { left_alone } = await undoIntake(house.operator, intakeId as number, { isDespiteLater: true })
    assert.ok(left_alone.some(({ kind }) => kind === 'subject'))
    assert.deepEqual(
      (await exported()).map((line) => ('figure' in line ? line.figure : '')),
      ['leads'],
    )
  })

  test('they are counted below their site, and go with it', async () => {
    const { siteId, take, exported, partner } = await newcomer()
    await take([calls, costs])
    assert.partialDeepStrictEqual(await countBelowSite(house.operator, siteId), { months_of_own_figures: 1 })
    await deleteSite(house.operator, siteId)
    assert.deepEqual(await exported(), [])
    const rows = house.app.store.db.selectFrom('own_figure_months').select('starts_at').where('account_id', '=', partner.accountId)
    assert.deepEqual(await rows.execute(), [])
  })

  test('they go along with a whole account', async () => {
    const { partner, take, exported } = await newcomer()
    await take([calls, costs])
    const lines: string[] = []
    await exportAccounts(house.operator, { partnerId: partner.id }, async (text) => void lines.push(text))
    const other = await house.partner(`Other ${many++}`)
    const { accounts } = await importAccounts(
      house.operator,
      { partnerId: other.id },
      readNdjson(bytesOf(lines.map((line) => line.trimEnd()))),
    )
    const there: string[] = []
    await exportObservations(
      house.operator,
      { accountId: accounts[0]?.id as number, kinds: ['own_figure'] },
      async (text) => void there.push(text),
    )
    assert.deepEqual(
      there
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      await exported(),
    )
  })

  test('a report keeps every byte', async () => {
    const { partner, take } = await newcomer()
    const link = { link_strength: 1, domain_authority: 1, source_url: 'https://blog.example/' }
    await take([
      { ...calls, value: 1 },
      { type: 'backlink', site, found_on: '2026-11-14', ...link },
    ])
    const days = '?start_date=2026-11-01&end_date=2026-11-30'
    const reports = [
      `/api/seo_report.xml${days}`,
      `/api/seo_report.json${days}`,
      `/api/accounts/${partner.accountId}/reputation_report/detail.xml`,
    ]
    const read = () => Promise.all(reports.map(async (path) => (await partner.get(path)).text))
    const before = await read()
    assert.match(before[0] ?? '', /blog\.example/)
    await take([calls, costs])
    assert.deepEqual(await read(), before)
  })
})
