/** An upload that the stop of the service interrupts in the middle is cancelled, continued or refused as if nothing of it had been stored before. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { findTask } from '../../../src/model/intakes/tasks.ts'
import { undoIntake } from '../../../src/model/intakes/undo.ts'
import { cancelIntake } from '../../../src/model/intakes/uploads.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { exported, importLines, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { uploader, uploadLines, workOn, workUntilStep } from '../../support/uploads.ts'

onEachEngine('an upload that the stop of the service interrupts', (place) => {
  const world = worldAt(place)
  const stateOf = async (id: number) => (await findIntake(world.operator, id)).state
  const keywordsOf = async () => {
    const all = await world.app.store.db.selectFrom('keywords').select(['account_id', 'phrase']).execute()
    return all.map(({ account_id, phrase }) => `${account_id} ${phrase}`).toSorted()
  }
  const stepsOf = (id: number) => world.app.store.db.selectFrom('intake_steps').select('step').where('intake_id', '=', id).execute()
  /** Its keywords are stored, its rankings are not. */
  const interrupted = async (records: readonly object[], createMissing = true, steps = 2) => {
    const { id } = await uploadLines(world, records, { createMissing })
    // The first one of an account only says which sites the file refers to.
    assert.deepEqual(await workUntilStep(world, steps), [])
    assert.equal((await stepsOf(id)).length, steps, 'it was stopped in the middle')
    return id
  }
  let before: string
  let keywords: string[]

  beforeEach(async () => {
    await importLines(world, [...rankings('neighbour', 3), ...rankings('shared', 3, 'shared.example', world.otherAccountId)], {
      createMissing: true,
    })
    before = await exported(world)
    keywords = await keywordsOf()
  })

  test('leaves nothing when it is cancelled before the service starts again', async () => {
    const id = await interrupted(rankings('cancelled', 40))
    assert.notDeepEqual(await keywordsOf(), keywords)
    assert.equal((await cancelIntake(uploader(world), id)).state, 'cancelling')
    assert.equal((await cancelIntake(uploader(world), id)).state, 'cancelling', 'a repetition changes nothing')
    assert.deepEqual(await workOn(world), [])
    assert.equal(await stateOf(id), 'cancelled')
    assert.deepEqual(await keywordsOf(), keywords)
    assert.equal(await exported(world), before)
    assert.deepEqual([await stepsOf(id), await findTask(world.app, id)], [[], undefined])
  })

  test('leaves nothing of several accounts when it is cancelled', async () => {
    const { id } = await uploadLines(world, [...rankings('several', 4), ...rankings('several', 4, 'shared.example', world.otherAccountId)])
    await workUntilStep(world, 5)
    assert.equal((await stepsOf(id)).length, 5)
    await cancelIntake(uploader(world), id)
    await workOn(world)
    assert.equal(await stateOf(id), 'cancelled')
    assert.deepEqual(await keywordsOf(), keywords)
    assert.equal(await exported(world), before)
  })

  test('is continued at the first try, counts what it did in all, and can be undone', async () => {
    const id = await interrupted(rankings('continued', 40))
    assert.deepEqual(await workOn(world), [])
    const intake = await findIntake(world.operator, id)
    assert.partialDeepStrictEqual(intake, { state: 'stored', lines: 40, stored: 80, refused: 0 })
    assert.partialDeepStrictEqual(intake.kinds, [
      { kind: 'keyword', created: 40 },
      { kind: 'ranking', accepted: 40, created: 40, updated: 0, unchanged: 0 },
    ])
    assert.deepEqual((await undoIntake(world.operator, id)).left_alone, [])
    assert.deepEqual(await keywordsOf(), keywords)
    assert.equal(await exported(world), before)
  })

  test('is taken back and stored anew if an earlier version began it, which did not count in its steps', async () => {
    const id = await interrupted(rankings('earlier', 40))
    const uncounted = { created: null, updated: null }
    await world.app.store.write((tx) => tx.updateTable('intake_steps').set(uncounted).where('intake_id', '=', id).execute())
    assert.deepEqual(await workOn(world), [])
    const intake = await findIntake(world.operator, id)
    assert.partialDeepStrictEqual(intake, { state: 'stored', lines: 40, stored: 80, refused: 0 })
    assert.partialDeepStrictEqual(intake.kinds, [
      { kind: 'keyword', created: 40 },
      { kind: 'ranking', accepted: 40, created: 40, updated: 0, unchanged: 0 },
    ])
    await undoIntake(world.operator, id)
    assert.equal(await exported(world), before)
  })

  test('is continued after it was interrupted again and again', async () => {
    const id = await interrupted(rankings('again', 40))
    await workUntilStep(world, 1)
    assert.deepEqual(await workOn(world), [])
    assert.equal(await stateOf(id), 'stored')
    await undoIntake(world.operator, id)
    assert.equal(await exported(world), before)
  })

  test('leaves nothing when its next run refuses it', async () => {
    const words = Array.from({ length: 20 }, (_, i) => ({ type: 'keyword', site: 'example.com', phrase: `refused ${i}` }))
    const gone = { type: 'snapshot', site: 'shared.example', account: world.otherAccountId, day: '2026-11-01', backlink_count: 7 }
    const id = await interrupted([...words, gone], false, 3)
    const { id: siteId } = await world.app.store.db
      .selectFrom('sites')
      .select('id')
      .where('account_id', '=', world.otherAccountId)
      .executeTakeFirstOrThrow()
    await deleteSite(world.operator, siteId)
    assert.deepEqual(await workOn(world), [])
    const { state, faults, stored } = await findIntake(world.operator, id)
    assert.deepEqual([state, stored, faults.map(({ code }) => code)], ['refused', 0, ['unknown']])
    assert.deepEqual(
      (await keywordsOf()).filter((keyword) => keyword.includes('refused')),
      [],
    )
    assert.deepEqual(await stepsOf(id), [])
  })

  test('is cancelled at once as long as nobody has begun it', async () => {
    const { partner } = await createPartner(world.operator, 'Globex')
    const { id } = await uploadLines(world, rankings('waiting', 4))
    const globex = { ...world, partnerId: partner.id, target: { partnerId: partner.id } }
    const { id: other } = await uploadLines(globex, rankings('other', 4))
    assert.equal((await cancelIntake(uploader(world), id)).state, 'cancelled')
    assert.equal(await findTask(world.app, id), undefined)
    assert.notEqual(await findTask(world.app, other), undefined)
    await cancelIntake(uploader(globex), other)
  })
})

function rankings(word: string, keywords: number, site = 'example.com', account?: number) {
  const seen = { search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 4 }
  return Array.from({ length: keywords }, (_, i) => ({ type: 'ranking', site, account, phrase: `${word} ${i}`, ...seen }))
}
