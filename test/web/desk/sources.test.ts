/** From where the data of a customer's sites comes, at the desk: the last day of each source and the days that are missing. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'
import { renewFigures } from '../../../src/model/dashboard/desk/site-figures.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import { importObservations } from '../../../src/model/imports/import.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onPageEngine } from '../../support/engines.ts'
import { makePeople, type PeopleWorld, password } from '../../support/people.ts'
import { PlainBrowser } from '../../support/plain-browser.ts'
import { serviceOn } from '../../support/service.ts'

onPageEngine('the sources of sites', (place) => {
  const service = serviceOn(place)
  let world: PeopleWorld
  const site = 'chicago.harbor.example'
  const today = () => dayNumber(service.app.clock.now().slice(0, 10))

  before(async () => {
    world = await makePeople(service.operator)
    const db = service.app.store.db
    const partner = db.selectFrom('partners').select('account_id').where('id', '=', world.partnerId)
    const own = (await partner.executeTakeFirstOrThrow()).account_id ?? 0
    for (const [login, customers] of [
      ['ben-desk', 'all'],
      ['mia-desk', 'assigned'],
    ] as const) {
      const draft = draftOf(newUser, { login, email: `${login}@quay.example`, password, account_id: own })
      const { id } = await createUser(service.operator, draft)
      await appointStaff(service.operator, world.partnerId, id, { role: 'member', customers })
    }
    // Every day but three, and for a device until five days ago.
    const ranked = (ago: number, more: object = {}) => ({
      ...{ type: 'ranking', site, phrase: 'tyres', search_engine: 'Google', locale: 'en-us', rank: 3 },
      ...{ ranked_at: `${dayText(today() - ago)} 04:00:00`, ...more },
    })
    const agos = Array.from({ length: 40 }, (_, ago) => ago)
    const lines = [
      ...agos.filter((ago) => ago < 10 || ago > 12).map((ago) => ranked(ago)),
      ...agos.filter((ago) => ago >= 5).map((ago) => ranked(ago, { device: 'mobile' })),
      ...agos.map((ago) => ({
        type: 'click_count',
        site,
        phrase: 'tyres',
        search_engine: 'Google',
        date: dayText(today() - ago),
        clicks: 1,
        impressions: 2,
      })),
      { type: 'page', site, source: 'Yelp', page_url: 'https://yelp.example/1', last_updated: dayText(today() - 7) },
      {
        type: 'backlink',
        site,
        source_url: 'https://blog.example/1',
        found_on: dayText(today() - 90),
        link_strength: 1,
        domain_authority: 1,
      },
    ]
    const bytes = [Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))]
    const target = { partnerId: world.partnerId, accountId: world.accountId }
    const taken = await importObservations(service.operator, target, readNdjson(bytes), { createMissing: true })
    assert.deepEqual(taken.faults, [])
    await renewFigures(service.app, new AbortController().signal)
  })

  const textAt = async (login: string) => {
    const browser = new PlainBrowser(service.stranger)
    assert.equal((await browser.logIn(login)).status, 303)
    const { text } = await browser.get(`/desk/data?customer=${world.accountId}`)
    return text.replaceAll('<wbr>', '')
  }
  const rowsIn = (text: string) =>
    [...text.matchAll(/<tr>\s*<th scope="row">chicago\.harbor\.example<\/th>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
      [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '').trim()),
    )

  test('are told with their last day and what is missing', async () => {
    const dayWords = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric', timeZone: 'UTC' })
    const day = (ago: number) => dayWords.format((today() - ago) * 86_400_000)
    const rows = rowsIn(await textAt('ben-desk'))
    assert.deepEqual(
      rows.map(([what, from]) => [what, from]),
      [
        ['Positions', 'Google, en-us'],
        ['Positions', 'Google, en-us, mobile'],
        ['Clicks', 'Google'],
        ['Reviews', 'Yelp'],
        ['Links', ''],
      ],
    )
    assert.match(rows[0]?.[3] ?? '', new RegExp(`${day(12)}.* to .*${day(10)}`))
    assert.match(rows[1]?.[3] ?? '', new RegExp(`${day(4)}.* to .*${day(0)}`))
    assert.equal(rows[2]?.[3], 'nothing')
    assert.match(rows[1]?.[2] ?? '', new RegExp(day(5)))
    assert.match(rows[3]?.[2] ?? '', new RegExp(day(7)))
  })

  test('are shown to nobody who does not look after the customer', async () => {
    assert.deepEqual(rowsIn(await textAt('mia-desk')), [])
  })
})
