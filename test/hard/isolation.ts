/** R14: every endpoint, every place an id can stand, every kind of stranger: a foreign id answers exactly like one that nobody has. */
import { endpoints } from '../../src/api/endpoints.ts'
import { idPositionsOf } from '../support/id-positions.ts'
import { type Client, clientOf } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { formats, moreFormats, tryCell } from './support/isolation-cells.ts'
import { callersOf, makeWorld, suspendedWorld, type World } from './support/isolation-worlds.ts'
import { prepare } from './support/prepare.ts'
import { type Env, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  /** Which share of the cells is tried, on each engine. */
  readonly sqlite: number
  readonly postgres: number
  /** Whether the cells are also tried with every way to ask for a format and to send a body, with more kinds of strangers and more spellings. */
  readonly isWide: boolean
}

export const isolation: Goal<Size> = {
  id: 'R14',
  says: 'isolation: a foreign id answers byte for byte like an absent one, and no foreign word is ever in an answer',
  // test/guards/tenancy.test.ts asks for foreign ids on both engines.
  short: { sqlite: 1, postgres: 0, isWide: false },
  long: { sqlite: 1, postgres: 0.5, isWide: true },
  forMutants: { sqlite: 1, postgres: 0, isWide: false },
  run: async (tree, size) => {
    const chance = chanceFrom()
    const { isWide } = size
    const sqlite = await inFolder((folder) => tryCells(tree, { DATA_DIR: folder }, { share: size.sqlite, isWide, chance }))
    const onCluster = (folder: string) => inCluster(tree, folder, { share: size.postgres, isWide, chance })
    const postgres = size.postgres === 0 ? null : await inFolder(onCluster)
    return {
      figures: { seed: chance.seed, cells_sqlite: sqlite.cells, cells_postgres: postgres?.cells ?? 0 },
      faults: [...sqlite.faults, ...(postgres?.faults ?? [])],
    }
  },
  mutants: [
    {
      says: 'users, businesses, sites and locations are found without asking whose they are',
      file: 'src/model/core/tenancy.ts',
      from: "row.exists(accountOfRow(table).where('accounts.partner_id', '=', partnerId))",
      to: 'row.exists(accountOfRow(table))',
    },
    {
      says: 'accounts are found without asking whose they are',
      file: 'src/model/core/tenancy.ts',
      from: "db.selectFrom('accounts').where('accounts.partner_id', '=', partnerId)",
      to: "db.selectFrom('accounts')",
    },
  ],
}

interface Extent {
  readonly share: number
  readonly isWide: boolean
  readonly chance: Chance
}

async function inCluster(tree: string, folder: string, extent: Extent) {
  const cluster = await makeCluster(folder)
  try {
    return await tryCells(tree, cluster.env, extent)
  } finally {
    await cluster.stop()
  }
}

async function tryCells(tree: string, place: Env, { share, isWide, chance }: Extent): Promise<{ cells: number; faults: string[] }> {
  const env = { ...place, LOG_LEVEL: 'silent' }
  const { acme, globex, strangers, callers } = await prepare(env, async (operator) => {
    const [ours, theirs] = [
      await makeWorld(operator, 'Acme', 'acmecanary', isWide ? 100 : 10),
      await makeWorld(operator, 'Globex', 'globexcanary'),
    ]
    const more = isWide ? [await suspendedWorld(operator)] : []
    return { acme: ours, globex: theirs, strangers: [theirs, ...more], callers: await callersOf(operator, ours, isWide) }
  })
  const service = await startHard(tree, { env })
  const client = clientOf(service.url)
  const faults: string[] = []
  let cells = 0
  const before = await everythingOf(client, globex)
  try {
    for (const endpoint of endpoints) {
      for (const position of idPositionsOf(endpoint)) {
        for (const format of isWide ? [...formats, ...moreFormats] : formats) {
          for (const [state, authorization] of Object.entries(callers)) {
            if (chance.next() >= share) continue
            const asked = `${format.extension || 'no extension'}, ${format.accept ?? 'no Accept'}, ${format.body}`
            const where = `${endpoint.method} ${endpoint.path} (${position.at}, ${asked}, ${state})`
            const { tried, found } = await tryCell(client, endpoint, position, { acme, strangers, format, authorization, isWide })
            cells += tried
            faults.push(...found.map((fault) => `${where}: ${fault}`))
          }
        }
      }
    }
    if ((await everythingOf(client, globex)) !== before) faults.push('something of globex has changed')
    if (service.hasGone) faults.push('the service went away')
  } finally {
    client.close()
    await service.kill('SIGTERM')
  }
  return { cells, faults }
}

async function everythingOf(client: Client, { partner, has }: World): Promise<string> {
  const paths = [
    'users',
    'businesses',
    'accounts',
    'sites',
    `users/${has.user_id}/abilities`,
    `businesses/${has.business_id}`,
    'seo_report',
  ]
  const answers = paths.map((path) => client.ask(`/api/${path}.json`, { headers: { authorization: partner.authorization } }))
  return (await Promise.all(answers)).map((answer) => `${answer?.status} ${answer?.body}`).join('\n')
}
