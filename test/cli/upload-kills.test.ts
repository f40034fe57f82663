/** A service that is killed while it stores or undoes an upload: the next one finishes it, and nothing is torn. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportObservations } from '../../src/model/imports/export/export.ts'
import { callerOf } from '../../src/model/intakes/file-senders.ts'
import { findIntake } from '../../src/model/intakes/intakes.ts'
import { requestUndo } from '../../src/model/intakes/undo.ts'
import { createUploadFile } from '../../src/model/intakes/upload-files.ts'
import { createUpload } from '../../src/model/intakes/uploads.ts'
import { importLines, type World, worldAt } from '../support/data.ts'
import { engineNames, onEngine, type Place } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'

/** The long form kills so many times on both engines. */
const wanted = process.env.UPLOAD_KILLS
const kills = Number(wanted ?? 1)
/** A file that ends the process ten times is not tried again, so that each is killed a few times only. */
const killsPerUpload = 4
/** The short form kills soon after the beginning, so that its first kill hits; the long form at any time of the work, which takes about so long. */
const longestWaitMilliseconds = wanted === undefined ? 100 : 700
const leaseNames = 'intakes:%'
const program = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

for (const engine of wanted === undefined ? (['sqlite'] as const) : engineNames)
  onEngine(engine, `an upload that is killed, on ${engine}`, killing)

function killing(place: Place): void {
  const world = worldAt(place)

  test(`is stored and undone as if nothing had happened, after ${kills} kills of each`, async () => {
    await importLines(world, rankings(1, 300), { createMissing: true })
    const before = await exported(world)
    let expected: string | undefined
    for (let hits = { storing: 0, undoing: 0 }; Math.min(hits.storing, hits.undoing) < kills; ) {
      const id = await upload(world)
      hits.storing += await killedAndEnded(world, place.env, id, 'stored')
      const stored = await findIntake(world.operator, id)
      assert.partialDeepStrictEqual(stored.kinds, [
        { kind: 'keyword', created: 2_700 },
        { kind: 'ranking', accepted: 30_000, created: 29_700, updated: 300, unchanged: 0 },
      ])
      expected ??= await exported(world)
      assert.ok((await exported(world)) === expected, 'every time the same is stored')
      await requestUndo(world.operator, id)
      hits.undoing += await killedAndEnded(world, place.env, id, 'undone')
      assert.ok((await exported(world)) === before, 'undoing leaves what was there before')
    }
  })
}

async function upload({ app, partnerId, accountId, target }: World): Promise<number> {
  const file = await createUploadFile(app.settings)
  for (let at = 0; at < 10; at++)
    await file.append(
      Buffer.from(
        rankings(2, 3_000, at)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      ),
    )
  const caller = callerOf(app, partnerId, { accountId, accountIds: null, keyId: 1, keyName: 'test', requestId: 'test' })
  const options = { target, words: {}, createMissing: true, isDryRun: false, counts: 'daily' as const }
  return (await createUpload(caller, await file.finish(), 'killed.ndjson', options)).id
}

/** How many kills came after the work had begun and before it had ended. */
async function killedAndEnded(world: World, env: Record<string, string>, id: number, end: 'stored' | 'undone'): Promise<number> {
  let hits = 0
  const state = async () => (await findIntake(world.operator, id)).state
  for (let i = 0; i < Math.min(killsPerUpload, kills) && (await state()) !== end; i++) {
    const service = await serve(world, env)
    while (!(await isWorkedOn(world)) && (await state()) !== end) await sleep(5)
    await sleep(Math.random() * longestWaitMilliseconds)
    service.kill('SIGKILL')
    await once(service, 'exit')
    if ((await state()) !== end) hits++
  }
  const service = await serve(world, env)
  await eventually(async () => (await state()) === end)
  service.kill('SIGTERM')
  await once(service, 'exit')
  assert.equal(await state(), end)
  return hits
}

async function isWorkedOn({ app }: World): Promise<boolean> {
  const lease = await app.store.db.selectFrom('leases').select('name').where('name', 'like', leaseNames).executeTakeFirst()
  return lease !== undefined
}

/** The lease of the one that was killed would have to expire first, which takes a minute. */
async function serve({ app }: World, env: Record<string, string>) {
  await app.store.write((tx) => tx.deleteFrom('leases').where('name', 'like', leaseNames).execute())
  const settings = { PATH: process.env.PATH ?? '', PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error', ...env }
  const service = spawn(process.execPath, [program, 'serve'], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(service.stdout, 'data')
  return service
}

/** The first keywords are there before, so that an upload changes as well as creates. */
function rankings(rank: number, keywords: number, hour = 0) {
  return Array.from({ length: keywords }, (_, i) => {
    const words = { phrase: `word ${i}`, search_engine: 'Google', locale: 'en-us', ranked_at: `2026-11-01 0${hour}:00:00`, rank }
    return { type: 'ranking', site: 'example.com', ...words }
  })
}

async function exported({ operator }: World): Promise<string> {
  const lines: string[] = []
  await exportObservations(operator, {}, async (text) => void lines.push(text))
  return lines.join('')
}
