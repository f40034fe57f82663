/** Uploads that meet trouble: a restart, a host that is lost, people who are erased meanwhile, a cancellation in the middle. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { findTask, removeAbandonedFiles } from '../../../src/model/intakes/tasks.ts'
import { cancelIntake } from '../../../src/model/intakes/uploads.ts'
import { eraseReviewer } from '../../../src/model/people/personal-data.ts'
import { exported, importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'
import { uploader, uploadLines, workOn } from '../../support/uploads.ts'

onEachEngine('an upload in trouble', (place) => {
  const world = worldAt(place)
  const caller = () => uploader(world)
  const work = (signal?: AbortSignal) => workOn(world, signal)
  const upload = (records: readonly object[]) => uploadLines(world, records)
  /** As a process leaves it that was killed in the middle: a part stored under this intake, the task still there. */
  const killed = async (id: number, stored: readonly object[], options = {}) => {
    await importLines(world, stored, { ...options, intake: { id, isResumed: false } })
    await world.app.store.write(async (tx) => {
      await tx.updateTable('intake_tasks').set({ attempts: 1 }).where('intake_id', '=', id).execute()
      await tx.updateTable('intakes').set({ state: 'checking' }).where('id', '=', id).execute()
    })
  }

  test('that was stored in part goes on where it stopped, and counts what it did in all', async () => {
    const records = rankings(1, 40)
    const { id } = await upload(records)
    await killed(id, records.slice(0, 20), { createMissing: true })
    assert.deepEqual(await work(), [])
    const intake = await findIntake(caller(), id)
    assert.partialDeepStrictEqual(intake, { state: 'stored', refused: 0 })
    assert.partialDeepStrictEqual(intake.kinds, [
      { kind: 'keyword', created: 40 },
      { kind: 'ranking', accepted: 40, created: 40, updated: 0, unchanged: 0 },
    ])
  })

  test('that is stopped with the service is taken up by the next one', async () => {
    const { id } = await upload(rankings(2, 10))
    await work(AbortSignal.abort())
    assert.equal((await findIntake(caller(), id)).state, 'waiting')
    await work()
    assert.equal((await findIntake(caller(), id)).state, 'stored')
  })

  test('whose file or host is lost ends as interrupted', async () => {
    const lost = await upload(rankings(3, 5))
    const task = await findTask(world.app, lost.id)
    rmSync(join(place.folder, 'uploads', task?.file ?? assert.fail()))
    await work()
    assert.equal((await findIntake(caller(), lost.id)).state, 'interrupted')
    const elsewhere = await upload(rankings(3, 5))
    const silent = { host: 'another', seen_at: '2026-11-14T11:44:59Z' }
    await world.app.store.write((tx) => tx.updateTable('intake_tasks').set(silent).where('intake_id', '=', elsewhere.id).execute())
    await work()
    assert.equal((await findIntake(caller(), elsewhere.id)).state, 'interrupted')
  })

  test('that is cancelled after it was begun leaves nothing', async () => {
    const before = await exported(world)
    const { id } = await upload(rankings(4, 30))
    await killed(id, rankings(4, 15))
    assert.notEqual(await exported(world), before)
    assert.equal((await cancelIntake(caller(), id)).state, 'cancelling')
    await work()
    assert.equal((await findIntake(caller(), id)).state, 'cancelled')
    assert.equal(await exported(world), before)
    assert.equal(await findTask(world.app, id), undefined)
  })

  test('that would bring back somebody who was erased meanwhile leaves them out', async () => {
    const { id } = await upload([review('Ann Example'), review('Bo Other')])
    await eraseReviewer(world.operator, 'Ann Example')
    await work()
    assert.equal((await findIntake(caller(), id)).state, 'stored')
    assert.doesNotMatch(await exported(world), /Ann Example/)
    assert.match(await exported(world), /Bo Other/)
    assert.equal(await findTask(world.app, id), undefined)
  })

  test('keeps its file, however long it waits, when what a crash left behind is swept away', async () => {
    const { id } = await upload(rankings(5, 2))
    const folder = join(place.folder, 'uploads')
    const { file } = (await findTask(world.app, id)) ?? assert.fail()
    for (const name of ['left behind', 'still arriving']) writeFileSync(join(folder, name), 'half a file')
    const longAgo = new Date(Date.now() - 86_400_000)
    const old = [file ?? '', 'left behind', 'host']
    for (const name of old) utimesSync(join(folder, name), longAgo, longAgo)
    await removeAbandonedFiles(world.app)
    const kept = readdirSync(folder)
    assert.deepEqual(
      [...old, 'still arriving'].filter((name) => !kept.includes(name)),
      ['left behind'],
    )
    await work()
    assert.equal((await findIntake(caller(), id)).state, 'stored')
    rmSync(join(folder, 'still arriving'))
  })

  test('that names a site which is gone by now is refused, and its file goes', async () => {
    const { id } = await upload(rankings(1, 2))
    const { file } = (await findTask(world.app, id)) ?? assert.fail()
    const options = JSON.stringify({ ...JSON.parse((await findTask(world.app, id))?.options ?? ''), target: gone(world) })
    await world.app.store.write((tx) => tx.updateTable('intake_tasks').set({ options }).where('intake_id', '=', id).execute())
    await work()
    const { state, faults } = await findIntake(caller(), id)
    assert.deepEqual([state, faults[0]?.code], ['refused', 'unknown'])
    assert.ok(!existsSync(join(place.folder, 'uploads', file ?? '')))
  })

  test('that has no good line is not read to its end, says so, and leaves nothing', async () => {
    const before = await exported(world)
    const { id } = await upload(rankings(0, 4_000))
    await work()
    const { state, lines, refused, faults, bytes, bytes_read } = await findIntake(caller(), id)
    assert.deepEqual([state, faults.length, faults.at(-1)?.line], ['refused', 101, (lines ?? 0) + 1])
    assert.ok(
      refused === lines && (lines ?? 0) < 2_500 && (bytes_read ?? 0) < (bytes ?? 0),
      `${lines} lines, ${bytes_read} of ${bytes} bytes`,
    )
    assert.match(faults.at(-1)?.message ?? '', /^was not read, nor any after it: each of the first 1000 lines or more had a fault; nothing/)
    assert.equal(await exported(world), before)
  })
})

function gone({ target }: World) {
  return { ...target, siteId: 999_999 }
}

function rankings(rank: number, keywords: number) {
  return Array.from({ length: keywords }, (_, i) => {
    const words = { phrase: `word ${i}`, search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank }
    return { type: 'ranking', site: 'example.com', ...words }
  })
}

function review(user: string) {
  const page = { type: 'review', site: 'example.com', page_url: 'https://maps.example/place/1', source: 'google' }
  return { ...page, rating: 4, date: '2026-11-01', detail: 'Good.', user }
}
