/** The tag of a report tells apart whatever may differ in the bytes, and first of all whose they are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReportQuestion } from '../../../src/model/reports/question.ts'
import { etagOf } from '../../../src/model/reports/version.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

const asked: ReportQuestion = {
  report: 'seo',
  format: 'csv',
  names: 'encoded',
  table: 'rankings',
  partnerId: 1,
  accountIds: [1, 2],
  siteIds: null,
  startDate: null,
  endDate: '2026-10-31',
  figuresBy: '2026-10-31',
}

/** One other value for everything that can be asked. */
const otherwise: { readonly [N in keyof ReportQuestion]: ReportQuestion[N] } = {
  report: 'detail',
  format: 'xml',
  names: 'legacy',
  table: 'metrics',
  partnerId: 2,
  accountIds: null,
  siteIds: [1, 2],
  startDate: '2026-10-01',
  endDate: null,
  figuresBy: '2026-10-30',
}

onEachEngine('the tag of a report', (place) => {
  const at = groundAt(place)
  const tag = (change: Partial<ReportQuestion> = {}) => etagOf(at.app, { ...asked, ...change }, 'zstd', '1:7,2:3')

  test("acme's is never globex's, though nothing else differs: neither the accounts, nor their versions, nor the address", () => {
    assert.notEqual(tag({ partnerId: 1 }), tag({ partnerId: 2 }))
    assert.equal(tag({ partnerId: 2 }), tag({ partnerId: 2 }))
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
    const tags = [tag(), etagOf(at.app, asked, 'gzip', '1:7,2:3'), etagOf(at.app, asked, 'zstd', '1:7,2:4')]
    assert.equal(new Set(tags).size, 3)
  })
})
