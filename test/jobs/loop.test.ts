/** A job that fails goes on less and less often and says so in few words; one that works again says that too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobsOn } from '../../src/jobs/jobs.ts'
import { startJobs } from '../../src/jobs/loop.ts'
import { openLog } from '../../src/lib/log.ts'
import { workBudget } from '../../src/lib/work/budget.ts'
import { groundAt } from '../support/app.ts'
import { onEngine } from '../support/engines.ts'

onEngine('sqlite', 'jobs', (place) => {
  const ground = groundAt(place)

  test('failures are backed off, counted, and told with one stack only', async () => {
    const lines: string[] = []
    const log = openLog('info', { counts: { written: 0, dropped: 0 }, write: (line) => void lines.push(line) })
    let isBroken = true
    const run = async () => {
      if (isBroken) throw new Error('The disk of the database is full')
    }
    const jobs = startJobs(ground.app, [{ name: 'seal', everySeconds: 0.01, isDue: async () => true, run }], log)
    while ((jobs.counts.seal?.failures ?? 0) < 5) await sleep(5)
    const failures = jobs.counts.seal?.failures ?? 0
    isBroken = false
    while (jobs.counts.seal?.succeededAt === null) await sleep(5)
    await jobs.stop()
    const told = lines.map((line) => JSON.parse(line) as { msg: string; failures?: number; err?: { stack: string } })
    assert.equal(told.filter(({ err }) => err !== undefined).length, 1, 'the stack comes once')
    assert.ok(told.filter(({ msg }) => msg === 'a job failed again').length < failures)
    assert.deepEqual([told.at(-1)?.msg, told.at(-1)?.failures], ['a job works again', failures])
  })

  test('a job that runs takes a place of the budget, and is told to stop in time', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>()
    const run = (signal: AbortSignal) => {
      resolve(signal)
      return sleep(20)
    }
    const jobs = startJobs(ground.app, [{ name: 'seal', everySeconds: 0.01, isDue: async () => true, run }], openLog('silent'))
    const signal = await promise
    assert.deepEqual([jobs.places.inside, signal.aborted], [1, false])
    await jobs.stop()
    assert.equal(jobs.places.inside, 0)
    assert.ok(jobsOn(ground.app, openLog('silent'), async () => null).length <= workBudget.job.places)
  })
})
