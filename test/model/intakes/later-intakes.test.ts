/** An intake of an earlier version is not undone while a later one of these may have delivered the same records: that one would lose them without a word. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import type { IntakeRow } from '../../../src/store/rows/intakes.ts'
import { exported, importLines, type World, worldAt } from '../../support/data.ts'
import { asEarlier } from '../../support/earlier-intakes.ts'
import { onEachEngine } from '../../support/engines.ts'

const ranking = (phrase: string, rank: number, site = 'example.com') => ({
  type: 'ranking',
  site,
  phrase,
  search_engine: 'Google',
  locale: 'en-us',
  ranked_at: '2026-11-01 00:00:00',
  rank,
})
const snapshot = { type: 'snapshot', site: 'example.com', day: '2026-11-01', backlink_count: 7 }

onEachEngine('an undo of what came before something else', (place) => {
  const world = worldAt(place)
  const take = async (lines: readonly object[], account?: number) => {
    const target: World['target'] = account === undefined ? world.target : { ...world.target, accountId: account }
    const { intakeId = 0 } = await importLines(world, lines, { createMissing: true }, target)
    await asEarlier(world, intakeId)
    return intakeId
  }
  const ranks = async (word: string) => {
    const lines = (await exported(world))
      .split('\n')
      .filter((line) => line.includes('"type":"ranking"') && line.includes(`"phrase":"${word}`))
    return lines.map((line) => (JSON.parse(line) as { rank: number }).rank)
  }
  const refused = (id: number, sentence: RegExp) =>
    assert.rejects(undoIntake(world.operator, id), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'conflict')
      assert.match(error.message, sentence)
      return true
    })
  const set = (id: number, values: Partial<Pick<IntakeRow, 'state' | 'began_at' | 'ended_at' | 'via'>>) =>
    world.app.store.write((tx) => tx.updateTable('intakes').set(values).where('id', '=', id).execute())
  const isFree = async (id: number) => assert.equal((await undoIntake(world.operator, id)).intake.state, 'undone')
  const five = (word: string, last: number) => [1, 2, 3, 4, last].map((rank, index) => ranking(`${word} ${index}`, rank))

  test('wrong file, corrected file: the wrong one names the corrected one, and goes after it', async () => {
    const wrong = await take(five('story', 50))
    const corrected = await take(five('story', 5))
    await refused(wrong, new RegExp(`^Import ${corrected} came later: undo that first, or with --despite-later this one`))
    assert.deepEqual(await ranks('story'), [1, 2, 3, 4, 5])
    await undoIntake(world.operator, corrected)
    assert.deepEqual(await ranks('story'), [1, 2, 3, 4, 50])
    await undoIntake(world.operator, wrong)
    assert.deepEqual(await ranks('story'), [])
  })

  test('despite later ones it is done as before, and says which they were', async () => {
    const wrong = await take(five('despite', 50))
    const corrected = await take(five('despite', 5))
    const { later } = await undoIntake(world.operator, wrong, { isDespiteLater: true })
    assert.deepEqual(
      later.map(({ id }) => id),
      [corrected],
    )
    assert.deepEqual(await ranks('despite'), [5])
    const entries = world.app.store.db.selectFrom('audit_entries').innerJoin('audit_details', 'entry_id', 'id').select('detail')
    const [{ detail } = assert.fail()] = await entries.where('action', '=', 'intake.undo').where('subject_id', '=', wrong).execute()
    assert.deepEqual(JSON.parse(detail), { after: { despite_later: [corrected] } })
    await undoIntake(world.operator, corrected)
  })

  test('one that delivered the same without changing anything counts', async () => {
    const first = await take([ranking('same', 4)])
    const same = await take([ranking('same', 4)])
    await refused(first, new RegExp(`^Import ${same} came later`))
    await isFree(same)
    await isFree(first)
  })

  test('what is of another kind, another account, refused, checked only, cancelled or undone does not', async () => {
    const first = await take([snapshot], world.accountId)
    await take([ranking('another kind', 1)], world.accountId)
    await take([{ ...snapshot, site: 'shared.example' }], world.otherAccountId)
    for (const state of ['refused', 'checked', 'cancelled', 'undone'] as const)
      await set(await take([snapshot], world.accountId), { state })
    await isFree(first)
  })

  test('one for all accounts may have touched each, and each may have touched what it did', async () => {
    const first = await take([snapshot], world.accountId)
    const all = await take([{ ...snapshot, backlink_count: 8 }])
    const last = await take([{ ...snapshot, backlink_count: 9 }], world.accountId)
    await refused(first, new RegExp(`^Import ${last} and import ${all} came later: undo these first, the last one first, or`))
    await refused(all, new RegExp(`^Import ${last} came later`))
    for (const id of [last, all, first]) await isFree(id)
  })

  test('of many, the newest five are named', async () => {
    const ids: number[] = []
    for (let i = 0; i < 7; i += 1) ids.push(await take([{ ...snapshot, backlink_count: i }], world.accountId))
    const named = ids
      .slice(2)
      .toReversed()
      .map((id) => `import ${id}`)
    await refused(ids[0] ?? 0, new RegExp(`^${named.join(', ').replace('import', 'Import')} and others came later`))
    for (const id of ids.toReversed()) await isFree(id)
  })

  test('a file that waits or is being stored will deliver it, and one that is being undone is not gone yet', async () => {
    const first = await take([snapshot], world.accountId)
    const file = await take([snapshot], world.accountId)
    await set(file, { via: 'upload', state: 'waiting', began_at: null, ended_at: null })
    await refused(first, new RegExp(`^File ${file} \\(not ended\\) came later: cancel or undo that first`))
    await set(file, { state: 'undoing', ended_at: '2026-11-14T12:00:00Z' })
    await refused(first, new RegExp(`^File ${file} \\(being undone\\) came later: wait until that is done`))
    await set(file, { state: 'cancelled' })
    await isFree(first)
  })

  test('a file that waited while something else was stored is the later one', async () => {
    const file = await take([snapshot], world.accountId)
    const push = await take([{ ...snapshot, backlink_count: 8 }], world.accountId)
    await set(file, { via: 'upload', began_at: '2026-11-14T12:05:00Z', ended_at: '2026-11-14T12:06:00Z' })
    await set(push, { via: 'push', began_at: '2026-11-14T12:02:00Z', ended_at: '2026-11-14T12:02:00Z' })
    await refused(push, new RegExp(`^File ${file} came later`))
    await isFree(file)
    await isFree(push)
  })

  test('two that were stored at the same time each come after the other', async () => {
    const file = await take([{ ...snapshot, backlink_count: 20 }], world.accountId)
    const push = await take([{ ...snapshot, backlink_count: 21 }], world.accountId)
    await set(file, { via: 'upload', ended_at: '2026-11-14T12:06:00Z' })
    await set(push, { via: 'push', began_at: '2026-11-14T12:02:00Z', ended_at: '2026-11-14T12:02:00Z' })
    await refused(push, new RegExp(`^File ${file} came later`))
    await refused(file, new RegExp(`^Push ${push} came later`))
    await undoIntake(world.operator, file, { isDespiteLater: true })
    await isFree(push)
  })

  test('what changed nothing can be undone whatever came later, because there is nothing to take', async () => {
    const first = await take([{ ...snapshot, backlink_count: 30 }], world.accountId)
    const same = await take([{ ...snapshot, backlink_count: 30 }], world.accountId)
    const last = await take([{ ...snapshot, backlink_count: 31 }], world.accountId)
    await isFree(same)
    await isFree(last)
    await isFree(first)
  })
})
