/** The query: each name is known, given once and understood, or the request is refused with the name that was probably meant. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { nearest } from '../../src/lib/nearest-name.ts'
import { onEachEngine } from '../support/engines.ts'
import { refusedInBoth } from '../support/refusals.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('a parameter that nobody knows', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
  })

  // biome-ignore format: a table reads by its columns
  const slips: readonly (readonly [path: string, says: RegExp])[] = [
    ['/api/seo_report?start=2026-01-01',      /There is no parameter start; did you mean start_date\?/],
    ['/api/seo_report?start-date=2026-01-01', /did you mean start_date\?/],
    ['/api/seo_report?Start_Date=2026-01-01', /did you mean start_date\?/],
    ['/api/seo_report?accountid=1',           /did you mean account_id\?/],
    ['/api/seo_report?site_ids=1',            /did you mean site_id\?/],
    ['/api/users?logins=dana',                /did you mean login\?/],
    ['/api/users?page=2',                     /There is no parameter page; this address takes after, login, email/],
    ['/api/users?_=1731672000',               /There is no parameter _; this address takes/],
    ['/api/users/1?verbose=1',                /There is no parameter verbose; this address takes none/],
    ['/api/users?__proto__=1',                /There is no parameter __proto__/],
    ['/api/users?constructor=1',              /There is no parameter constructor/],
  ]
  for (const [path, says] of slips) {
    test(`${path} is told`, async () => {
      assert.match((await refusedInBoth(acme, 'GET', path, 400, ['bad_request'])).text, says)
    })
  }

  // biome-ignore format: a table reads by its columns
  const taken = [
    '/api/seo_report.xml?_=1731672000',
    '/api/seo_report.json?nocache=0.123&cb=9',
    '/api/seo_report.json?format=xml',
    '/api/seo_report.json?toString=1',
  ]
  for (const path of taken) {
    test(`${path} is an old client's own affair`, async () => {
      const { status, text } = await acme.get(path)
      assert.equal(status, 200, text)
    })
  }

  test('a slip of a flag changes no abilities', async () => {
    const body = JSON.stringify({ abilities: [] })
    await refusedInBoth(acme, 'PUT', '/api/users/1/abilities?merg', 400, ['bad_request'], { body, type: 'application/json' })
  })
})

describe('the nearest name', () => {
  test('is one that begins alike or is two letters away, and never a guess', () => {
    const known = ['start_date', 'end_date', 'site_id', 'names', 'table']
    assert.equal(nearest('star', known), 'start_date')
    assert.equal(nearest('sta', known), undefined)
    assert.equal(nearest('name', known), 'names')
    assert.equal(nearest('tabel', known), 'table')
    assert.equal(nearest('t', known), undefined)
    assert.equal(nearest('_', known), undefined)
    assert.equal(nearest('x'.repeat(100_000), known), undefined)
  })
})
