/** R29: a push with atomic=1 is seen whole or not at all, by whoever reads meanwhile and after a kill. */
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { clientOf } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { basic, newPartner, prepare } from './support/prepare.ts'
import { type Env, pause, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly kills: number
  readonly sites: number
  readonly onBothEngines: boolean
}

interface Seen {
  pushes: number
  reads: number
  readonly faults: string[]
}

const keywordsPerSite = 40
const days = 10

export const atomic: Goal<Size> = {
  id: 'R29',
  says: 'a push with atomic=1 is stored whole or not at all, for readers and under kill -9',
  short: { kills: 3, sites: 4, onBothEngines: false },
  long: { kills: 100, sites: 60, onBothEngines: true },
  forMutants: { kills: 8, sites: 40, onBothEngines: false },
  run: (tree, size) =>
    inFolder(async (folder) => {
      const seen: Seen = { pushes: 0, reads: 0, faults: [] }
      const chance = chanceFrom()
      await tryOn(tree, { DATA_DIR: folder, LOG_LEVEL: 'error' }, size, chance, seen)
      if (size.onBothEngines) await onCluster(folder, (env) => tryOn(tree, env, size, chance, seen))
      const { pushes, reads, faults } = seen
      return { figures: { seed: chance.seed, kills: size.kills, pushes, reads }, faults: [...new Set(faults)] }
    }),
  mutants: [
    {
      says: 'the push is written in many transactions',
      file: 'src/model/imports/store/apply.ts',
      from: 'if (!options.inOneTransaction)',
      to: 'if (options !== undefined)',
    },
  ],
}

async function onCluster(folder: string, work: (env: Env) => Promise<void>): Promise<void> {
  const cluster = await makeCluster(folder)
  try {
    await work({ ...cluster.env, LOG_LEVEL: 'error' })
  } finally {
    await cluster.stop()
  }
}

async function tryOn(tree: string, env: Env, { kills, sites }: Size, chance: Chance, seen: Seen): Promise<void> {
  const { report, ingest } = await prepare(env, async (operator) => {
    const partner = await newPartner(operator, 'Acme')
    const { key, password } = await issueKey(operator, partner.id, { label: 'push', scopes: ['ingest'] })
    return { report: partner.authorization, ingest: basic(key, password) }
  })
  const records = ownersOf(sites)
  for (let round = 0; round < kills; round += 1) {
    const service = await startHard(tree, { env })
    const reader = clientOf(service.url, report)
    const pusher = clientOf(service.url, ingest)
    await look(reader, round, sites, seen)
    const pushing = push(pusher, records, round, seen)
    const looking = lookUntil(() => service.hasGone, reader, round, sites, seen)
    await Promise.race([pushing, pause(20 + chance.whole(1_500))])
    await service.kill()
    await Promise.all([pushing, looking])
    reader.close()
    pusher.close()
  }
}

type Client = ReturnType<typeof clientOf>
type Line = Readonly<Record<string, unknown>>

function ownersOf(sites: number): Line[] {
  return Array.from({ length: sites }, (_, site) =>
    Array.from({ length: keywordsPerSite }, (_, keyword) => ({ site: `s${site}.example`, phrase: `word ${keyword}` })),
  ).flat()
}

async function push(client: Client, owners: readonly Line[], round: number, seen: Seen): Promise<void> {
  const lines = owners.flatMap((owner) =>
    Array.from({ length: days }, (_, day) => {
      const ranked_at = `2026-01-${10 + day} 00:${String(round % 60).padStart(2, '0')}:${String(Math.floor(round / 60)).padStart(2, '0')}`
      return JSON.stringify({ type: 'ranking', ...owner, search_engine: 'Google', locale: 'en-us', ranked_at, rank: 1 })
    }),
  )
  const body = lines.join('\n')
  const answer = await client.ask('/api/observations.json?atomic=1&create_missing=1', { method: 'POST', body })
  if (answer !== null && answer.status !== 200)
    seen.faults.push(`a push answered ${answer.status}: ${answer.body.toString().slice(0, 200)}`)
  seen.pushes += 1
}

async function lookUntil(isOver: () => boolean, client: Client, round: number, sites: number, seen: Seen): Promise<void> {
  while (!isOver()) await look(client, round, sites, seen)
}

/** Every moment that is in the report at all is there for every keyword. */
async function look(client: Client, round: number, sites: number, seen: Seen): Promise<void> {
  const answer = await client.ask('/api/seo_report.json')
  if (answer === null || answer.status !== 200) return
  seen.reads += 1
  const found = new Map<string, number>()
  for (const [, moment = ''] of answer.body.toString().matchAll(/"ranked_at":"2026-01-1\d (00:\d\d:\d\d)"/g))
    found.set(moment, (found.get(moment) ?? 0) + 1)
  for (const [moment, many] of found)
    if (many !== sites * keywordsPerSite * days) seen.faults.push(`in round ${round} a report showed ${many} rankings of ${moment}`)
}
