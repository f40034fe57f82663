/** An undo that is killed on the way is finished by asking for it again, and leaves nothing torn. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportObservations } from '../../src/model/imports/export.ts'
import { undoIntake } from '../../src/model/intakes/undo.ts'
import { importLines, type World, worldAt } from '../support/data.ts'
import { onEngine } from '../support/engines.ts'

const kills = Number(process.env.UNDO_KILLS ?? 3)
const program = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

onEngine('sqlite', 'an undo that is killed', (place) => {
  const world = worldAt(place)

  test(`ends as if it had never been, after ${kills} kills`, async () => {
    await importLines(world, rankings(1, 200), { createMissing: true })
    const before = await exported(world)
    const { intakeId = 0 } = await importLines(world, rankings(2, 5_000), { createMissing: true })
    for (let done = 0; done < kills; done++) {
      const child = spawn(process.execPath, [program, 'intake', 'undo', String(intakeId)], {
        env: { PATH: process.env.PATH ?? '', ...place.env },
      })
      await Promise.race([once(child, 'exit'), sleep(200 + Math.random() * 1_500)])
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await undoIntake(world.operator, intakeId).catch((error: Error) => assert.match(error.message, /undone already/))
    assert.equal(await exported(world), before)
    assert.deepEqual(await world.app.store.db.selectFrom('intake_steps').select('step').where('intake_id', '=', intakeId).execute(), [])
  })
})

/** The first keywords are there before, so that the second import changes as well as creates. */
function rankings(rank: number, keywords: number) {
  return Array.from({ length: keywords }, (_, i) => {
    const words = { phrase: `word ${i}`, search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-01 00:00:00', rank }
    return { type: 'ranking', site: 'example.com', ...words }
  })
}

async function exported({ operator }: World): Promise<string> {
  const lines: string[] = []
  await exportObservations(operator, {}, async (text) => void lines.push(text))
  return lines.join('')
}
