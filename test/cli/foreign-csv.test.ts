/** Whatever file an agency has comes in: the exports of other tools, and files that are told column by column. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operatorOn } from '../../src/cli/command.ts'
import { Marquee } from '../../src/client/client.ts'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { importPresets } from '../../src/resources/imports/import-presets.ts'
import { startService } from '../../src/service.ts'
import { marquee, marqueeEach } from '../support/command.ts'
import { makeWorld, type World } from '../support/data.ts'
import { onEngine } from '../support/engines.ts'

const samples = join(import.meta.dirname, '..', '..', 'docs', 'samples')

/** What each sample says, as it comes out again. */
const expected: Readonly<Record<string, readonly object[]>> = {
  'search-console': [
    { type: 'average_position', phrase: 'plumber chicago', search_engine: 'Google', date: '2026-11-13', average_position: 4.2 },
    { type: 'average_position', phrase: 'water heater', date: '2026-11-14', average_position: 11.7 },
    { type: 'click_count', phrase: 'plumber chicago', search_engine: 'Google', date: '2026-11-14', clicks: 15, impressions: 355 },
  ],
  'business-profile': [
    { ref: 'AbFvOq1', user: 'A. Reader', rating: 5, date: '2026-11-12', source: 'google' },
    { ref: 'AbFvOq3', rating: 4, date: '2026-11-14', detail: '' },
  ],
  brightlocal: [{ source: 'yelp', user: 'B. Neighbour', rating: 2, date: '2026-11-13', url: 'https://yelp.example/r/2' }],
  'se-ranking': [
    { phrase: 'emergency plumber', ranked_at: '2026-11-12 00:00:00', rank: null },
    { phrase: 'plumber chicago', ranked_at: '2026-11-14 00:00:00', rank: 4 },
    { type: 'keyword', phrase: 'drain cleaning', tags: 'Other' },
  ],
  serpbear: [
    { phrase: 'plumber chicago', ranked_at: '2026-11-14 05:12:09', rank: 4, url: 'https://example.com/' },
    { phrase: 'emergency plumber', ranked_at: '2026-11-14 05:12:11', rank: null, url: null },
    { type: 'keyword', phrase: 'plumber chicago', tags: 'city,money', search_volume: 1900 },
  ],
  semrush: [
    { phrase: 'drain cleaning', ranked_at: '2026-11-14 00:00:00', rank: 17, url: 'https://example.com/drains' },
    { type: 'keyword', phrase: 'drain cleaning', search_volume: 720 },
  ],
  'semrush-tracking': [
    { phrase: 'gas leak', ranked_at: '2026-11-13 00:00:00', rank: null },
    { phrase: 'boiler repair', ranked_at: '2026-11-14 00:00:00', rank: 4, url: 'https://example.com/' },
  ],
  'ahrefs-keywords': [{ type: 'keyword', phrase: 'emergency plumber', search_volume: 720 }],
  ahrefs: [
    {
      source_url: 'https://blog.example/plumbers',
      domain_authority: 38,
      link_strength: 12,
      found_on: '2026-10-03',
      anchor_text: 'good plumbers',
    },
    { source_url: 'https://heizung.example/partner', anchor_text: 'example.com' },
  ],
  moz: [{ source_url: 'https://city.example/trades', domain_authority: 61, link_strength: 27, found_on: '2026-11-02', anchor_text: '' }],
  'data-for-seo': [
    {
      phrase: 'plumber chicago',
      search_engine: 'google.com',
      locale: 'en',
      ranked_at: '2026-11-14 12:57:46',
      rank: 4,
      url: 'https://example.com/',
    },
  ],
}

