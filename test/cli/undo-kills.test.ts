/** An undo that is killed on the way is finished by asking for it again, and leaves nothing torn. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportObservations } from '../../src/model/imports/export/export.ts'
import { findIntake } from '../../src/model/intakes/intakes.ts'
import { undoIntake } from '../../src/model/intakes/undo.ts'
import { importLines, type World, worldAt } from '../support/data.ts'
import { engineNames, onEngine, type Place } from '../support/engines.ts'

/** The long form kills so many times on both engines. */
const wanted = process.env.UNDO_KILLS
const kills = Number(wanted ?? 3)
const killsPerUndo = 5
const keywordsPerUndo = 2_000
/** An undo that is asked for again begins at once, so its process needs some of this time to start. */
const longestWaitMilliseconds = 2_000
const program = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

for (const engine of wanted === undefined ? (['sqlite'] as const) : engineNames)
  onEngine(engine, `an undo that is killed, on ${engine}`, killing)

function killing(place: Place): void {
  const world = worldAt(place)

  test(`ends as if it had never been, after ${kills} kills on the way`, async () => {
    await importLines(world, rankings(1, 200), { createMissing: true })
    const before = await exported(world)
    for (let hits = 0; hits < kills; ) {
      const { intakeId = 0 } = await importLines(world, rankings(2, keywordsPerUndo), { createMissing: true })
      for (let i = 0; i < killsPerUndo && hits < kills; i++) if (await isKilledOnTheWay(world, place, intakeId)) hits++
      await undoIntake(world.operator, intakeId).catch((error: Error) => assert.match(error.message, /undone already/))
      assert.ok((await exported(world)) === before, 'undoing leaves what was there before')
      const steps = world.app.store.db.selectFrom('intake_steps').select('step').where('intake_id', '=', intakeId)
      assert.deepEqual(await steps.execute(), [])
    }
  })
}

/** Whether the kill came after the undo had begun and before it had ended. */
async function isKilledOnTheWay({ operator }: World, { env }: Place, id: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, 'intake', 'undo', String(id)], { env: { PATH: process.env.PATH ?? '', ...env } })
  const exited = once(child, 'exit')
  const state = async () => (await findIntake(operator, id)).state
  while (child.exitCode === null && (await state()) === 'stored') await sleep(5)
  await Promise.race([exited, sleep(Math.random() * longestWaitMilliseconds)])
  child.kill('SIGKILL')
  await exited
  return (await state()) === 'undoing'
}

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
