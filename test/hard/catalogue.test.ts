/** Whatever is asked of a large world, the main thread goes on: every endpoint, page and tool, in a tenth of the world. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { judgeCatalogue, tableOf } from './support/catalogue.ts'
import { goalMilliseconds, type Judged } from './support/judged.ts'
import { knownTurns } from './support/known-turns.ts'
import { tenthOfWorld } from './support/large-world.ts'
import { inFolder } from './support/tree.ts'

/** Beside other tests the caches of the processor are cold, and the same work takes up to twice its time. */
const mostMilliseconds = 2 * goalMilliseconds
/** What takes less in spite of them is mended. */
const mendedMilliseconds = goalMilliseconds / 4

test('nothing that can be asked holds the main thread', async (context) => {
  const judged = await inFolder((folder) => judgeCatalogue('sqlite', { DATA_DIR: join(folder, 'data') }, folder, tenthOfWorld))
  context.diagnostic(tableOf(judged).split('\n').slice(0, 12).join('\n'))
  assert.deepEqual(faultsOf(judged), [])
})

test('the catalogue sees what cannot be asked, what takes long, and what is mended', () => {
  const row = { collected: 0, collections: 0 }
  const known = { 'GET slowly': { milliseconds: 80, why: 'it is long' }, 'GET quickly': { milliseconds: 80, why: 'it was long' } }
  const judged = [
    { ...row, name: 'GET nothing', own: 1, failure: 'answered 404' },
    { ...row, name: 'GET everything', own: mostMilliseconds + 1 },
    { ...row, name: 'GET slowly', own: 80 },
    { ...row, name: 'GET quickly', own: 1 },
    { ...row, name: 'GET something', own: mostMilliseconds },
  ]
  assert.deepEqual(faultsOf(judged, known), [
    'GET nothing could not be asked: answered 404',
    `GET everything held the main thread for ${mostMilliseconds + 1} ms`,
    'GET quickly is mended: take it out of known-turns.ts',
  ])
})

function faultsOf(judged: readonly Judged[], known: typeof knownTurns = knownTurns): string[] {
  const slow = judged.filter(({ name, own }) => own > mostMilliseconds && !(name in known))
  const isNeeded = (name: string) => judged.some((row) => row.name === name && row.own >= mendedMilliseconds)
  return [
    ...judged.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name} could not be asked: ${failure}`])),
    ...slow.map(({ name, own }) => `${name} held the main thread for ${own} ms`),
    ...Object.keys(known)
      .filter((name) => !isNeeded(name))
      .map((name) => `${name} is mended: take it out of known-turns.ts`),
  ]
}
