/** The job of the intakes ends when the service is stopped, at whatever moment that comes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { workOnIntakes } from '../../src/jobs/intakes.ts'
import { openLog } from '../../src/lib/log.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { isTaskDue } from '../../src/model/intakes/tasks.ts'
import { hostOf } from '../../src/model/intakes/upload-files.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitingIntake } from '../support/sample-world.ts'

onEachEngine('the job of the intakes', (place) => {
  let app: App
  before(async () => {
    app = await openApp(readSettings(place.env))
    const operator: OperatorCaller = { kind: 'operator', app, requestId: 'test' }
    const { partner } = await createPartner(operator, 'Acme')
    // The second waits for the first, whose file is on another host, so there is a task here for as long as the test takes.
    await waitingIntake({ operator }, partner.id)
    await waitingIntake({ operator }, partner.id, hostOf(app.settings))
  })
  after(() => app?.close())

  test('ends when it is stopped before its thread, and the task stays', async () => {
    const stopping = new AbortController()
    const ended = workOnIntakes(app, openLog('silent'), stopping.signal)
    stopping.abort()
    await ended
    assert.equal(await isTaskDue(app), true)
  })

  test('ends when it is stopped while its thread works, and the task stays', async () => {
    const stopping = new AbortController()
    const ended = workOnIntakes(app, openLog('silent'), stopping.signal)
    setTimeout(() => stopping.abort(), 300)
    await ended
    assert.equal(await isTaskDue(app), true)
  })
})
