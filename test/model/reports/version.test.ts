/** The tag of a report tells apart whatever may differ in the bytes, and first of all whose they are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartnerCaller } from '../../../src/model/core/caller.ts'
import { oneSeries, type ReportQuestion } from '../../../src/model/reports/question.ts'
import { etagOf } from '../../../src/model/reports/version.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

const asked: ReportQuestion = {
  report: 'seo',
  format: 'csv',
  names: 'encoded',
  table: 'rankings',
  accountIds: [1, 2],
  siteIds: null,
  reach: null,
  startDate: null,
  endDate: '2026-10-31',
  ...oneSeries,
}

/** One other value for everything that can be asked. */
const otherwise: { readonly [N in keyof ReportQuestion]: ReportQuestion[N] } = {
  report: 'detail',
  format: 'xml',
  names: 'legacy',
  table: 'metrics',
  accountIds: null,
  siteIds: [1, 2],
  reach: [7],
  startDate: '2026-10-01',
  endDate: null,
  series: 'all',
  device: '',
  location: '',
}

onEachEngine('the tag of a report', (place) => {
  const at = groundAt(place)
  const of = (partnerId: number) => ({ app: at.app, partnerId }) as PartnerCaller
  const tag = (change: Partial<ReportQuestion> = {}, partnerId = 1) => etagOf(of(partnerId), { ...asked, ...change }, 'zstd', '1:7,2:3')

  test("acme's is never globex's, though nothing else differs: neither the accounts, nor their versions, nor the address", () => {
    assert.notEqual(tag({}, 1), tag({}, 2))
    assert.equal(tag({}, 2), tag({}, 2))
  })

  test('is another one for anything else that is asked', () => {
    const tags = Object.entries(otherwise).map(([name, value]) => tag({ [name]: value }))
    assert.equal(new Set([tag(), ...tags]).size, tags.length + 1)
  })

  test('tells what is not asked for from what is asked for and empty', () => {
    const tags = [null, '', 'null'].map((startDate) => tag({ startDate }))
    const lists = [null, [], [1], [1, 2]].map((siteIds) => tag({ siteIds }))
    assert.equal(new Set([...tags, ...lists]).size, tags.length + lists.length - 1)
  })

  test('tells a value from the same value asked for under another name', () => {
    assert.notEqual(tag({ startDate: '2026-10-01', endDate: null }), tag({ startDate: null, endDate: '2026-10-01' }))
    assert.notEqual(tag({ names: 'encoded|rankings' as never, table: null }), tag({ names: 'encoded', table: 'rankings|' as never }))
  })

  test('is another one for another coding and for other data', () => {
    const tags = [tag(), etagOf(of(1), asked, 'gzip', '1:7,2:3'), etagOf(of(1), asked, 'zstd', '1:7,2:4')]
    assert.equal(new Set(tags).size, 3)
  })
})
