/** One bad row does not stop a file: the rest is stored, and the bad rows come back with what is wrong with them. */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { workbookOf } from '../model/imports/shapes/write-files.ts'
import { marqueeOn } from '../support/command.ts'
import { makeWorld, type World } from '../support/data.ts'
import { onEngine } from '../support/engines.ts'

onEngine('sqlite', 'refused lines', (place) => {
  const marquee = marqueeOn(place)
  let world: World
  before(async () => {
    world = await makeWorld(place.env)
    await world.app.close()
    mkdirSync(place.folder, { recursive: true })
  })
  const path = (name: string) => join(place.folder, name)
  const take = (...words: string[]) => marquee(place, `import --site ${world.siteId} --create-missing`, ...words)

  const header = 'phrase,search_engine,locale,ranked_at,rank\n'
  const good = 'plumber,Google,en-us,2026-11-14,3\n'

  test('are written to a file with a column "why", which comes in once it is corrected', async () => {
    writeFileSync(path('ranks.csv'), `${header}${good}"drains, old",Google,en-us,2026-11-14,none\nboiler,Google,en-us,14.11.2026,5\n`)
    const { code, stdout } = await take(path('ranks.csv'), '--skip-refused', path('again.csv'))
    assert.match(stdout, /2 refused and skipped/)
    assert.equal(code, 1)
    const again = readFileSync(path('again.csv'), 'utf8')
    const rows = parse(again) as string[][]
    assert.deepEqual(rows[0], [...header.trim().split(','), 'why'])
    assert.deepEqual(rows[1]?.slice(0, 5), ['drains, old', 'Google', 'en-us', '2026-11-14', 'none'])
    assert.match(rows[1]?.[5] ?? '', /rank must be an integer \(here: "none"\); --not-found/)
    writeFileSync(path('mended.csv'), again.replace(',none,', ',9,').replace('14.11.2026', '2026-11-14'))
    assert.match((await take(path('mended.csv'))).stdout, /rankings +2 +2/)
    const { stdout: all } = await marquee(place, `export --account ${world.accountId} --kind rankings`)
    assert.deepEqual(all.match(/"rank":\d+/g)?.toSorted(), ['"rank":3', '"rank":5', '"rank":9'])
  })

  test('of a workbook come back as well, and a file that is there is not written over', async () => {
    writeFileSync(
      path('ranks.xlsx'),
      workbookOf({
        A: [header.trim().split(','), ['sink', 'Google', 'en-us', '2026-11-14', 4], ['tap', 'Google', 'en-us', '2026-11-14', 0]],
      }),
    )
    assert.match((await take(path('ranks.xlsx'), '--skip-refused', path('book.csv'))).stdout, /1 refused and skipped/)
    assert.match(readFileSync(path('book.csv'), 'utf8'), /^tap,Google,en-us,2026-11-14,0,rank must be between/m)
    assert.match((await take(path('ranks.xlsx'), '--skip-refused', path('book.csv'))).stderr, /there is one already/)
  })

  test('of a file that is cut off stop all others, and so do doubled keys, unless the last one wins', async () => {
    writeFileSync(path('open.csv'), `${header}gutter,Google,en-us,2026-11-14,3\n"roof`)
    assert.match((await take(path('open.csv'), '--skip-refused', path('open-again.csv'))).stdout, /so nothing was stored/)
    writeFileSync(path('twice.csv'), `${header}gutter,Google,en-us,2026-11-14,3\ngutter,Google,en-us,2026-11-14,4\n`)
    const { stderr, stdout } = await take(path('twice.csv'))
    assert.match(stderr, /Line 2: has the key of another line and other figures: say --last-wins[\s\S]*Line 3: has the key/)
    assert.match(stdout, /2 refused, so nothing was stored/)
    assert.equal((await take(path('twice.csv'), '--last-wins')).code, 0)
  })

  test('with a doubled key come back with the others, and the rest is stored', async () => {
    const lines = [
      'eaves,Google,en-us,2026-11-14,3',
      'pump,Google,en-us,2026-11-14,4',
      'eaves,Google,en-us,2026-11-14,5',
      'well,Google,en-us,2026-11-14,0',
    ]
    writeFileSync(path('some.csv'), `${header}${lines.join('\n')}\n`)
    const { stdout } = await take(path('some.csv'), '--skip-refused', path('some-again.csv'))
    assert.match(stdout, /3 refused and skipped/)
    const rows = parse(readFileSync(path('some-again.csv'), 'utf8')) as string[][]
    assert.deepEqual(
      rows.map(([phrase, , , , rank, why]) => [phrase, rank, why?.slice(0, 24)]),
      [
        ['phrase', 'rank', 'why'],
        ['eaves', '3', 'has the key of another l'],
        ['eaves', '5', 'has the key of another l'],
        ['well', '0', 'rank must be between 1 a'],
      ],
    )
    const { stdout: all } = await marquee(place, `export --account ${world.accountId} --kind rankings`)
    assert.match(all, /"pump"/)
    assert.doesNotMatch(all, /"eaves"|"well"/)
  })

  test('with a site that nobody knows say which it may mean', async () => {
    writeFileSync(path('sites.csv'), `site,${header}exmaple.com,${good}www.example.com,${good}`)
    const { stderr } = await marquee(place, `import --account ${world.accountId}`, path('sites.csv'))
    assert.match(stderr, /"exmaple\.com"\); did you mean example\.com\?/)
    assert.match(stderr, /"www\.example\.com"\); did you mean example\.com\?/)
  })
})
