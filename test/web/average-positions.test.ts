/** Average positions on pages: a line of their own beside ranks, the headline where a site has nothing else; figures of periods stand by themselves. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { createOwner } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import { bytesOf } from '../support/data.ts'
import { onPageEngine } from '../support/engines.ts'
import { password } from '../support/people.ts'
import { serviceOn } from '../support/service.ts'

const today = new Date().toISOString().slice(0, 10)
const day = (ago: number) => dayText(dayNumber(today) - ago)
const ranking = (site: string, phrase: string, rank: number | null, more = {}) => {
  return { type: 'ranking', site, phrase, search_engine: 'Google', locale: 'en-us', ranked_at: `${day(2)} 04:00:00`, rank, ...more }
}
const average = (site: string, ago: number, average_position: number, more = {}) => {
  return { type: 'average_position', site, phrase: 'bread', search_engine: 'Google', date: day(ago), average_position, ...more }
}
const period = { type: 'period', site: 'console.example', phrase: 'bread', search_engine: 'Google', locale: 'en-us' }
const lines = [
  average('console.example', 3, 8.5),
  average('console.example', 2, 7.4),
  average('console.example', 2, 3, { device: 'mobile' }),
  average('console.example', 2, 6.2, { phrase: 'cake', device: 'desktop' }),
  average('console.example', 2, 9, { phrase: 'cake', device: 'mobile' }),
  { ...period, start_date: day(30), end_date: day(3), clicks: 1234, impressions: 56789, average_position: 6.66 },
  { ...period, start_date: day(900), end_date: day(800), clicks: 4321 },
  ranking('both.example', 'bread', 3),
  average('both.example', 2, 7.4),
  ranking('ranks.example', 'bread', 3),
]

onPageEngine('average positions on pages', (place) => {
  const service = serviceOn(place)
  let cookie = ''
  const sites = new Map<string, number>()
  const keywords = new Map<string, number>()
  before(async () => {
    const { id, accountId } = await service.partner('Acme')
    const target = { partnerId: id, accountId }
    const { faults } = await importObservations(service.operator, target, readNdjson(bytesOf(lines)), { createMissing: true })
    assert.deepEqual(faults, [])
    const { db } = service.app.store
    for (const site of await db.selectFrom('sites').select(['id', 'domain']).execute()) sites.set(site.domain, site.id)
    for (const one of await db
      .selectFrom('keywords')
      .innerJoin('subjects', 'subjects.id', 'keywords.subject_id')
      .innerJoin('sites', 'sites.id', 'subjects.site_id')
      .select(['keywords.id', 'phrase', 'sites.domain'])
      .where('keywords.account_id', '=', accountId)
      .orderBy('keywords.id', 'desc')
      .execute())
      keywords.set(`${one.domain} ${one.phrase}`, one.id)
    await createOwner(
      service.operator,
      draftOf(newUser, { login: 'owner', email: 'owner@people.example', password, account_id: accountId }),
    )
    const visitor = { app: service.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null }
    cookie = `__Host-session=${(await logIn(visitor, { name: 'owner', password, isRemembered: false })).token}`
  })
  const get = async (domain: string, path: string) => {
    const reply = await service.stranger.get(`/sites/${sites.get(domain)}/${path}`, { headers: { cookie, accept: 'text/html' } })
    assert.equal(reply.status, 200, path)
    return reply.text
  }

  test('are the headline and a line where a site has no ranks, one series for each keyword, engine and locale', async () => {
    const text = await get('console.example', 'search')
    assert.match(text, /Average position 6\.8 on [^<]*, of 2 keywords\. No ranks of keywords have been measured\./)
    assert.match(text, /Average position in search results/)
    assert.match(text, /From 8\.5 on [^<]* to 6\.8 on [^<]* of all keywords for which it is told/)
    const csv = await get('console.example', 'search.csv?table=average-positions')
    assert.match(csv, new RegExp(`${day(3)},8\\.5\r\n${day(2)},6\\.8`))
  })

  test('stand beside ranks, and are no part of their figures', async () => {
    const [ranks, both] = [await get('ranks.example', 'search'), await get('both.example', 'search')]
    const figures = (text: string) =>
      text.slice(text.indexOf('Keywords in the top 10'), text.indexOf('Keywords not found')).replaceAll(/\/sites\/\d+/g, '')
    assert.equal(figures(both), figures(ranks))
    assert.match(both, /Average position in search results/)
    assert.doesNotMatch(ranks, /Average position in search results/)
    assert.match(both, /7\.4 on [^<]* of all keywords/)
  })

  test('have a line for each series on the page of a keyword, where the figures of periods that touch the days are listed', async () => {
    const text = await get('console.example', `keywords/${keywords.get('console.example bread')}`)
    assert.match(text, /Average position in search results/)
    assert.match(text, /Google \(mobile\)/)
    assert.match(text, /Figures of periods[\s\S]*1,234[\s\S]*56,789[\s\S]*6\.7/)
    assert.doesNotMatch(text, /4,321/)
    const none = await get('ranks.example', `keywords/${keywords.get('ranks.example bread')}`)
    assert.doesNotMatch(none, /Average position in search results|Figures of periods/)
  })
})
