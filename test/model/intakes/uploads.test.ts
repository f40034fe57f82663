/** Uploads that meet trouble: a restart, a host that is lost, people who are erased meanwhile, a cancellation in the middle. */
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PartnerCaller } from '../../../src/model/core/caller.ts'
import { exportObservations } from '../../../src/model/imports/export.ts'
import { findIntake } from '../../../src/model/intakes/intakes.ts'
import { callerOf } from '../../../src/model/intakes/store-upload.ts'
import { findTask } from '../../../src/model/intakes/tasks.ts'
import { createUploadFile } from '../../../src/model/intakes/upload-files.ts'
import { cancelIntake, createUpload } from '../../../src/model/intakes/uploads.ts'
import { workTasks } from '../../../src/model/intakes/work-tasks.ts'
import { eraseAgain, eraseReviewer } from '../../../src/model/people/personal-data.ts'
import { importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

onEachEngine('an upload in trouble', (place) => {
  const world = worldAt(place)
  const caller = (): PartnerCaller =>
    callerOf(world.app, world.partnerId, { accountId: world.accountId, accountIds: null, keyId: 1, keyName: 'test', requestId: 'test' })
  const work = (signal = new AbortController().signal) =>
    workTasks({
      app: world.app,
      signal,
      eraseAgain: async (reviewers) => {
        await eraseAgain(
          world.operator,
          reviewers.map((reviewer) => ({ at: '', reviewer })),
        )
      },
    })
  const upload = async (records: readonly object[]) => {
    const file = await createUploadFile(world.app.settings)
    await file.append(Buffer.from(records.map((record) => JSON.stringify(record)).join('\n')))
    const options = { target: world.target, words: {}, createMissing: true, isDryRun: false, counts: 'daily' as const }
    return createUpload(caller(), await file.finish(), undefined, options)
  }
  const exported = async () => {
    const lines: string[] = []
    await exportObservations(world.operator, {}, async (text) => void lines.push(text))
    return lines.join('')
  }

  test('that was stored in part goes on where it stopped, and counts what it did in all', async () => {
    const records = rankings(1, 40)
    const { id } = await upload(records)
    // As a process leaves it that was killed in the middle: half of it stored under this intake, the task still there.
    await importLines(world, records.slice(0, 20), { createMissing: true, intake: { id, isResumed: false } })
    await world.app.store.write((tx) => tx.updateTable('intake_tasks').set({ attempts: 1 }).where('intake_id', '=', id).execute())
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
    const before = await exported()
    const { id } = await upload(rankings(4, 30))
    await importLines(world, rankings(4, 15), { intake: { id, isResumed: false } })
    await world.app.store.write((tx) => tx.updateTable('intake_tasks').set({ attempts: 1 }).where('intake_id', '=', id).execute())
    assert.notEqual(await exported(), before)
    assert.equal((await cancelIntake(caller(), id)).state, 'cancelling')
    await work()
    assert.equal((await findIntake(caller(), id)).state, 'cancelled')
    assert.equal(await exported(), before)
    assert.equal(await findTask(world.app, id), undefined)
  })

  test('that would bring back somebody who was erased meanwhile leaves them out', async () => {
    const { id } = await upload([review('Ann Example'), review('Bo Other')])
    await eraseReviewer(world.operator, 'Ann Example')
    await work()
    assert.equal((await findIntake(caller(), id)).state, 'stored')
    assert.doesNotMatch(await exported(), /Ann Example/)
    assert.match(await exported(), /Bo Other/)
    assert.equal(await findTask(world.app, id), undefined)
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
