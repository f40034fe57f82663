/** The job of the intakes ends when the service is stopped, at whatever moment that comes, and one long file holds up nobody else's. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../src/config.ts'
import { workOnIntakes } from '../../src/jobs/intakes.ts'
import { openLog } from '../../src/lib/log.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { findIntake } from '../../src/model/intakes/intakes.ts'
import { findTask, isTaskDue } from '../../src/model/intakes/tasks.ts'
import { requestUndo } from '../../src/model/intakes/undo.ts'
import { hostOf } from '../../src/model/intakes/upload-files.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { importLines, worldAt } from '../support/data.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { waitingIntake } from '../support/sample-world.ts'
import { uploadLines } from '../support/uploads.ts'

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

onEachEngine('a file of acme that takes long', (place) => {
  const world = worldAt(place)
  const stateOf = async (id: number) => (await findIntake(world.operator, id)).state
  const comesTo = (id: number, state: string) => eventually(async () => (await stateOf(id)) === state)

  test('holds up neither a file nor an undo of globex that come after it', async () => {
    const { partner } = await createPartner(world.operator, 'Globex')
    const { id: accountId } = await createAccount(world.operator, partner.id, 'Globex')
    const globex = { ...world, partnerId: partner.id, accountId, target: { partnerId: partner.id } }
    const { intakeId: mistaken = 0 } = await importLines(globex, [ranking('mistaken')], { createMissing: true })
    const { id: long } = await uploadLines(world, [ranking('long')])
    const file = join(place.folder, 'uploads', (await findTask(world.app, long))?.file ?? assert.fail())
    // Whoever reads it waits for as long as the test keeps it open.
    rmSync(file)
    execFileSync('mkfifo', [file])
    let end: number | undefined = openSync(file, 'r+')
    const stopping = new AbortController()
    const ended = workOnIntakes(world.app, openLog('silent'), stopping.signal)
    try {
      await comesTo(long, 'checking')
      // A place that had found nothing once would have given up by now.
      await sleep(1_500)
      const { id: short } = await uploadLines(globex, [ranking('short')])
      await comesTo(short, 'stored')
      await requestUndo(world.operator, mistaken, { isDespiteLater: true })
      await comesTo(mistaken, 'undone')
      assert.equal(await stateOf(long), 'checking')
      writeSync(end, JSON.stringify(ranking('long')))
      closeSync(end)
      end = undefined
      await comesTo(long, 'stored')
    } finally {
      if (end !== undefined) closeSync(end)
      stopping.abort()
      await ended
    }
  })
})

function ranking(phrase: string) {
  const seen = { search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank: 4 }
  return { type: 'ranking', site: 'example.com', phrase, ...seen }
}
