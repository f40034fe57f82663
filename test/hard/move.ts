/** The long form of moves: ten million rankings to a server and back, killed ten times on the way, then once more undisturbed for the rate. */
import assert from 'node:assert/strict'
import { addAccount } from '../../bench/world.ts'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { secretPath } from '../../src/model/core/secrets/secret-file.ts'
import { type EngineName, emptyPlace, freshPlace, type Place } from '../support/engines.ts'
import { contentOf, killed, look, type MovingWorld, makeMovingWorld, moveTo } from '../support/moving.ts'
import { startPostgres } from '../support/postgres.ts'

const accounts = Number(process.env.MOVE_ACCOUNTS ?? 10)
/** A million rankings an account. */
const size = { sites: 20, competitors: 3, keywords: 46, days: 91, backlinks: 5_000 }
const rankings = accounts * size.sites * (size.competitors + 1) * size.keywords * size.days * 3
/** Statements before which a run is killed. Each run goes on where the last one was, and one into a file counts every row. */
const killsAt: Readonly<Record<EngineName, readonly number[]>> = {
  postgres: [60, 280, 300, 320, 340],
  sqlite: [60, 280, 20_000, 60_000, 90_000],
}

const server = process.env.TEST_POSTGRES_URL === undefined ? await startPostgres() : null
if (server !== null) process.env.TEST_POSTGRES_URL = server.url
const first = await freshPlace('sqlite')
const kept = [first]
try {
  const world = await makeMovingWorld(first)
  await fill(first, world)
  const seen = await look(first, world)
  let here = await move(first, 'postgres', world, seen, killsAt.postgres)
  here = await move(here, 'sqlite', world, seen, killsAt.sqlite)
  here = await move(here, 'postgres', world, seen, [])
  await move(here, 'sqlite', world, seen, [])
} finally {
  for (const place of kept) await place.remove()
  await server?.stop()
}

async function fill(place: Place, { partnerId }: MovingWorld): Promise<void> {
  const app = await openApp(readSettings(place.env))
  const operator = { kind: 'operator', app, requestId: 'hard' } as const
  for (let account = 0; account < accounts; account++) await addAccount(operator, partnerId, `account-${account}`, size)
  await app.close()
  console.log(`${rankings.toLocaleString('en-US')} rankings are stored`)
}

/** Moves to a new place, killed so many times on the way, and proves that everyone finds there what they had; the new place. */
async function move(from: Place, engine: EngineName, world: MovingWorld, seen: object, steps: readonly number[]): Promise<Place> {
  const to = await emptyPlace(engine)
  Object.assign(to.env, { MARQUEE_SECRET_FILE: secretPath(readSettings(first.env)) })
  kept.push(to)
  for (const step of steps) assert.ok(await killed(from, to, 'first', step), `the move was over before statement ${step}`)
  const { code, stderr, json } = await moveTo(from, to, '--json')
  assert.equal(code, 0, stderr)
  const { rows, copied, bytes, seconds, peak_memory_mb } = json<{ move: Record<string, number> }>().move as Record<string, number>
  console.log({
    to: engine,
    kills: steps.length,
    rows,
    copied_by_last_run: copied,
    megabytes: Math.round(Number(bytes) / 1e6),
    seconds,
    peak_memory_mb,
  })
  if (steps.length === 0)
    console.log(`${Math.round(rankings / Number(seconds)).toLocaleString('en-US')} rankings a second, copied and compared`)
  assert.deepEqual(await contentOf(to), await contentOf(from))
  assert.deepEqual(await look(to, world), seen)
  return to
}
