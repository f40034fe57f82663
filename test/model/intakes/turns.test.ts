/** Partners take turns: a large file of one does not hold up a small one of another, and storing leaves the write lock to others again and again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { workTasks } from '../../../src/model/intakes/work-tasks.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { importUploadedAccounts } from '../../../src/model/transfers/import-uploaded.ts'
import { importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { uploadLines, workOn } from '../../support/uploads.ts'

onEachEngine('files of several partners', (place) => {
  const world = worldAt(place)
  const stateOf = async (id: number) => (await findIntake(world.operator, id)).state

  test('a place for small files passes by large ones; those of one partner keep their order', async () => {
    const { partner, account } = await createPartner(world.operator, 'Globex')
    const globex = { ...world, partnerId: partner.id, accountId: account.id, target: { partnerId: partner.id } }
    const large = await uploadLines(world, backlinks('large.example', 8_000))
    const later = await uploadLines(world, backlinks('later.example', 1))
    const small = await uploadLines(globex, backlinks('small.example', 1))
    await workTasks({
      app: world.app,
      signal: new AbortController().signal,
      eraseAgain: async () => {},
      importWhole: importUploadedAccounts,
      onlySmall: true,
    })
    assert.deepEqual(await Promise.all([large, later, small].map(({ id }) => stateOf(id))), ['waiting', 'waiting', 'stored'])
    assert.deepEqual(await workOn(world), [])
    assert.deepEqual(await Promise.all([large, later].map(({ id }) => stateOf(id))), ['stored', 'stored'])
  })

  test('a thousand records are stored in several transactions, after each of which others may come', async () => {
    let pauses = 0
    const betweenWrites = async () => {
      pauses += 1
    }
    await importLines(world, backlinks('many.example', 1_000), { createMissing: true, betweenWrites })
    assert.ok(pauses >= 3, `${pauses} pauses`)
  })
})

function backlinks(site: string, many: number): object[] {
  const found = { type: 'backlink', site, found_on: '2026-11-01', link_strength: 5, domain_authority: 3 }
  return Array.from({ length: many }, (_, at) => ({
    ...found,
    source_url: `https://blog.example/${at}`,
    anchor_text: 'a word '.repeat(20),
  }))
}
