/** The recipe of docs/operating.md for PostgreSQL, tried under load: a dump holds what was acknowledged before it began, and serves again under the role that the page makes. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
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
      const run = shellOn(cluster.url, folder)
      try {
        for (const line of printed(/create(user|db)/).slice(0, 2)) run(line)
        const url = cluster.url.replace(/postgres@(.*)\/postgres$/, 'marquee@$1/marquee')
        const env = { ...cluster.env, DATABASE_URL: url }
        const partner = await makePartner(env, 'Acme')
        const service = await startHard(tree, { env: { ...env, LOG_LEVEL: 'silent' } })
        const faults: string[] = []
        const promised = Array.from({ length: 4 }, (_, index) => writerOf(`before${index}`, partner, chance, false))
        for (let dump = 0; dump < dumps; dump += 1) {
          await workFor(300, (isOver) => promised.map((writer) => writer.work(service.url, isOver)))
          const noise = Array.from({ length: 4 }, (_, index) => writerOf(`during${dump}-${index}`, partner, chance, false))
          const restored = await workFor(
            0,
            (isOver) => noise.map((writer) => writer.work(service.url, isOver)),
            () => dumpAndRestore(run, dump),
          )
          const copy = await startHard(tree, { env: { ...env, DATABASE_URL: url.replace(/marquee$/, restored), LOG_LEVEL: 'silent' } })
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

function dumpAndRestore(run: (line: string) => void, serial: number): string {
  const name = `restored_${serial}`
  for (const line of printed(/pg_dump|createdb.* restored|pg_restore/)) run(line.replaceAll('restored', name))
  return name
}

/** The lines of the page that the superuser of the server runs, without the change to that user. */
function printed(wanted: RegExp): string[] {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operating.md'), 'utf8')
  const lines = Array.from(page.matchAll(/^ {4}su postgres -c '(.*)'$/gm), ([, line = '']) => line)
  return lines.filter((line) => wanted.test(line))
}

/** On the server of the test, whose files lie in the folder, and where nobody is asked for a password. */
function shellOn(url: string, folder: string): (line: string) => void {
  const { hostname, port, username } = new URL(url)
  const tools = ['/usr/lib/postgresql/15/bin', '/usr/bin'].find((place) => existsSync(join(place, 'pg_dump'))) ?? ''
  const env = { PATH: [tools, '/usr/bin', '/bin'].join(delimiter), PGHOST: hostname, PGPORT: port, PGUSER: username }
  return (line) => {
    const own = line.replaceAll('/var/lib/postgresql', folder).replace(' --pwprompt', '')
    execFileSync('sh', ['-ec', own], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  }
}
