/** R1: the service is killed under load, again and again; nothing acknowledged is lost or done twice. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { percentile } from './support/client.ts'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { type Hard, pause, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { need } from './support/tools.ts'
import { inFolder } from './support/tree.ts'
import { check, sumOf, type Writer, writerOf } from './support/writers.ts'

interface Size {
  readonly kills: number
}

const writersAtOnce = 8

export const kill: Goal<Size> = {
  id: 'R1',
  says: 'kill -9 under load: no acknowledged write is lost or doubled',
  short: { kills: 12 },
  long: { kills: 1_000 },
  forMutants: { kills: 12 },
  run: (tree, { kills }) =>
    inFolder(async (folder) => {
      need('strace', 'strace')
      const chance = chanceFrom()
      const env = { DATA_DIR: folder, LOG_LEVEL: 'error' }
      const partner = await makePartner(env, 'Acme')
      const writers = Array.from({ length: writersAtOnce }, (_, index) => writerOf(`writer${index}`, partner, chance))
      // A start under a tracer takes several times as long, and says nothing about the service.
      const starts: Record<'alone' | 'traced', number[]> = { alone: [], traced: [] }
      for (let done = 0; done < kills; done += 1) {
        const startedAt = performance.now()
        const isTraced = done % 2 === 1
        const service = await startHard(tree, { env, under: isTraced ? killedAt(chance) : [] })
        starts[isTraced ? 'traced' : 'alone'].push(performance.now() - startedAt)
        await workUntilKilled(service, writers, chance)
      }
      const service = await startHard(tree, { env })
      await Promise.all(writers.map((writer) => writer.settle(service.url)))
      const faults = await check(service.url, partner, writers)
      await service.kill('SIGTERM')
      const times = { start_p99_ms: percentile(starts.alone, 0.99), traced_start_p99_ms: percentile(starts.traced, 0.99) }
      const figures = { seed: chance.seed, kills, ...sumOf(writers), start_p50_ms: percentile(starts.alone, 0.5), ...times }
      return { figures, faults: [...faults, ...damage(join(folder, 'marquee.db'))] }
    }),
  mutants: [
    {
      says: 'the reply goes out before the commit',
      file: 'src/store/store.ts',
      from: 'write: (work, time) => alone(() => engine.write(work, time)),',
      to: `write: ((work: never) => new Promise((resolve, reject) => {
        alone(() => engine.write(async (tx) => {
          const result = await (work as (tx: unknown) => Promise<unknown>)(tx)
          resolve(result)
          await new Promise((wait) => setTimeout(wait, 25))
          return result as never
        })).catch(reject)
      })) as never,`,
    },
  ],
}

/** Half of the kills come at any time, the others at a chosen call to the system: when a page or a sync or an answer is on its way. */
function killedAt(chance: Chance): string[] {
  const call = chance.pick(['fsync', 'pwrite64', 'write', 'writev'])
  const when = {
    fsync: 4 + chance.whole(60),
    pwrite64: 20 + chance.whole(600),
    write: 200 + chance.whole(400),
    writev: 1 + chance.whole(80),
  }[call]
  return ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${when}`]
}

async function workUntilKilled(service: Hard, writers: readonly Writer[], chance: Chance): Promise<void> {
  await Promise.all(writers.map((writer) => writer.settle(service.url, () => service.hasGone)))
  const working = Promise.all(writers.map((writer) => writer.work(service.url, () => service.hasGone)))
  await Promise.race([service.gone, pause(20 + chance.whole(400))])
  await service.kill()
  await working
}

/** What the database itself finds wrong. */
export function damage(file: string): string[] {
  const database = new Database(file)
  try {
    const found = database.pragma('integrity_check', { simple: true })
    const loose = database.pragma('foreign_key_check') as unknown[]
    return [...(found === 'ok' ? [] : [`integrity_check: ${found}`]), ...(loose.length === 0 ? [] : [`${loose.length} loose ends`])]
  } finally {
    database.close()
  }
}
