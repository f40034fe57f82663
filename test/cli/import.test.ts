/** Files at the command line: checked as a whole, told line by line, stored once. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { csvTemplate } from '../../src/model/imports/csv/csv.ts'
import { observationKinds } from '../../src/resources/observation.ts'
import { marquee } from '../support/command.ts'
import { makeWorld } from '../support/data.ts'
import { onEngine } from '../support/engines.ts'

const ranking = {
  type: 'ranking',
  site: 'example.com',
  phrase: 'bread',
  search_engine: 'Google',
  locale: 'en-us',
  ranked_at: '2026-11-01 00:00:00',
  rank: 1,
}
const keyword = { type: 'keyword', site: 'example.com', phrase: 'bread' }

onEngine('sqlite', 'marquee import', (place) => {
  let account = 0
  before(async () => {
    const world = await makeWorld(place.env)
    account = world.accountId
    await world.app.close()
  })

  const save = (name: string, content: string | Uint8Array) => {
    const file = join(place.folder, name)
    writeFileSync(file, content)
    return file
  }
  const take = (...words: string[]) => marquee(place, `import --account ${account}`, ...words)
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

  test('takes NDJSON, compressed or not, from a file or standard input', async () => {
    const plain = await take(save('a.ndjson', lines(keyword, ranking)), '--json')
    assert.deepEqual(plain.json<{ import: object }>().import, {
      ...plain.json<{ import: object }>().import,
      lines: 2,
      refused: 0,
      applied: true,
      kinds: {
        keyword: { accepted: 1, created: 1, updated: 0, unchanged: 0 },
        ranking: { accepted: 1, created: 1, updated: 0, unchanged: 0 },
      },
    })
    const packed = await take(save('a.ndjson.gz', gzipSync(lines({ ...ranking, rank: null }))))
    assert.match(packed.stdout, /rankings +1 +0 +1 +0\n1 line, [\d,]+ a second\./)
    const piped = await marquee(place, `import - --account ${account}`, { stdin: lines({ ...ranking, rank: null }) })
    assert.match(piped.stdout, /rankings +1 +0 +0 +1/)
  })

  test('takes CSV whose header fits one kind of record, with cells in quotes and empty ones', async () => {
    const header = 'site,phrase,search_engine,locale,ranked_at,rank'
    const csv = `\ufeff${header}\r\nexample.com,bread,Google,en-us,2026-11-02 00:00:00,7\r\nexample.com,"bread",Bing,en-us,2026-11-02 00:00:00,null\r\n`
    assert.match((await take(save('r.csv', csv))).stdout, /rankings +2 +2 +0 +0/)
    const snapshot = 'site,day,backlink_count,domain_authority,domain_age\nexample.com,2026-11-02,,null,12\n'
    assert.match((await take(save('s.csv', snapshot))).stdout, /snapshots +1 +1/)
    const wrong = await take(
      save('w.csv', `${header}\nexample.com,bread,Google,en-us,2026-11-02 00:00:00,\nexample.com,bread\nexample.com,"a\nb",G,e,x,7\n`),
    )
    assert.equal(wrong.code, 1)
    assert.deepEqual(wrong.stderr.trim().split('\n'), [
      'Line 2: rank must be given',
      'Line 3: has another number of cells than the header: 2 instead of 6',
      'Line 4: ranked_at must be a real time between 1970 and 2105, written YYYY-MM-DD HH:MM:SS (here: "x")',
    ])
    assert.match((await take(save('h.csv', 'site,colour\nexample.com,red\n'))).stderr, /the header names no kind of record/)
    assert.match((await take(save('q.csv', 'site,phrase\nexample.com,"open\n'))).stderr, /is not a CSV line/)
  })

  test('prints a template for each kind, which it takes as it is', async () => {
    const files = observationKinds.map((kind) => save(`${kind}.csv`, csvTemplate(kind)))
    assert.equal((await marquee(place, 'import --template rankings')).stdout, csvTemplate('ranking'))
    const { stderr, stdout } = await take(...files, '--create-missing', '--dry-run')
    assert.equal(stderr, '')
    assert.match(stdout, new RegExp(`${observationKinds.length} lines, .* All good; nothing was stored`))
    assert.equal((await marquee(place, 'import --template nonsense')).code, 2)
  })

  test('names the file and line of each fault, and stores nothing of any file', async () => {
    const [good, bad] = [
      save('good.ndjson', lines({ ...keyword, phrase: 'rolls' })),
      save('bad.ndjson', lines(keyword, { ...ranking, rank: 0 })),
    ]
    const { stderr, stdout, code } = await take(good, bad)
    assert.equal(code, 1)
    assert.equal(stderr, `${bad} line 2: rank must be between 1 and 65535 (here: 0)\n`)
    assert.match(stdout, /1 refused, so nothing was stored/)
    assert.doesNotMatch((await marquee(place, `export --account ${account} --kind keywords`)).stdout, /rolls/)
  })

  test('a file whose lines all have a fault is not read to its end, and the last line printed says so', async () => {
    const { stderr, stdout, code } = await take(save('all-bad.ndjson', lines(...Array(9_000).fill({ ...ranking, rank: 0 }))))
    const printed = stderr.trim().split('\n')
    assert.deepEqual([code, printed.length], [1, 101])
    assert.match(
      printed.at(-1) ?? '',
      /^Line \d+: was not read, nor any after it: each of the first 1000 lines or more had a fault; nothing was stored$/,
    )
    assert.match(stdout, /^[1-8],\d{3} lines, .* refused, so nothing was stored\.\n$/)
  })

  test('says what it needs to know: what the data is for, and a file that is there', async () => {
    assert.equal((await marquee(place, 'import x.ndjson')).code, 2)
    assert.equal((await marquee(place, `import --account ${account}`)).code, 2)
    assert.equal((await marquee(place, 'import --account 999', save('e.ndjson', ''))).stderr, 'Account not found.\n')
    assert.equal((await marquee(place, 'export --account 999')).stderr, 'Account not found.\n')
    const steering = await take(save('s.ndjson', lines({ ...keyword, '\u001b[2J\u202e': 1 })))
    assert.doesNotMatch(steering.stderr, /[\u001b\u202e]/)
    const missing = await take(join(place.folder, 'nowhere.ndjson'))
    assert.deepEqual([missing.code, missing.stderr], [1, `There is no ${join(place.folder, 'nowhere.ndjson')}.\n`])
  })

  test('tells a fault in words, with --json too, and no table of nothing', async () => {
    const file = save('f.ndjson', lines({ ...ranking, rank: 0 }))
    assert.match((await take(file)).stdout, /^1 line, .* 1 refused, so nothing was stored\.\n$/)
    const { faults } = (await take(file, '--json')).json<{ import: { faults: object[] } }>().import
    const message = 'rank must be between 1 and 65535'
    assert.deepEqual(faults, [{ line: 1, field: 'rank', code: 'out_of_range', min: 1, max: 65535, value: '0', message }])
  })

  test('what is exported is taken again and changes nothing', async () => {
    const { stdout } = await marquee(place, `export --account ${account}`)
    assert.ok(stdout.split('\n').length > 5)
    const again = await take(save('again.ndjson', stdout), '--json')
    const { kinds } = again.json<{ import: { kinds: Record<string, { created: number; updated: number }> } }>().import
    assert.deepEqual(
      Object.values(kinds).filter(({ created, updated }) => created + updated > 0),
      [],
    )
    assert.equal((await marquee(place, `export --account ${account}`)).stdout, stdout)
  })
})
