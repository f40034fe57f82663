/** The server secret is rotated again and again while writers write, on both engines and in two processes at a time. */
import { join } from 'node:path'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, makePartner } from './support/prepare.ts'
import { commandOf, type Env, type Hard, pause, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { together } from './support/together.ts'
import { inFolder } from './support/tree.ts'
import { check, sumOf, writerOf } from './support/writers.ts'

interface Size {
  readonly rotations: number
  /** Until the new secret takes over. Processes look every five seconds; one that meets it sooner looks at once. */
  readonly startsInSeconds: number
}

const moveSeconds = 30

export const rotation: Goal<Size> = {
  id: 'rotation',
  says: 'the server secret is rotated and the old one retired under load: nobody is refused, nothing acknowledged is lost, the audit chain holds',
  short: { rotations: 1, startsInSeconds: 1 },
  long: { rotations: 10, startsInSeconds: 7 },
  forMutants: { rotations: 1, startsInSeconds: 1 },
  run: (tree, size) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const cluster = await makeCluster(folder)
      try {
        const [onPostgres, onSqlite] = await together([
          rotateOn(tree, size, cluster.env, 2, chance),
          rotateOn(tree, size, { DATA_DIR: join(folder, 'data') }, 1, chance),
        ])
        const figures = { seed: chance.seed, postgres_acknowledged: onPostgres.acknowledged, sqlite_acknowledged: onSqlite.acknowledged }
        return { figures, faults: [...onPostgres.faults, ...onSqlite.faults] }
      } finally {
        await cluster.stop()
      }
    }),
  mutants: [
    {
      says: 'a process never looks for a new secret by itself',
      file: 'src/model/core/secrets/server-secret.ts',
      from: 'ring = ringOf(settings, found, readOrMake(settings, true), now)',
      to: 'if (rows.length > found.length) ring = ringOf(settings, found, readOrMake(settings, true), now)',
    },
  ],
}

async function rotateOn(tree: string, size: Size, env: Env, processes: number, chance: Chance) {
  const partner = await makePartner(env, 'Acme')
  const services: Hard[] = []
  try {
    for (let count = 0; count < processes; count += 1) services.push(await startHard(tree, { env: { ...env, LOG_LEVEL: 'error' } }))
    return await rotateUnderLoad(tree, size, env, partner, services, chance)
  } finally {
    for (const service of services) await service.kill('SIGTERM')
  }
}

async function rotateUnderLoad(tree: string, size: Size, env: Env, partner: Credentials, services: readonly Hard[], chance: Chance) {
  const writers = Array.from({ length: 4 }, (_, index) => writerOf(`writer${index}`, partner, chance, false))
  const urlOf = (index: number) => services[index % services.length]?.url ?? ''
  let isOver = false
  const working = Promise.all(writers.map((writer, index) => writer.work(urlOf(index), () => isOver)))
  const run = (...words: string[]) => commandOf(tree, env, ...words)
  const faults: string[] = []
  for (let number = 1; number <= size.rotations; number += 1) {
    await run('secret', 'rotate', '--in', String(size.startsInSeconds))
    const idle = await untilMoved(run, number)
    if (idle.length > 0) faults.push(`a key that is used all the time did not move: ${JSON.stringify(idle)}`)
    else await run('secret', 'retire', String(number))
    await pause(1_000)
  }
  isOver = true
  await working
  for (const [index, writer] of writers.entries()) await writer.settle(urlOf(index))
  faults.push(...(await check(urlOf(0), partner, writers)))
  if (!(await run('audit', 'verify')).includes('Every entry is as it was sealed.')) faults.push('the audit chain is broken')
  const { acknowledged } = sumOf(writers)
  return { acknowledged, faults: acknowledged > 0 ? faults : [...faults, 'nothing was written: the goal measured nothing'] }
}

/** The keys that still depend on the old secret once each key in use has had the time to move. */
async function untilMoved(run: (...words: string[]) => Promise<string>, old: number): Promise<unknown[]> {
  for (const until = Date.now() + moveSeconds * 1000; ; await pause(200)) {
    const { secrets, idle_keys } = JSON.parse(await run('secret', 'list', '--json')) as Listed
    const hasTakenOver = secrets.some(({ id, state }) => id === old && state === 'retiring')
    if ((hasTakenOver && idle_keys.length === 0) || Date.now() > until) return idle_keys
  }
}

interface Listed {
  readonly secrets: readonly { id: number; state: string }[]
  readonly idle_keys: unknown[]
}
