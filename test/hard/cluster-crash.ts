/** R3: the whole database server crashes under load; nothing acknowledged is lost, and the service lives on. */
import { type Cluster, makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { makePartner } from './support/prepare.ts'
import { pause, startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'
import { check, sumOf, writerOf } from './support/writers.ts'

interface Size {
  readonly crashes: number
}

export const clusterCrash: Goal<Size> = {
  id: 'R3',
  says: 'kill -9 of the whole PostgreSQL cluster under load: no acknowledged write is lost',
  short: { crashes: 8 },
  long: { crashes: 200 },
  forMutants: { crashes: 8 },
  run: (tree, { crashes }) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const cluster = await makeCluster(folder)
      try {
        const partner = await makePartner(cluster.env, 'Acme')
        const writers = Array.from({ length: 8 }, (_, index) => writerOf(`writer${index}`, partner, chance, false))
        const service = await startHard(tree, { env: { ...cluster.env, LOG_LEVEL: 'silent' } })
        for (let done = 0; done < crashes; done += 1) {
          let isOver = false
          const working = Promise.all(writers.map((writer) => writer.work(service.url, () => isOver)))
          await pause(100 + chance.whole(300))
          await cluster.crash()
          isOver = true
          await working
          await cluster.start()
          await Promise.all(writers.map((writer) => writer.settle(service.url)))
        }
        const faults = service.hasGone ? ['the service went away'] : await check(service.url, partner, writers)
        await service.kill('SIGTERM')
        const figures = { seed: chance.seed, postgres: cluster.version, crashes, ...sumOf(writers) }
        return { figures, faults: [...faults, ...(await damageOf(cluster))] }
      } finally {
        await cluster.stop()
      }
    }),
  mutants: [
    {
      says: 'synchronous_commit=off',
      file: 'src/store/postgres/servers.ts',
      from: "application_name: 'marquee',",
      to: "application_name: 'marquee', options: '-c synchronous_commit=off',",
    },
  ],
}

async function damageOf(cluster: Cluster): Promise<string[]> {
  await cluster.stop()
  return cluster.damage()
}