onEngine('sqlite', 'foreign files', (place) => {
  let world: World
  before(async () => {
    world = await makeWorld(place.env)
    await world.app.close()
  })

  const save = (name: string, content: string | Uint8Array) => {
    mkdirSync(place.folder, { recursive: true })
    const file = join(place.folder, name)
    writeFileSync(file, content)
    return file
  }
  const take = (file: string, ...words: string[]) => marquee(place, `import --site ${world.siteId} --create-missing`, file, ...words)
  const exported = async () => {
    const { stdout } = await marquee(place, `export --account ${world.accountId}`)
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  test('the sample of every preset comes in with one command, and says what it should', async () => {
    const here = (needs: string) =>
      needs.replace('--site 9', `--site ${world.siteId}`).replace('--account 5', `--account ${world.accountId}`)
    const names = Object.keys(importPresets)
    const lines = names.map(
      (name) => `import ${join(samples, `${name}.csv`)} --preset ${name} ${here(importPresets[name]?.needs ?? '')} --create-missing`,
    )
    const outcomes = await marqueeEach(place, lines)
    const records = await exported()
    for (const [i, name] of names.entries()) {
      assert.equal(outcomes[i]?.code, 0, `${name}: ${outcomes[i]?.stderr}`)
      for (const wanted of expected[name] ?? [{ missing: true }])
        assert.ok(
          records.some((record) => Object.entries(wanted).every(([field, value]) => record[field] === value)),
          `${name}: ${JSON.stringify(wanted)} is not in\n${records.map((record) => JSON.stringify(record)).join('\n')}`,
        )
    }
  })

  test('the reports of the interface say what the samples say', async () => {
    const app = await openApp(readSettings(place.env))
    const { key, password } = await issueKey(operatorOn(app), world.partnerId, {})
    await app.close()
    const service = await startService(readSettings({ ...place.env, PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'silent' }))
    try {
      const records = await reportedBy(new Marquee({ url: service.url, key, password }), world.accountId)
      for (const [name, wanted] of Object.entries(expected))
        for (const { ref: _, url: __, ...record } of wanted.filter(isReported) as Record<string, unknown>[])
          assert.ok(
            records.some((each) => Object.entries(record).every(([field, value]) => each[field] === value)),
            `${name}: ${JSON.stringify(record)} is in no report`,
          )
    } finally {
      await service.stop()
    }
  })

  test('a file of nobody known is told column by column, and the mapping is kept by name', async () => {
    const german = 'sep=;\r\nSuchbegriff;Platz;Datum;Anmerkung\r\nBäcker;1.234,0;14.11.2026;x\r\nBrot;-;15.11.2026;y\r\n'
    const words = [
      '--kind',
      'rankings',
      '--columns',
      'Suchbegriff=phrase,Platz=rank,Datum=ranked_at',
      '--set',
      'search_engine=Google',
      '--set',
    ]
    const more = ['locale=de-de', '--date-format', 'dd.mm.yyyy', '--decimal', ',', '--not-found', '-,>100', '--save-mapping', 'german']
    const latin = save('german.csv', Buffer.from(german, 'latin1'))
    assert.match((await take(latin, ...words, ...more)).stderr, /is not UTF-8 text: say --encoding windows-1252/)
    const { code, stdout, stderr } = await take(latin, ...words, ...more, '--encoding', 'windows-1252')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Columns left out: Anmerkung\./)
    const found = (await exported()).filter(({ locale }) => locale === 'de-de')
    assert.deepEqual(
      found.map(({ phrase, ranked_at, rank }) => [phrase, ranked_at, rank]),
      [
        ['Bäcker', '2026-11-14 00:00:00', 1234],
        ['Brot', '2026-11-15 00:00:00', null],
      ],
    )
    const again = await take(save('utf8.csv', german), '--mapping', 'german')
    assert.match(again.stdout, /rankings +2 +0 +0 +2/)
    assert.match((await take(latin, '--mapping', 'nobody')).stderr, /Mapping not found/)
    const ours = `--partner ${world.partnerId}`
    assert.equal((await take(latin, '--mapping', 'german', '--encoding', 'windows-1252', '--save-mapping', 'latin')).code, 0)
    assert.match((await take(latin, '--mapping', 'latin')).stdout, /rankings +2 +0 +0 +2/)
    assert.match((await marquee(place, `mapping list ${ours}`)).stdout, /german[\s\S]*latin/)
    const { mapping } = (await marquee(place, `mapping show latin ${ours} --json`)).json<{ mapping: Record<string, string> }>()
    assert.partialDeepStrictEqual(mapping, { name: 'latin', encoding: 'windows-1252', date_format: 'dd.mm.yyyy', decimal: ',' })
    assert.match((await marquee(place, `mapping rename latin ${ours} --to german`)).stderr, /Name has already been taken/)
    assert.equal((await marquee(place, `mapping rename latin ${ours} --to old`)).code, 0)
    assert.equal((await marquee(place, `mapping delete old ${ours}`)).code, 0)
    assert.match((await marquee(place, `mapping show old ${ours}`)).stderr, /Mapping not found/)
  })

  test('a header is read in any case, spacing and order, with any delimiter', async () => {
    const files = [',', ';', '\t', '|'].map((delimiter, i) => {
      const rows = [
        ['LOCALE', 'Search Engine', 'Ranked-At', 'phrase', 'Rank'],
        ['en-us', 'Bing', '2026-11-14', 'any order', '7'],
      ]
      return save(`any-${i}.csv`, rows.map((row) => row.join(delimiter)).join('\r\n'))
    })
    const { code, stderr } = await take(files[0] as string, ...files.slice(1))
    assert.equal(code, 0, stderr)
    assert.equal((await exported()).filter(({ phrase, type }) => phrase === 'any order' && type === 'ranking').length, 1)
  })

  const header = 'phrase,search_engine,locale,ranked_at,rank'
  /** The file, what is added to the command, and what the user is told. */
  const refusals: readonly (readonly [string, string | Uint8Array, readonly string[], RegExp])[] = [
    ['an empty file', '', [], /Line 1: holds no record: say --allow-empty/],
    ['a header alone', `${header}\n`, [], /holds no record/],
    ['an unknown header', 'colour,size\nred,7\n', [], /the file has colour, size/],
    ['a misspelt column', 'phrase,search_engine,locale,ranked_at,rnak\na,b,c,2026-11-14,1\n', [], /is rnak meant to be rank\?/],
    ['a ranking without its engine', 'phrase,rank\nbread,1\n', [], /for rankings it lacks search_engine, locale, ranked_at/],
    ['a column twice', 'phrase,Phrase\na,b\n', [], /two columns hold phrase/],
    ['a column that is not there', `${header}\n`, ['--columns', 'Keyword=phrase'], /there is no column Keyword: the file has phrase/],
    ['an average', `${header}\na,b,c,2026-11-14,7.4\n`, [], /rank must be an integer \(here: 7\.4\); --round rounds averages/],
    ['a marker nobody explained', `${header}\na,b,c,2026-11-14,n/a\n`, [], /rank must be an integer \(here: "n\/a"\)/],
    ['a date in another order', `${header}\na,b,c,14.11.2026,1\n`, [], /ranked_at must be a real time .*\(here: "14\.11\.2026"\)/],
    ['a day that does not exist', `${header}\na,b,c,2026-02-30,1\n`, [], /ranked_at must be a real time/],
    ['too few cells', `${header}\na,b\n`, [], /has another number of cells than the header/],
    ['an open quote', `${header}\n"a,b\n`, [], /is not a CSV line/],
    ['a zip archive', Buffer.from('504b0304140000000800', 'hex'), [], /is a zip archive that is damaged/],
    [
      'a workbook',
      Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.from('....[Content_Types].xml')]),
      [],
      /is a zip archive that is damaged/,
    ],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), [], /is a workbook of an older or other kind/],
    ['a PDF', '%PDF-1.7\n', [], /is a PDF document/],
    ['a login form', '<!DOCTYPE html>\n<html><body>Log in</body></html>', [], /is a web page/],
    ['a file that is cut off', gzipSync(`${header}\n${'a,b,c,2026-11-14,1\n'.repeat(900)}`).subarray(0, 60), [], /ends too early/],
    ['a preset nobody knows', header, ['--preset', 'semrsh'], /There is no preset semrsh; did you mean semrush\?/],
    ['a field nobody knows', header, ['--set', 'locle=en'], /There is no field locle; did you mean locale\?/],
    ['a date format without a month', header, ['--date-format', 'dd.yyyy'], /names year, month and day/],
  ]
  test(`each of ${refusals.length} kinds of unreadable file is told in a sentence of its own, and nothing is stored`, async () => {
    const before = (await exported()).length
    const lines = refusals.map(
      ([, content, words], i) =>
        `import --site ${world.siteId} --create-missing ${[save(`refused-${i}.csv`, content), ...words].join(' ')}`,
    )
    const outcomes = await marqueeEach(place, lines)
    for (const [i, [what, , , told]] of refusals.entries()) {
      assert.equal(outcomes[i]?.code, 1, what)
      assert.match(outcomes[i]?.stderr ?? '', told, what)
    }
    assert.equal((await exported()).length, before)
  })

  test('the kinds are listed by --template alone, and an empty file may be meant', async () => {
    assert.match((await marquee(place, 'import --template')).stdout, /rankings +The position of a keyword/)
    assert.equal((await take(save('empty.csv', ''), '--allow-empty')).code, 0)
  })
})

/** Clicks, search volumes and tags have no place in the reports of the interface, nor has the id or the address of a record. */
function isReported(record: object): boolean {
  return !('type' in record)
}

/** Every ranking with its phrase, every backlink and every review of the reports of an account. */
async function reportedBy(client: Marquee, accountId: number): Promise<Record<string, unknown>[]> {
  const { accounts } = await client.seoReport({ account_id: accountId })
  const sites = accounts
    .flatMap((account) => Object.values(account))
    .flatMap((account) => account.sites.flatMap((site) => Object.values(site)))
  const rankings = sites
    .flatMap(({ keywords }) => keywords.flatMap((keyword) => Object.entries(keyword)))
    .flatMap(([phrase, entries]) => entries.map((entry) => ({ phrase, ...entry })))
  const { sites: reviewed } = await client.reputationReportDetail(accountId)
  const reviews = reviewed.flatMap(({ location }) => location.pages.flatMap((page) => page.reviews))
  return [...rankings, ...sites.flatMap(({ backlinks }) => backlinks), ...reviews] as unknown as Record<string, unknown>[]
}
