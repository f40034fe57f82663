/** An entity tag names one sequence of bytes: while partners push, with a replica, and after a history that was cut off. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyPlace } from '../support/engines.ts'
import { startPostgres } from '../support/postgres.ts'
import { startPair } from '../support/postgres-pair.ts'
import { clientOf } from './support/client.ts'
import { type EtagWorld, makeEtagWorld, openTags, pathsOf, push, readWhilePushing, type Tags } from './support/etags.ts'
import type { Goal } from './support/goal.ts'
import { historyOf } from './support/histories.ts'
import { prepare } from './support/prepare.ts'
import { type Env, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

type Place = 'sqlite' | 'postgres' | 'replica'

interface Size {
  /** At each place. */
  readonly reads: number
  /** At each place without a replica. */
  readonly histories: number
  readonly workers: number
  readonly places: readonly Place[]
}

interface Prepared {
  readonly env: Env
  stop(): Promise<void>
}

export const etags: Goal<Size> = {
  id: 'etags',
  says: 'an ETag is a function of the bytes: reads while pushing on both engines and with a replica, and random histories of restore and failover',
  short: { reads: 150, histories: 6, workers: 1, places: ['sqlite', 'postgres'] },
  long: { reads: 10_000, histories: 500, workers: 2, places: ['sqlite', 'postgres', 'replica'] },
  forMutants: { reads: 100, histories: 5, workers: 1, places: ['sqlite', 'postgres'] },
  run: (tree, { reads, histories, workers, places }) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const faults: string[] = []
      const figures: Record<string, number> = { seed: chance.seed }
      for (const place of places) {
        const { env, stop } = await placeIn(folder, place)
        try {
          const world = await prepare(env, (operator) => makeEtagWorld(operator))
          const service = await startHard(tree, {
            env: { ...env, LOG_LEVEL: 'silent', ...(workers > 1 && { MARQUEE_WORKERS: String(workers) }) },
          })
          try {
            const pushed = await readWhilePushing(service.url, world, reads, chance)
            const cut = place === 'replica' ? openTags() : await tryHistories(service.url, env, world, histories, chance)
            Object.assign(figures, countsOf(place, pushed, cut))
            faults.push(...[...pushed.faults, ...cut.faults].map((fault) => `${place}: ${fault}`))
          } finally {
            await service.kill('SIGTERM')
          }
        } finally {
          await stop()
        }
      }
      return { figures: { ...figures, histories: histories * places.filter((place) => place !== 'replica').length }, faults }
    }),
  mutants: [
    {
      says: 'versions of measurements are counted',
      file: 'src/model/core/report-version.ts',
      from: 'doUpdateSet({ version })',
      to: "doUpdateSet((row) => ({ version: row('measured_versions.version', '+', 1) }))",
    },
  ],
}

function countsOf(place: Place, pushed: Tags, cut: Tags): Record<string, number> {
  return {
    [`${place}_reads`]: pushed.counts.reads,
    [`${place}_tags_seen_again`]: pushed.counts.repeated,
    [`${place}_pushes`]: pushed.counts.pushes,
    [`${place}_reads_in_histories`]: cut.counts.reads,
    [`${place}_not_modified_in_histories`]: cut.counts.unchanged,
  }
}

/** Each history: some pushes and reads, the state is kept, more of them, back to the kept state, and others in their place. Clients keep all their tags. */
async function tryHistories(url: string, env: Env, world: EtagWorld, histories: number, chance: Chance): Promise<Tags> {
  const tags = openTags()
  const history = await historyOf(env)
  const client = clientOf(url, world.authorization, 1)
  const [first] = pathsOf(world) as [string]
  const one = { ...world, accounts: world.accounts.slice(0, 1) }
  const live = async (most: number) => {
    for (let left = 1 + chance.whole(most); left > 0; left -= 1) {
      await push(client, one, tags, chance)
      await tags.read(client, first)
    }
  }
  for (let done = 0; done < histories && tags.faults.length < 10; done += 1) {
    await live(2)
    await history.keep()
    for (let cuts = 1 + chance.whole(2); cuts > 0; cuts -= 1) {
      await live(3)
      await history.goBack()
      await live(3)
      await tags.revalidate(client, first)
    }
  }
  client.close()
  await history.close()
  return tags
}

async function placeIn(folder: string, place: Place): Promise<Prepared> {
  const own = join(folder, place)
  mkdirSync(own)
  if (place === 'sqlite') return { env: { DATA_DIR: own }, stop: async () => {} }
  // Under `npm test` there is a server already.
  if (place === 'postgres' && process.env.TEST_POSTGRES_URL !== undefined) {
    const { env: given, remove } = await emptyPlace('postgres')
    return { env: given, stop: remove }
  }
  const secretFile = join(own, 'secret')
  writeFileSync(secretFile, `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o600 })
  const env = { DATA_DIR: own, MARQUEE_SECRET_FILE: secretFile }
  if (place === 'replica') {
    const pair = await startPair()
    return { env: { ...env, DATABASE_URL: pair.primary, DATABASE_REPLICA_URL: pair.standby }, stop: pair.stop }
  }
  const server = await startPostgres()
  return { env: { ...env, DATABASE_URL: server.url }, stop: server.stop }
}
