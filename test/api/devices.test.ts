/** Device and location are part of what a ranking and a count of clicks is: they come in, go out and are taken back by them. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportObservations } from '../../src/model/imports/export/export.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { undoIntake } from '../../src/model/intakes/undo.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { exportAccounts } from '../../src/model/transfers/export-accounts.ts'
import { importAccounts } from '../../src/model/transfers/import-accounts.ts'
import { marquee } from '../support/command.ts'
import { bytesOf } from '../support/data.ts'
import { onEachEngine } from '../support/engines.ts'
import { addSite } from '../support/report-world.ts'
import { serviceOn } from '../support/service.ts'

const site = 'harbor.example'
const google = { site, phrase: 'dentist', search_engine: 'Google' }
const ranking = { type: 'ranking', ...google, locale: 'en-us', ranked_at: '2026-11-14 04:00:00', rank: 3 }
const clicks = { type: 'click_count', ...google, date: '2026-11-14', clicks: 5, impressions: 50 }
const rankings = [
  { ...ranking, rank: 1, url: 'https://harbor.example/' },
  { ...ranking, device: 'mobile', rank: 2, url: 'https://m.harbor.example/' },
  { ...ranking, device: 'desktop', location: 'Chicago, IL (US)', rank: null, url: null },
  { ...ranking, location: 'Chicago, IL (US)', rank: 4 },
  { ...ranking, locale: 'en-gb', device: 'desktop', rank: 21 },
]
const counts = [
  { ...clicks, clicks: 20 },
  { ...clicks, device: 'desktop' },
  { ...clicks, device: 'mobile', clicks: 9 },
  { ...clicks, locale: 'de-ch', location: 'Bern', clicks: 1 },
]

onEachEngine('devices and locations', (place) => {
  const house = serviceOn(place)
  let many = 0

  async function newcomer() {
    const partner = await house.partner(`Partner ${many++}`)
    const siteId = await addSite(house, partner.accountId, site)
    const { key, password } = await issueKey(house.operator, partner.id, { label: 'push', scopes: ['ingest'] })
    const push = async (lines: readonly object[]) =>
      partner.ask('POST', '/api/observations.json?create_missing=1', {
        credentials: `${key}:${password}`,
        body: JSON.stringify(lines),
        type: 'application/json',
      })
    /** Rows of a table, as a client of an earlier version sends them. */
    const pushTable = async (text: string, query = '') =>
      partner.ask('POST', `/api/observations.json?create_missing=1${query}`, {
        credentials: `${key}:${password}`,
        body: text,
        type: 'text/csv',
      })
    const take = (lines: readonly object[]) =>
      importObservations(house.operator, { partnerId: partner.id }, readNdjson(bytesOf(lines)), { createMissing: true })
    const exported = async () => {
      let text = ''
      const options = { accountId: partner.accountId, kinds: ['ranking', 'click_count'] as const }
      await exportObservations(house.operator, options, async (some) => {
        text += some
      })
      return new Set(text.trimEnd().split('\n'))
    }
    return { partner, siteId, credentials: `${key}:${password}`, push, pushTable, take, exported }
  }

  const asLines = (records: readonly object[]) => new Set(records.map((record) => JSON.stringify(ordered(record))))
  const exportedOrder = [
    'type',
    'site',
    'phrase',
    'search_engine',
    'device',
    'location',
    'locale',
    'ranked_at',
    'rank',
    'url',
    'date',
    'clicks',
    'impressions',
  ]
  const ordered = (record: object) => {
    const known = record as Record<string, unknown>
    return Object.fromEntries(exportedOrder.filter((name) => known[name] !== undefined).map((name) => [name, known[name]]))
  }

  test('each is a series of its own, by push and by file, and comes out as it went in', async () => {
    const { push, take, exported } = await newcomer()
    assert.match((await push([...rankings, ...counts])).text, /"received":9,"created":9,"updated":0,"unchanged":0/)
    assert.deepEqual(await exported(), asLines([...rankings, ...counts]))
    const { kinds } = await take([...rankings, ...counts])
    assert.deepEqual([kinds.ranking?.unchanged, kinds.click_count?.unchanged], [5, 4])
  })

  test('an undo takes back its own series, and no other of the same keyword and time', async () => {
    const { take, exported } = await newcomer()
    await take([rankings[0] as object, counts[0] as object])
    const second = await take([...rankings.slice(1), ...counts.slice(1)])
    await undoIntake(house.operator, second.intakeId as number)
    assert.deepEqual(await exported(), asLines([rankings[0] as object, counts[0] as object]))
  })

  test('the device of a table that comes first is stored as none, another one by name; who asks for names gets them', async () => {
    const { partner, credentials, pushTable, exported } = await newcomer()
    const row = (device: string, day: string) =>
      `site,phrase,search_engine,locale,device,ranked_at,rank\n${site},dentist,Google,en-us,${device},2026-11-${day},5\n`
    for (const [device, day, query] of [
      ['mobile', '12', ''],
      ['mobile', '13', ''],
      ['desktop', '14', ''],
      ['mobile', '15', '&devices=1'],
      ['tablet', '16', '&plain_device=tablet'],
    ] as const)
      assert.match((await pushTable(row(device, day), query)).text, /"created":1/)
    const stored = (device: string | undefined, day: string) => ({ ...ranking, device, ranked_at: `2026-11-${day} 00:00:00`, rank: 5 })
    const all = [stored(undefined, '12'), stored(undefined, '13'), stored('desktop', '14'), stored('mobile', '15'), stored(undefined, '16')]
    assert.deepEqual(await exported(), asLines(all))
    const { intakes } = (await partner.ask('GET', '/api/intakes.json', { credentials })).json() as {
      intakes: { notices: { message: string }[] }[]
    }
    assert.deepEqual(
      intakes.slice(-5).map(({ notices }) => notices.map(({ message }) => message.split(';')[0])),
      [
        ['Ranks on mobile (Google en-us) are stored as those without a device'],
        ['Ranks on mobile (Google en-us) are stored as those without a device'],
        ['Ranks on desktop (Google en-us) are a series of their own: those without a device are of mobile.'],
        [],
        [],
      ],
    )
  })

  test('what is plain goes along with a whole account, so that its files go on in their series', async () => {
    const { partner, pushTable } = await newcomer()
    await pushTable(`site,phrase,search_engine,locale,device,ranked_at,rank\n${site},dentist,Google,en-us,mobile,2026-11-12,5\n`)
    const lines: string[] = []
    await exportAccounts(house.operator, { partnerId: partner.id }, async (text) => void lines.push(text.trimEnd()))
    const other = await house.partner(`Other ${many++}`)
    for (const told of ['created', 'unchanged'] as const) {
      const { kinds } = await importAccounts(house.operator, { partnerId: other.id }, readNdjson(bytesOf(lines)))
      assert.deepEqual(kinds['plain_series']?.[told], 1, told)
    }
    const plain = house.app.store.db.selectFrom('plain_series').innerJoin('accounts', 'accounts.id', 'plain_series.account_id')
    const there = await plain.select(['engine', 'locale', 'device', 'location', 'intake_id']).where('partner_id', '=', other.id).execute()
    assert.deepEqual(there, [{ engine: 'Google', locale: 'en-us', device: 'mobile', location: '', intake_id: 0 }])
  })

  test('known devices are written in one way, and what is no word is refused', async () => {
    const { push, exported } = await newcomer()
    await push([{ ...ranking, device: ' Desktop ', location: ' Chicago ' }])
    assert.deepEqual(await exported(), asLines([{ ...ranking, device: 'desktop', location: 'Chicago' }]))
    for (const device of ['smart phone', 'a,b', 'a(b', 'x'.repeat(31), 7])
      assert.match((await push([{ ...ranking, device }])).text, /"field":"device","code":"(not_a_word|too_long|not_text)"/, String(device))
    for (const location of ['two\nlines', 'x'.repeat(101)])
      assert.match((await push([{ ...ranking, location }])).text, /"field":"location","code":"(not_one_line|too_long)"/, location)
  })

  test('a series that reports would print like another engine is refused, whichever comes first', async () => {
    const { push, take } = await newcomer()
    await take([{ ...ranking, search_engine: 'Google (mobile)' }])
    const { status, text } = await push([{ ...ranking, device: 'mobile' }])
    assert.equal(status, 409)
    assert.match(text, /Reports would print two search engines of account \d+ as Google \(mobile\): give one of them another name/)
    await take([{ ...ranking, device: 'desktop' }])
    await assert.rejects(take([{ ...ranking, search_engine: 'Google (desktop)' }]), /as Google \(desktop\)/)
  })

  test('an account has 65,535 of them together, and one more is refused in words', async () => {
    const { partner, take } = await newcomer()
    const { store } = house.app
    await take([ranking])
    const codes = Array.from({ length: 65_534 }, (_, i) => i + 2)
    await store.write(async (tx) => {
      for (let at = 0; at < codes.length; at += 5_000) {
        const some = codes.slice(at, at + 5_000)
        await tx
          .insertInto('sources')
          .values(some.map((code) => ({ account_id: partner.accountId, code, engine: `Google\u001f\u001fplace ${code}`, locale: 'en-us' })))
          .execute()
      }
    })
    assert.equal((await take([{ ...ranking, location: 'place 77' }])).isApplied, true)
    await assert.rejects(
      take([{ ...ranking, location: 'one more' }]),
      /no room for another search engine, locale, device, location or source: it can have 65535/,
    )
  })

  for (const format of place.engine === 'sqlite' ? (['xml', 'json', 'csv'] as const) : (['xml'] as const)) {
    test(`a saved report of all series in ${format.toUpperCase()} is read back exactly; another one says that it does not hold them`, async () => {
      const [from, to] = [await newcomer(), await newcomer()]
      await from.take(rankings.map((record) => ({ ...record, url: undefined })))
      const query = format === 'csv' ? 'table=rankings&' : ''
      const run = async (series: string) => {
        const file = join(place.folder, `${series}-${from.siteId}.${format}`)
        writeFileSync(file, (await from.partner.get(`/api/seo_report.${format}?${query}series=${series}`)).text)
        const map = join(place.folder, `map-${from.siteId}.csv`)
        writeFileSync(map, `kind,old,new\nsite,${from.siteId},${site}\n`)
        return marquee(place, `import --account ${to.partner.accountId} --create-missing --map ${map}`, file)
      }
      const all = await run('all')
      assert.equal(all.code, 0, all.stderr)
      assert.deepEqual(await to.exported(), await from.exported())
      assert.doesNotMatch(all.stdout + all.stderr, /holds one series/)
      const one = await run('one')
      assert.match(one.stdout + one.stderr, /holds one series of rankings for each keyword, engine and locale/)
    })
  }
})
