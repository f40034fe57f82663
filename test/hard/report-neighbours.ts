/** Twelve readers of one partner's large reports do not slow another partner's small one: the time of the reader threads is shared among partners. */
import { addAccount } from '../../bench/world.ts'
import { type Client, clientOf, percentile } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { newPartner, prepare } from './support/prepare.ts'
import { type Env, pause, startHard } from './support/process.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly reads: number
  readonly engines: readonly ('sqlite' | 'postgres')[]
}

const readers = 12
const mostTimes = 3
/** Below this nobody notices a difference. */
const floorMilliseconds = 20
const large = { sites: 12, competitors: 2, keywords: 40, days: 75, backlinks: 2_000 }
const small = { sites: 1, competitors: 1, keywords: 10, days: 30, backlinks: 20 }

export const reportNeighbours: Goal<Size> = {
  id: 'report neighbours',
  says: 'beside twelve readers of large reports, the p99 of another partner’s small report is at most three times what it is alone',
  short: { reads: 100, engines: ['sqlite'] },
  long: { reads: 500, engines: ['sqlite', 'postgres'] },
  forMutants: { reads: 100, engines: ['sqlite'] },
  isTimed: true,
  run: async (tree, { reads, engines }) => {
    const figures: Record<string, number> = {}
    const faults: string[] = []
    for (const engine of engines) {
      const { alone, beside } = await inFolder((folder) =>
        engine === 'sqlite' ? tryAt(tree, { DATA_DIR: folder }, reads) : onCluster(tree, folder, reads),
      )
      Object.assign(figures, { [`${engine}_alone_p99_ms`]: alone, [`${engine}_beside_p99_ms`]: beside })
      if (beside > Math.max(floorMilliseconds, alone * mostTimes))
        faults.push(`${engine}: ${beside} ms beside large reports, ${alone} ms alone`)
    }
    return { figures, faults }
  },
  mutants: [
    {
      says: 'a report goes on for as long as it likes',
      file: 'src/readers/time-shares.ts',
      from: 'const sliceMilliseconds = 4',
      to: 'const sliceMilliseconds = 4_000',
    },
  ],
}

async function onCluster(tree: string, folder: string, reads: number) {
  const cluster = await makeCluster(folder)
  try {
    return await tryAt(tree, cluster.env, reads)
  } finally {
    await cluster.stop()
  }
}

async function tryAt(tree: string, place: Env, reads: number): Promise<{ alone: number; beside: number }> {
  const env = { ...place, LOG_LEVEL: 'silent' }
  const [acme, globex] = await prepare(env, async (operator) => {
    const both = [await newPartner(operator, 'Acme'), await newPartner(operator, 'Globex')] as const
    await addAccount(operator, both[0].id, 'large', large)
    await addAccount(operator, both[1].id, 'small', small)
    return both
  })
  const service = await startHard(tree, { env })
  const [noisy, quiet] = [clientOf(service.url, acme.authorization, readers), clientOf(service.url, globex.authorization, 1)]
  await readSmall(quiet, 20)
  const alone = await readSmall(quiet, reads)
  const state = { isOver: false }
  const reading = Promise.all(Array.from({ length: readers }, (_, index) => readLarge(noisy, index, state)))
  await pause(500)
  const beside = await readSmall(quiet, reads)
  state.isOver = true
  await reading
  noisy.close()
  quiet.close()
  await service.kill('SIGTERM')
  return { alone, beside }
}

/** Never the same question twice, so that none is answered from memory. */
async function readSmall(client: Client, reads: number): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < reads; index += 1) {
    const answer = await client.ask(`/api/seo_report.json?end_date=${3000 + index}-01-01`)
    if (answer?.status !== 200) throw new Error(`A small report was answered ${answer?.status ?? 'not at all'}.`)
    times.push(answer.milliseconds)
    await pause(5)
  }
  return percentile(times, 0.99)
}

/** Turned away, a reader comes again. */
async function readLarge(client: Client, index: number, state: { readonly isOver: boolean }): Promise<void> {
  for (let turn = 0; !state.isOver; turn += 1) {
    const answer = await client.ask(`/api/seo_report.xml?end_date=${3000 + index}-02-${10 + (turn % 18)}`, {
      headers: { 'accept-encoding': 'zstd' },
    })
    if (answer?.status !== 200) await pause(200)
  }
}
