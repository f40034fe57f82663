/** What comes out goes in again: import(export(x)) = x, whatever x is. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { exportObservations } from '../../../src/model/imports/export/export.ts'
import { anyRecord } from '../../support/any-records.ts'
import { importLines, makeWorld, type World } from '../../support/data.ts'
import { type EngineName, engineNames, freshPlace } from '../../support/engines.ts'
import { fc } from '../../support/properties.ts'

const record = fc.tuple(anyRecord, fc.constantFrom(2, 3)).map(([one, account]) => ({ ...one, account, site: 'shared.example' }))

describe('export and import', () => {
  for (const engine of engineNames) {
    test(`any data comes back the same from its own export, on ${engine}`, async () => {
      const runs = engine === 'sqlite' ? 4 : 2
      await fc.assert(
        fc.asyncProperty(fc.array(record, { maxLength: 90, size: 'max' }), async (lines) => {
          const first = await exportOf(engine, lines)
          assert.deepEqual(await exportOf(engine, first), first)
        }),
        { numRuns: runs, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
      )
    })
  }

  for (const engine of engineNames)
    test(`a day with more rows than are read at once comes out whole, on ${engine}`, async () => {
      const found = (index: number, found_on: string) => ({
        type: 'backlink',
        account: 2,
        site: 'shared.example',
        source_url: `https://blog.example/${index}`,
        found_on,
        link_strength: 1,
        domain_authority: 1,
      })
      const lines = [...Array.from({ length: 2_300 }, (_, index) => found(index, '2026-03-01')), found(9_999, '2026-03-02')]
      const world = await freshWorld(engine)
      await importLines(world, lines, { createMissing: true })
      const urls = ((await exported(world, { kinds: ['backlink'] })) as { source_url: string }[]).map(({ source_url }) => source_url)
      assert.deepEqual(
        urls,
        lines.map(({ source_url }) => source_url),
      )
    })

  test('one account and the kinds that are wanted can be exported alone', async () => {
    const lines = [
      { type: 'keyword', account: 2, site: 'shared.example', phrase: 'bread' },
      { type: 'keyword', account: 3, site: 'shared.example', phrase: 'rolls' },
    ]
    const world = await freshWorld('sqlite')
    await importLines(world, lines)
    assert.deepEqual(await exported(world, { accountId: 3, kinds: ['keyword'] }), [
      { type: 'keyword', site: 'shared.example', phrase: 'rolls' },
    ])
  })
})

const worlds: (() => Promise<void>)[] = []
after(async () => {
  for (const remove of worlds) await remove()
})

async function freshWorld(engine: EngineName): Promise<World> {
  const at = await freshPlace(engine)
  const world = await makeWorld(at.env)
  worlds.push(async () => {
    await world.app.close()
    await at.remove()
  })
  return world
}

async function exportOf(engine: EngineName, lines: readonly object[]): Promise<object[]> {
  const world = await freshWorld(engine)
  const { faults } = await importLines(world, lines, { createMissing: true })
  assert.deepEqual(faults, [])
  return exported(world)
}

async function exported(world: World, options = {}): Promise<object[]> {
  let text = ''
  await exportObservations(world.operator, options, async (piece) => {
    text += piece
  })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
