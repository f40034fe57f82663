/** `npm run hard:neighbours`: everything that can be asked of a large world, on both engines; `sqlite` or `postgres` names one, a number makes the world smaller. */
import { join } from 'node:path'
import type { EngineName } from '../support/engines.ts'
import { judgeCatalogue, tableOf } from './support/catalogue.ts'
import { makeCluster } from './support/cluster.ts'
import { goalMilliseconds, type Judged, mostCollectedMilliseconds } from './support/judged.ts'
import { type Largeness, wholeWorld } from './support/large-world.ts'
import { inFolder } from './support/tree.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const scale = Number(words.find((word) => /^[\d.]+$/.test(word)) ?? 1)
  const size = Object.fromEntries(
    Object.entries(wholeWorld).map(([name, many]) => [name, Math.round(many * scale)]),
  ) as unknown as Largeness
  let faults = 0
  for (const engine of ['sqlite', 'postgres'] as const) {
    if (words.includes(engine === 'sqlite' ? 'postgres' : 'sqlite')) continue
    const judged = await inFolder((folder) => onEngine(engine, folder, size))
    console.log(`\n${engine}, ${JSON.stringify(size)}\n${tableOf(judged)}`)
    faults += judged.filter(
      ({ own, collected, failure }) => failure || own > goalMilliseconds || collected > mostCollectedMilliseconds,
    ).length
  }
  console.log(
    `\n${faults} rows are beyond ${goalMilliseconds} ms of our own code or ${mostCollectedMilliseconds} ms of a collection, or could not be asked`,
  )
  return faults === 0 ? 0 : 1
}

async function onEngine(engine: EngineName, folder: string, size: Largeness): Promise<Judged[]> {
  if (engine === 'sqlite') return judgeCatalogue(engine, { DATA_DIR: join(folder, 'data') }, folder, size)
  const cluster = await makeCluster(folder)
  try {
    return await judgeCatalogue(engine, cluster.env, folder, size)
  } finally {
    await cluster.stop()
  }
}
