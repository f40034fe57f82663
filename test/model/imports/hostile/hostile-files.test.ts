/** Broken files of more than two hundred kinds: each is told in its own sentence, with its line and field, and nothing is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMapping } from '../../../../src/model/imports/csv/mappings.ts'
import { openImport } from '../../../../src/model/imports/formats.ts'
import { importObservations } from '../../../../src/model/imports/import.ts'
import { readLines, wholeFileFault } from '../../../../src/model/imports/read/read-lines.ts'
import { importErrorWithPlace } from '../../../../src/resources/imports/import-fault.ts'
import { placement } from '../../../../src/store/placement.ts'
import type { Tables } from '../../../../src/store/rows/tables.ts'
import { type World, worldAt } from '../../../support/data.ts'
import { onEngine } from '../../../support/engines.ts'
import type { BrokenFile, Options } from './broken-file.ts'
import { headers } from './headers.ts'
import { references } from './references.ts'
import { structures } from './structure.ts'
import { values } from './values.ts'

const groups = { structures, headers, values, references }
const least = 200

interface Answer {
  readonly sentences: readonly string[]
  readonly places: readonly string[]
}

onEngine('sqlite', 'hostile files', (place) => {
  const world = worldAt(place)
  let before: string

  test('there are enough kinds, and no two are the same', () => {
    const names = Object.values(groups).flatMap((group) => group.map(([what]) => what))
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
    assert.ok(names.length >= least, `${names.length} kinds`)
  })

  test('the database before', async () => {
    before = await everyRow(world)
    assert.match(before, /example\.com/)
  })

  for (const [name, group] of Object.entries(groups))
    test(`${group.length} kinds of ${name} are each told in a sentence, with their place`, async () => {
      const wrong: string[] = []
      for (const file of group) wrong.push(...(await faultIn(world, file)))
      assert.deepEqual(wrong, [])
    })

  test('no row of any table has changed', async () => {
    assert.equal(await everyRow(world), before)
  })
})

/** What is wrong with the answer, if anything is. */
async function faultIn(world: World, [what, content, place, told, options = {}]: BrokenFile): Promise<string[]> {
  try {
    const { sentences, places } = await answerTo(world, content, options)
    const isTold = told.test(sentences[0] ?? '') && places[0] === place
    const isAlone = places.every((each) => each.split(' ')[0] === place.split(' ')[0])
    return isTold && isAlone ? [] : [`${what}: ${sentences.join(' | ') || 'was taken'} [at ${places.join(' | ')}, not ${place}]`]
  } catch (error) {
    return [`${what}: ${(error as Error).stack}`]
  }
}

/** As the command does it, storing and all: only the fault keeps the good rows out. */
async function answerTo(world: World, content: string | Uint8Array, { encoding, knownOnly, partner, ...words }: Options): Promise<Answer> {
  const target = partner ? world.target : { ...world.target, accountId: world.accountId, siteId: world.siteId }
  try {
    const lines = linesOf(content, encoding, words)
    const { faults } = await importObservations(world.operator, target, lines, { createMissing: !knownOnly, counts: 'ask' })
    return { sentences: faults.map(importErrorWithPlace), places: faults.map(({ line, field }) => `${line} ${field}`.trim()) }
  } catch (error) {
    // Options that cannot be understood are refused as a whole.
    if ((error as { code?: string }).code !== 'bad_request' && (error as { code?: string }).code !== 'validation_failed') throw error
    return { sentences: [(error as Error).message], places: [''] }
  }
}

async function* linesOf(content: string | Uint8Array, encoding: Options['encoding'], words: Options) {
  const mapping = readMapping(words)
  let many = 0
  for await (const batch of readLines(await openImport(bytesOf(content), { encoding }), mapping)) {
    many += batch.length
    yield batch
  }
  if (many === 0) yield [wholeFileFault('empty')]
}

async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content as string)
}

async function everyRow({ app }: World): Promise<string> {
  const tables = Object.keys(placement) as (keyof Tables)[]
  const rows = []
  for (const table of tables) rows.push([table, await app.store.db.selectFrom(table).selectAll().execute()])
  return JSON.stringify(rows)
}
