/** When a reader thread dies, only the work that was half sent is lost: the rest is made again. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import type { ChunkSource } from '../../src/lib/streams/chunks.ts'
import { wholeSeoReport } from '../../src/model/reports/question.ts'
import { threadsFor } from '../../src/readers/pool.ts'
import { ReaderThreads } from '../../src/readers/reader-threads.ts'
import { onEachEngine } from '../support/engines.ts'
import { makeReportWorld, type ReportWorld } from '../support/report-world.ts'
import { serviceOn } from '../support/service.ts'

onEachEngine('a reader thread that dies', (place) => {
  const service = serviceOn(place)
  const at = {} as { world: ReportWorld; threads: ReaderThreads }
  const workers: Worker[] = []
  const onWorker = (message: unknown) => workers.push((message as { worker: Worker }).worker)
  before(async () => {
    at.world = await makeReportWorld(service)
    subscribe('worker_threads', onWorker)
    const limits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 96 }
    at.threads = new ReaderThreads({ settings: service.app.settings, snapshots: 4, ahead: [] }, 1, limits)
  })
  after(async () => {
    unsubscribe('worker_threads', onWorker)
    await at.threads?.close()
  })

  const ask = (partnerId: number, leave = () => {}) =>
    at.threads.open({ work: 'report', party: '', asked: { partnerId, question: wholeSeoReport, coding: 'identity', version: '' } }, leave)

  test('lets those be made again of which nothing was sent, and each leaves its place once', async () => {
    const whole = [await textOf(ask(at.world.acme.id)), await textOf(ask(at.world.globex.id))]
    let left = 0
    const reports = [ask(at.world.acme.id, () => left++), ask(at.world.globex.id, () => left++)]
    await workers.at(-1)?.terminate()
    assert.deepEqual(await Promise.all(reports.map(textOf)), whole)
    assert.equal(left, 2)
    assert.equal(workers.length, 3)
  })

  test('fails a report that kills its thread again, alone', async () => {
    const kill = (message: unknown) =>
      void (message as { worker: Worker }).worker.once('online', function (this: Worker) {
        void this.terminate()
      })
    const doomed = ask(at.world.acme.id)
    subscribe('worker_threads', kill)
    await workers.at(-1)?.terminate()
    await assert.rejects(doomed.begun(), /reader thread has ended/)
    unsubscribe('worker_threads', kill)
    assert.match(await textOf(ask(at.world.globex.id)), /globex secret/)
  })

  test('is one of several where there are cores', () => {
    assert.deepEqual(
      [1, 2, 4, 6, 8, 64].map((cores) => threadsFor('long', cores)),
      [1, 1, 2, 3, 4, 4],
    )
    assert.deepEqual(
      [1, 2, 8, 16].map((workers) => threadsFor('long', 16, workers)),
      [4, 4, 1, 1],
    )
    assert.deepEqual([threadsFor('short', 2), threadsFor('short', 2, 2), threadsFor('short', 8)], [2, 1, 4])
  })
})

async function textOf(source: ChunkSource): Promise<string> {
  const texts: string[] = []
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
    texts.push(new TextDecoder().decode(chunk))
    source.taken(chunk)
  }
  return texts.join('')
}
