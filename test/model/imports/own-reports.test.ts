/** Our own report tables go in again: the report of what was imported says the same, but for ids. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { csvCells, unguarded } from '../../../src/fields/to-csv.ts'
import { readCsv } from '../../../src/model/imports/csv/csv.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { type ImportOptions, importObservations } from '../../../src/model/imports/import.ts'
import { anyRecord, inRuns, whileTime } from '../../support/any-records.ts'
import { bytesOf } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { fc } from '../../support/properties.ts'
import { serviceOn, type TestPartner } from '../../support/service.ts'

// The metrics have a row for each site and competitor: taken first, they give the order of both.
const tables = ['metrics', 'rankings&series=all', 'backlinks'].map((table) => `seo_report.csv?table=${table}`)
const sites = ['one-site.example', 'two-site.example']

test('the guard against formulas is taken away as it was put there', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom("'", "''", "'=", '=', '\t', '\uff20x')), (text) => {
      const [row = []] = parseCsv(`${csvCells([text, ''])}\r\n`)
      fc.pre(!/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) && text.isWellFormed())
      assert.equal(unguarded(row[0] ?? ''), text)
    }),
  )
})

onEachEngine('our own report tables', (place) => {
  const service = serviceOn(place)

  test('come back as they were', async () => {
    const records = fc.array(fc.tuple(anyRecord, fc.constantFrom(...sites)), { maxLength: 40, size: 'max' })
    await fc.assert(
      fc.asyncProperty(
        records,
        whileTime(5_000, async (some) => {
          const [first, second] = [await service.partner('First'), await service.partner('Second')]
          await take(
            first,
            some.map(([record, site]) => ({ ...record, site })),
          )
          const texts = await tablesOf(first)
          for (const text of texts) await takeCsv(second, text)
          assert.deepEqual((await tablesOf(second)).map(withoutIds), texts.map(withoutIds))
        }),
      ),
      inRuns(5),
    )
  })

  test('are found unchanged where they came from, for the whole partner', async () => {
    const partner = await service.partner('Same')
    const page = { page_url: 'https://maps.example/1', source: 'google', date: '2026-11-01' }
    const lines = [
      { type: 'ranking', phrase: "'=1+1", search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: null },
      {
        type: 'ranking',
        phrase: 'a',
        search_engine: 'Google',
        locale: 'en-us',
        device: 'mobile',
        location: "'=Rio",
        ranked_at: '2026-11-01 00:00:00',
        rank: 3,
      },
      { type: 'snapshot', day: '2026-11-01', domain_authority: null, backlink_count: 3 },
      { type: 'snapshot', day: '2026-11-02', backlink_count: 4 },
      { type: 'backlink', found_on: '2026-11-01', link_strength: 1, source_url: 'https://b.example/', domain_authority: 2 },
      { type: 'review', ...page, rating: 4, user: '-Ann', detail: 'Good', ref: '@1' },
      { type: 'review_count', ...page, competitor: 'rival.example', count: 1, rating_sum: 4 },
    ]
    await take(
      partner,
      lines.map((line) => ({ ...line, site: 'example.com' })),
    )
    for (const text of await tablesOf(partner)) {
      const { kinds, faults } = await takeCsv(partner, text, { partnerId: partner.id }, { counts: 'ask' })
      assert.deepEqual(faults, [])
      for (const { created, updated } of Object.values(kinds)) assert.deepEqual([created, updated], [0, 0])
    }
  })

  const take = async (partner: TestPartner, lines: readonly object[]) => {
    const target = { partnerId: partner.id, accountId: partner.accountId }
    const { faults } = await importObservations(service.operator, target, readNdjson(bytesOf(lines)), { createMissing: true })
    assert.deepEqual(faults, [])
  }
  const takeCsv = async (
    partner: TestPartner,
    text: string,
    target: { partnerId: number; accountId?: number } = { partnerId: partner.id, accountId: partner.accountId },
    options: ImportOptions = {},
  ) => {
    const rows = readCsv(bytesOf([text]), { keepsAccounts: target.accountId === undefined })
    const summary = await importObservations(service.operator, target, rows, { createMissing: true, ...options })
    assert.deepEqual(summary.faults, [])
    return summary
  }
  const tablesOf = async (partner: TestPartner): Promise<string[]> => {
    const reputation = ['detail', 'counts'].map((report) => `/api/accounts/${partner.accountId}/reputation_report/${report}.csv`)
    const replies = await Promise.all([...tables.map((path) => `/api/${path}`), ...reputation].map((path) => partner.get(path)))
    for (const { status, text } of replies) assert.equal(status, 200, text)
    return replies.map(({ text }) => text)
  }
})

function parseCsv(text: string): string[][] {
  return parse(text, { bom: true })
}

/** The ids of another account are others; a page's order among its like is that of its id. */
function withoutIds(text: string): string[][] {
  const [head = [], ...rows] = parseCsv(text)
  const kept = head.flatMap((name, i) => (name === 'id' || name.endsWith('_id') ? [] : [i]))
  const shown = rows.map((row) => kept.map((i) => row[i] as string))
  return [kept.map((i) => head[i] as string), ...(head.includes('page_url') ? shown.toSorted() : shown)]
}
