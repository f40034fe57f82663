/** The server secret is rotated again and again while writers write, on both engines and in two processes at a time. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { type Env, pause, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'
import { check, sumOf, writerOf } from './support/writers.ts'

interface Size {
  readonly rotations: number
}

/** More than a process needs to notice by itself. */
const startsInSeconds = 7

export const rotation: Goal<Size> = {
  id: 'rotation',
  says: 'the server secret is rotated and the old one retired under load: nobody is refused, nothing acknowledged is lost, the audit chain holds',
  short: { rotations: 1 },
  long: { rotations: 10 },
  forMutants: { rotations: 1 },
  run: (tree, size) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const cluster = await makeCluster(folder)
      try {
        const onPostgres = await rotateOn(tree, size, cluster.env, 2, chance)
        const onSqlite = await rotateOn(tree, size, { DATA_DIR: join(folder, 'data') }, 1, chance)
        const figures = { seed: chance.seed, postgres_acknowledged: onPostgres.acknowledged, sqlite_acknowledged: onSqlite.acknowledged }
        return { figures, faults: [...onPostgres.faults, ...onSqlite.faults] }
      } finally {
        await cluster.stop()
      }
    }),
  mutants: [
    {
      says: 'a process never looks for a new secret by itself',
      file: 'src/model/core/server-secret.ts',
      from: 'ring = ringOf(settings, found, readOrMake(settings, true), now)',
      to: 'if (rows.length > found.length) ring = ringOf(settings, found, readOrMake(settings, true), now)',
    },
  ],
}

async function rotateOn(tree: string, { rotations }: Size, env: Env, processes: number, chance: Chance) {
  const partner = await makePartner(env, 'Acme')
  const services = await Promise.all(Array.from({ length: processes }, () => startHard(tree, { env: { ...env, LOG_LEVEL: 'error' } })))
  const writers = Array.from({ length: 4 }, (_, index) => writerOf(`writer${index}`, partner, chance, false))
  let isOver = false
  const working = Promise.all(writers.map((writer, index) => writer.work(services[index % processes]?.url ?? '', () => isOver)))
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [join(tree, 'bin/marquee.js'), ...words], {
      env: { PATH: process.env.PATH, MARQUEE_ENV_FILE: '/dev/null', ...env },
      encoding: 'utf8',
    })
  const faults: string[] = []
  for (let number = 1; number <= rotations; number += 1) {
    run('secret', 'rotate', '--in', String(startsInSeconds))
    await pause((startsInSeconds + 7) * 1000)
    const { idle_keys } = JSON.parse(run('secret', 'list', '--json')) as { idle_keys: unknown[] }
    if (idle_keys.length > 0) faults.push(`a key that is used all the time did not move: ${JSON.stringify(idle_keys)}`)
    run('secret', 'retire', String(number))
    await pause(1_000)
  }
  isOver = true
  await working
  for (const [index, writer] of writers.entries()) await writer.settle(services[index % processes]?.url ?? '')
  faults.push(...(await check(services[0]?.url ?? '', partner, writers)))
  if (!run('audit', 'verify').includes('Every entry is as it was sealed.')) faults.push('the audit chain is broken')
  for (const service of services) await service.kill('SIGTERM')
  const { acknowledged } = sumOf(writers)
  return { acknowledged, faults: acknowledged > 0 ? faults : [...faults, 'nothing was written: the goal measured nothing'] }
}
