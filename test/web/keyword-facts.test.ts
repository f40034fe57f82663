/** What tools tell of keywords beside ranks, on the pages of a site: shown where it exists, sorted, narrowed, and in the CSV file. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../src/fields/read.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { createOwner } from '../../src/model/people/users.ts'
import { newUser } from '../../src/resources/user.ts'
import { inspect, testBrowser } from '../support/browser.ts'
import { bytesOf } from '../support/data.ts'
import { onPageEngine } from '../support/engines.ts'
import { password } from '../support/people.ts'
import { serviceOn } from '../support/service.ts'

const today = new Date().toISOString().slice(0, 10)
const day = (ago: number) => dayText(dayNumber(today) - ago)
const ranking = (site: string, phrase: string, rank: number | null, more = {}) => {
  return { type: 'ranking', site, phrase, search_engine: 'Google', locale: 'en-us', ranked_at: `${day(2)} 04:00:00`, rank, ...more }
}
const clicks = (ago: number, amount: number, search_engine = 'Google', phrase = 'bread', site = 'told.example') => {
  return {
    type: 'click_count',
    site,
    phrase,
    search_engine,
    date: day(ago),
    clicks: amount,
    impressions: amount * 10,
  }
}
const address = `https://told.example/bread${'-and-butter'.repeat(12)}`
const lines = [
  { type: 'keyword', site: 'told.example', phrase: 'cake', tags: 'w'.repeat(50) },
  { type: 'keyword', site: 'told.example', phrase: 'bread', search_volume: 1900, tags: '<b>money</b>,city' },
  { type: 'keyword', site: 'told.example', phrase: 'rolls', search_volume: 0, tags: 'city' },
  ranking('told.example', 'bread', 3, { url: address }),
  ranking('told.example', 'rolls', null, { url: null }),
  ranking('told.example', 'cake', 9),
  clicks(3, 7),
  clicks(2, 5),
  clicks(2, 2, 'Bing'),
  clicks(300, 1000),
  ranking('bare.example', 'bread', 3),
  clicks(2, 4, 'Google', 'tea', 'clicked.example'),
  ranking('both.example', 'bread', 3),
  clicks(2, 6, 'Google', 'tea', 'both.example'),
  clicks(300, 6, 'Google', 'long ago', 'both.example'),
  ranking('tracked.example', 'buns', 4, { device: 'mobile' }),
  ranking('tracked.example', 'buns', 7, { device: 'tablet', location: 'Rio <b>' }),
  { ...clicks(2, 9, 'Google', 'buns', 'tracked.example'), device: 'mobile' },
  { ...clicks(2, 5, 'Google', 'buns', 'tracked.example'), device: 'desktop' },
  ...[12, 8].map((value, ago) => ({ type: 'own_figure', site: 'told.example', figure: 'Calls <b>', date: day(3 - ago), value })),
  ...[95, 94].map((ago) => ({ type: 'own_figure', site: 'told.example', figure: 'Calls <b>', date: day(ago), value: 5 })),
  { type: 'own_figure', site: 'told.example', figure: 'Missed', unit: '%', date: day(3), value: 4.5, better: 'down' },
  { type: 'own_figure', site: 'told.example', figure: 'Missed', unit: '%', date: day(95), value: 3, better: 'down' },
  { type: 'own_figure', site: 'told.example', figure: 'Balance', date: day(3), value: -3 },
]

onPageEngine('keyword facts on pages', (place) => {
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
      .select(['id', 'phrase'])
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .execute())
      keywords.set(one.phrase, one.id)
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
  const phrases = (text: string) => [...text.matchAll(/data-opens dir="auto">([^<]*)</g)].map(([, phrase]) => phrase)

  test('the table has the columns that something is known of, sorts by them, and is narrowed by a tag', async () => {
    const text = await get('told.example', 'search')
    for (const head of ['Searches a month', 'Clicks', 'Impressions']) assert.match(text, new RegExp(`>${head}<`))
    assert.match(text, /<small class="tags" dir="auto">&lt;b&gt;money&lt;\/b&gt;, city<\/small>/)
    assert.deepEqual(phrases(await get('told.example', 'search?sort=volume&order=down')), ['bread', 'rolls', 'cake'])
    assert.deepEqual(phrases(await get('told.example', 'search?tag=city')), ['bread', 'rolls'])
    assert.match(await get('told.example', 'search?tag=city'), /2 of 3 keywords/)
    assert.match(await get('told.example', 'search?tag=nobody'), /No keyword fits/)
  })

  test('the CSV file has all of it, over all engines and within the period', async () => {
    const [head, ...rows] = (await get('told.example', 'search.csv?table=keywords')).replace('\ufeff', '').trim().split('\r\n')
    assert.match(head as string, /,Page,Searches a month,Tags,Clicks,Impressions,Device,Location,places_gained$/)
    assert.match(rows.find((row) => row.startsWith('bread')) as string, new RegExp(`,${address},1900,"<b>money</b>,city",14,140,,,$`))
    assert.match(rows.find((row) => row.startsWith('rolls')) as string, /,,0,city,,,,,$/)
  })

  test('clicks and numbers of the own are added up over the days, shares are averaged, and only like numbers of days are compared', async () => {
    const told = (text: string) =>
      [
        ...text.matchAll(
          /<dt><a[^>]*>([^<]*)<\/a><\/dt><dd>([^<]*?) ?(?:<span[^>]*title="([^"]*)".*?)?<\/dd>(?:<dd class="change quiet">([^<]*))?/g,
        ),
      ].map((found) => found.slice(1).join('|'))
    const text = await get('told.example', 'search')
    const own = told(text).filter((one) => !/^(Vis|Key|Ave|Not)/.test(one))
    assert.deepEqual(own, [
      'Clicks|14||sum of 2 days',
      'Calls &lt;b&gt;|20|10 more|sum of 2 days',
      'Missed, %|4.5|1.5 more|average of 1 day',
      'Balance|-3||sum of 1 day',
    ])
    const tab = (label: string) => new RegExp(`chart=([a-z0-9-]+)#glance"[^>]*>${label}`).exec(text)?.[1] ?? ''
    assert.match(await get('told.example', `search?chart=${tab('Calls')}`), /<h2>Calls &lt;b&gt; by day<\/h2><p>8 on /)
    assert.match(await get('told.example', `search?chart=${tab('Balance')}`), /text-anchor="end">-3<\/text>/)
    assert.match(await get('told.example', 'search?chart=clicks'), /<h2>Clicks by day<\/h2><p>7 on /)
    const csv = (name: string) => get('told.example', `search.csv?table=${name}`)
    assert.equal((await csv('clicks')).replace('\ufeff', ''), `Day,Clicks\r\n${day(3)},7\r\n${day(2)},7\r\n`)
    assert.match(await csv('own-figures'), new RegExp(`Day,Calls <b>,"Missed, %",Balance\r\n${day(3)},12,4\\.5,-3\r\n${day(2)},8,,\r\n`))
    assert.doesNotMatch(await get('bare.example', 'search'), /chart=(clicks|own)/)
  })

  test('the page of a keyword says what is known and draws the clicks', async () => {
    const text = await get('told.example', `keywords/${keywords.get('bread')}`)
    assert.match(text, /1,900 searches a month/)
    assert.match(text, new RegExp(`Page that ranks: <a href="${address}"`))
    assert.match(text, /14 clicks of 140 impressions in this period\./)
    const bare = await get('told.example', `keywords/${keywords.get('cake')}`)
    for (const word of ['searches a month', 'Page that ranks', 'Clicks from search', 'Tags:']) assert.ok(!bare.includes(word), word)
  })

  test('a keyword that was clicked and never ranked is listed with its clicks, and has a page of its own', async () => {
    for (const [domain, listed] of [
      ['clicked.example', ['tea']],
      ['both.example', ['bread', 'tea']],
    ] as const) {
      const text = await get(domain, 'search')
      assert.deepEqual(phrases(text), listed, domain)
      assert.match(text, />Impressions</)
      const [, id] = /keywords\/(\d+)[^"]*" data-opens dir="auto">tea</.exec(text) ?? []
      assert.match(await get(domain, `keywords/${id}`), /clicks of \d+ impressions in this period\./)
    }
    const rows = (await get('both.example', 'search.csv?table=keywords')).trim().split('\r\n')
    assert.match(rows.find((row) => row.startsWith('tea')) as string, /^tea,,,.*,6,60,,,$/)
    assert.deepEqual(phrases(await get('both.example', 'search?engine=Google')), ['bread'])
  })

  test('a site that is tracked on devices says which of them the figures take, lists all where asked, and sums clicks', async () => {
    const text = await get('tracked.example', 'search')
    assert.match(text, /the figures take one series, here also Google \(mobile\) en-us\./)
    assert.match(text, /clicks and impressions are sums over devices and places/)
    for (const name of ['Device', 'Location', 'Each device and location']) assert.ok(text.includes(name), name)
    const all = await get('tracked.example', 'search?series=all')
    assert.match(all, />Google \(tablet, Rio &lt;b&gt;\)</)
    assert.match(await get('tracked.example', 'search?device=tablet'), /here also Google \(tablet, Rio &lt;b&gt;\) en-us/)
    const csv = await get('tracked.example', 'search.csv?table=keywords&series=all')
    assert.match(csv, /^\ufeffKeyword,Engine,Locale,Now,.*,Device,Location,places_gained\r\n/)
    assert.match(csv, /\r\nbuns,Google,en-us,4,.*,14,140,mobile,,\r\n/)
    assert.match(csv, /\r\nbuns,Google,en-us,7,.*,tablet,Rio <b>,\r\n/)
    const keyword = await get('tracked.example', `keywords/${keywords.get('buns')}`)
    assert.match(keyword, /14 clicks of 140 impressions in this period\. On days without a total, it is the sum over devices and places\./)
    assert.match(keyword, /Clicks on desktop/)
    assert.match(
      await get('tracked.example', `keywords/${keywords.get('buns')}?engine=Google&locale=en-us&device=mobile`),
      /on Google \(mobile\) en-us/,
    )
  })

  test('a site of which nothing is told looks as before', async () => {
    const text = await get('bare.example', 'search')
    for (const word of ['Searches a month', 'by-tag', 'class="tags"', '>Clicks<', 'Device', 'the figures take one series'])
      assert.ok(!text.includes(word), word)
  })

  if (place.engine === 'sqlite') {
    const browser = testBrowser()
    test('axe finds nothing on these pages, wide and narrow', async () => {
      for (const width of [1440, 390]) {
        const { page, mishaps, close } = await browser.enter(service.url, 'owner', { width })
        for (const [site, path] of [
          ['told.example', 'search'],
          ['told.example', `keywords/${keywords.get('bread')}`],
          ['tracked.example', 'search?series=all'],
          ['tracked.example', `keywords/${keywords.get('buns')}`],
        ] as const) {
          await page.goto(`${service.url}/sites/${sites.get(site)}/${path}`)
          await inspect(page, `${path} at ${width}`)
        }
        assert.deepEqual(mishaps, [])
        await close()
      }
    })
  }
})
