/** Files of every shape come in without an editor: what is stored equals what another library reads in the file, or a sentence names the cause. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf } from '../../../../src/fields/read.ts'
import { readMapping } from '../../../../src/model/imports/csv/mappings.ts'
import { exportObservations } from '../../../../src/model/imports/export/export.ts'
import { openImport } from '../../../../src/model/imports/formats.ts'
import { importObservations } from '../../../../src/model/imports/import.ts'
import { readLines } from '../../../../src/model/imports/read/read-lines.ts'
import { createAccount } from '../../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../../src/model/partners/businesses.ts'
import { createSite } from '../../../../src/model/partners/sites.ts'
import { newBusiness } from '../../../../src/resources/business.ts'
import { importErrorWithPlace } from '../../../../src/resources/imports/import-fault.ts'
import { type World, worldAt } from '../../../support/data.ts'
import { onEngine } from '../../../support/engines.ts'
import { type Said, type Shape, shapes } from './shapes.ts'

onEngine('sqlite', 'files of every shape', (place) => {
  const world = worldAt(place)

  test(`${shapes.length} files say what stands in them, and none says anything else`, async () => {
    const wrong: string[] = []
    for (const shape of shapes) wrong.push(...(await wrongWith(world, shape)).map((what) => `${shape.name}: ${what}`))
    assert.deepEqual(wrong, [])
  })

  test('at least 34 come in without an editor, and 24 of them without options', () => {
    const taken = shapes.filter(({ says }) => !(says instanceof RegExp))
    assert.ok(taken.length >= 34, String(taken.length))
    const bare = taken.filter(({ words, encoding }) => words === undefined && encoding === undefined)
    assert.ok(bare.length >= 24, String(bare.length))
  })
})

async function wrongWith(world: World, shape: Shape): Promise<string[]> {
  const file = await shape.file
  const { siteId, accountId } = await newSite(world)
  const dry = await imported(world, shape, file, siteId, accountId, true)
  const real = await imported(world, shape, file, siteId, accountId, false)
  const sentences = real.faults.map((fault) => importErrorWithPlace(fault)).join('\n')
  if (shape.says instanceof RegExp)
    return shape.says.test(sentences) && !real.isApplied ? [] : [`expected ${shape.says}, found ${sentences}`]
  if (real.refused > 0) return [sentences]
  const stored = await storedOf(world, accountId)
  const said = shape.says(file)
  const kinds = new Set(said.map(({ type }) => type))
  const missing = said.filter((one) => !stored.some((each) => isSaid(each, one)))
  const surplus = stored.filter((each) => kinds.has(each['type']) && !said.some((one) => isSaid(each, one)))
  return [
    ...(said.length === 0 ? ['the oracle reads nothing'] : []),
    ...missing.map((one) => `${JSON.stringify(one)} is not stored`),
    ...surplus.map((one) => `${JSON.stringify(one)} is stored`),
    ...(JSON.stringify(dry.kinds) === JSON.stringify(real.kinds)
      ? []
      : [`the dry run says ${JSON.stringify(dry.kinds)}, the run ${JSON.stringify(real.kinds)}`]),
  ]
}

function isSaid(each: Said, one: Said): boolean {
  return Object.entries(one).every(([name, value]) => each[name] === value)
}

async function newSite({ operator, partnerId }: World) {
  const account = await createAccount(operator, partnerId, 'A shape')
  const business = await createBusiness(operator, draftOf(newBusiness, { name: 'Bob', account_id: account.id }))
  const site = await createSite(operator, business.id, 'example.com')
  return { siteId: site.id, accountId: account.id }
}

async function imported(world: World, { words = {}, encoding }: Shape, file: Buffer, siteId: number, accountId: number, isDryRun: boolean) {
  const bytes = (async function* () {
    yield file
  })()
  const lines = readLines(await openImport(bytes, { encoding }), readMapping(words), { encoding })
  return importObservations(world.operator, { partnerId: world.partnerId, accountId, siteId }, lines, { createMissing: true, isDryRun })
}

async function storedOf({ operator }: World, accountId: number): Promise<Said[]> {
  const texts: string[] = []
  await exportObservations(operator, { accountId }, async (text) => void texts.push(text))
  return texts
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
