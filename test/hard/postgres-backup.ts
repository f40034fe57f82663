/** The recipe of docs/operating.md for PostgreSQL, tried under load: a dump holds what was acknowledged before it began, and serves again. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { pause, startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { need } from './support/tools.ts'
import { inFolder } from './support/tree.ts'
import { check, writerOf } from './support/writers.ts'

interface Size {
  readonly dumps: number
}

export const postgresBackup: Goal<Size> = {
  id: 'postgres-backup',
  says: 'pg_dump under load, pg_restore into another database: every write acknowledged before the dump is there, and the service runs on it',
  short: { dumps: 1 },
  long: { dumps: 20 },
  forMutants: { dumps: 1 },
  run: (tree, { dumps }) =>
    inFolder(async (folder) => {
      need('pg_dump', 'postgresql-client')
      const chance = chanceFrom()
      const cluster = await makeCluster(folder)
      try {
        const partner = await makePartner(cluster.env, 'Acme')
        const service = await startHard(tree, { env: { ...cluster.env, LOG_LEVEL: 'silent' } })
        const faults: string[] = []
        const promised = Array.from({ length: 4 }, (_, index) => writerOf(`before${index}`, partner, chance, false))
        for (let dump = 0; dump < dumps; dump += 1) {
          await workFor(300, (isOver) => promised.map((writer) => writer.work(service.url, isOver)))
          const noise = Array.from({ length: 4 }, (_, index) => writerOf(`during${dump}-${index}`, partner, chance, false))
          const restored = await workFor(
            0,
            (isOver) => noise.map((writer) => writer.work(service.url, isOver)),
            () => dumpAndRestore(folder, cluster.url, dump),
          )
          const copy = await startHard(tree, { env: { ...cluster.env, DATABASE_URL: restored, LOG_LEVEL: 'silent' } })
          faults.push(...(await check(copy.url, partner, promised)))
          await copy.kill('SIGTERM')
        }
        await service.kill('SIGTERM')
        const acknowledged = promised.reduce((sum, { counts }) => sum + counts.acknowledged, 0)
        if (acknowledged === 0) faults.push('nothing was written before the dump: the goal measured nothing')
        return { figures: { seed: chance.seed, postgres: cluster.version, dumps, acknowledged }, faults }
      } finally {
        await cluster.stop()
      }
    }),
  mutants: [],
}

/** Lets the writers work for a while, or for as long as something takes. */
async function workFor<T>(
  milliseconds: number,
  start: (isOver: () => boolean) => Promise<void>[],
  meanwhile?: () => Promise<T> | T,
): Promise<T> {
  let isOver = false
  const working = Promise.all(start(() => isOver))
  await pause(milliseconds)
  const result = await meanwhile?.()
  isOver = true
  await working
  return result as T
}

async function dumpAndRestore(folder: string, url: string, serial: number): Promise<string> {
  const bin = ['/usr/lib/postgresql/15/bin', '/usr/bin'].find((place) => existsSync(join(place, 'pg_dump'))) ?? ''
  const [file, name] = [join(folder, `marquee-${serial}.dump`), `restored_${serial}`]
  const run = (tool: string, ...args: string[]) => execFileSync(join(bin, tool), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  run('pg_dump', '--format=custom', `--file=${file}`, url)
  run('createdb', `--maintenance-db=${url}`, name)
  const target = new URL(url)
  target.pathname = `/${name}`
  run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${target.href}`, file)
  return target.href
}
