/** A file that cannot be stored for an hour is laid aside, with nothing of it stored, and later files go on; only somebody brings it back. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { moveIntake } from '../../../src/model/imports/journal/intake-states.ts'
import { findIntake, forgetIntakes } from '../../../src/model/intakes/intakes.ts'
import { dropRestingUploads, parkedByReason, releaseUpload } from '../../../src/model/intakes/parked-uploads.ts'
import { cancelIntake, refuseWhenTooMany } from '../../../src/model/intakes/uploads.ts'
import { type IntakeState, intakeStates } from '../../../src/resources/intake.ts'
import { testClock } from '../../support/clock.ts'
import { exported, importLines, makeWorld, type World } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { uploader, uploadLines, workOn } from '../../support/uploads.ts'

const hour = 3_600
const day = 24 * hour

onEachEngine('an upload that cannot be stored', (place) => {
  const clock = testClock()
  const world = {} as World
  before(async () => void Object.assign(world, await makeWorld(place.env, clock)))
  after(() => world.app?.close())

  const said = (sentence: string) => world.app.store.write((tx) => sql.raw(sentence).execute(tx))
  /** Keywords are stored before the rankings that fail. */
  const failing = async (isFailing: boolean) => {
    const on = 'before insert on ranking_months for each row'
    if (place.engine === 'sqlite')
      return said(isFailing ? `create trigger fails ${on} begin select raise(abort, 'out of order'); end` : 'drop trigger fails')
    if (!isFailing) return said('drop trigger fails on ranking_months')
    await said("create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$")
    return said(`create trigger fails ${on} execute function fail()`)
  }
  const find = (id: number) => findIntake(world.operator, id)
  const stateOf = async (id: number) => (await find(id)).state
  const upload = async (phrase: string, rank: number) => (await uploadLines(world, [ranking(phrase, rank)])).id
  const hasFile = async (id: number) => {
    const task = await world.app.store.db.selectFrom('intake_tasks').select('file').where('intake_id', '=', id).executeTakeFirst()
    return existsSync(join(world.app.settings.dataDir, 'uploads', task?.file ?? 'none'))
  }
  /** Tried once, and then left alone for an hour. */
  const park = async (id: number) => {
    await failing(true)
    assert.deepEqual([...new Set((await workOn(world)).map(({ intakeId }) => intakeId))], [id])
    clock.pass(hour)
    await failing(false)
    await eventually(async () => {
      await workOn(world)
      return (await stateOf(id)) === 'parked'
    })
  }

  test('keeps its place for an hour, then rests with nothing of it stored, lets later ones pass, and never goes on by itself', async () => {
    await importLines(world, [ranking('there before', 7)], { createMissing: true })
    const { id: monday } = await uploadLines(world, [ranking('drains', 1), ranking('only on monday', 1)])
    await failing(true)
    assert.equal((await workOn(world)).length, 1)
    const tried = await find(monday)
    assert.equal(tried.state, 'storing')
    assert.match(tried.reason ?? '', /storing it failed/i)
    assert.match(await exported(world), /only on monday/, 'its keywords are stored')
    const tuesday = await upload('drains', 2)
    clock.pass(hour - 1)
    await workOn(world)
    assert.deepEqual([await stateOf(monday), await stateOf(tuesday)], ['storing', 'waiting'])
    await failing(false)
    clock.pass(1)
    await eventually(async () => {
      await workOn(world)
      return (await stateOf(tuesday)) === 'stored'
    })
    const { state, reason, ended_at } = await find(monday)
    assert.deepEqual([state, ended_at], ['parked', null])
    assert.deepEqual(await parkedByReason(world.app.store.db), { [reason ?? '']: 1 })
    assert.doesNotMatch(await exported(world), /only on monday/, 'nothing of it is stored')
    clock.pass(7 * day)
    assert.deepEqual(await workOn(world), [])
    assert.equal(await stateOf(monday), 'parked')
    assert.match(await exported(world), /"phrase":"drains".*"rank":2/)

    const released = await releaseUpload(uploader(world), monday)
    assert.deepEqual([released.state, released.reason], ['waiting', null])
    assert.match(released.notices[0]?.message ?? '', new RegExp(`^Stored since it came: ${tuesday}\\.`))
    await workOn(world)
    assert.equal(await stateOf(monday), 'stored')
    assert.match(await exported(world), /"phrase":"drains".*"rank":1/)
    await assert.rejects(releaseUpload(uploader(world), monday), { code: 'conflict' })
  })

  test('is cancelled while it rests, counts none of the ten that may wait, and is not forgotten', async () => {
    const id = await upload('counted', 3)
    await park(id)
    for (let i = 0; i < 9; i += 1) await upload(`waiting ${i}`, 4)
    await refuseWhenTooMany(uploader(world))
    assert.equal(await forgetIntakes(world.app, '2999-01-01T00:00:00Z').then(() => stateOf(id)), 'parked')
    assert.equal((await cancelIntake(uploader(world), id)).state, 'cancelled')
    await workOn(world)
    assert.doesNotMatch(await exported(world), /"phrase":"counted"/)
    await assert.rejects(releaseUpload(uploader(world), id), { code: 'conflict' })
  })

  test('is cancelled with its reason when nobody releases it for thirty days, and its file goes', async () => {
    const id = await upload('too late', 5)
    await park(id)
    clock.pass(30 * day)
    await dropRestingUploads(world.app)
    assert.deepEqual([await stateOf(id), await hasFile(id)], ['parked', true])
    clock.pass(1)
    await dropRestingUploads(world.app)
    assert.deepEqual([await stateOf(id), await hasFile(id)], ['cancelled', false])
    assert.match(
      (await find(id)).reason ?? '',
      /^Nobody released it for 30 days, so that it was cancelled and its file deleted\. .*storing it failed/i,
    )
  })

  test('changes its state only as the table says', async () => {
    const states = Object.keys(intakeStates) as IntakeState[]
    const id = await upload('moved', 6)
    for (const from of states)
      for (const to of states) {
        await world.app.store.write(async (tx) => {
          await tx.updateTable('intakes').set({ state: from }).where('id', '=', id).execute()
          assert.equal(await moveIntake(tx, id, to), (intakeStates[from].next as readonly string[]).includes(to), `${from} to ${to}`)
        })
        assert.equal(await stateOf(id), (intakeStates[from].next as readonly string[]).includes(to) ? to : from)
      }
  })
})

function ranking(phrase: string, rank: number) {
  const when = { search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00' }
  return { type: 'ranking', site: 'example.com', phrase, ...when, rank }
}
