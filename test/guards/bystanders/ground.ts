/** The doors of the service without the jobs that run beside them, on a world in which every change is tried and taken back. */
import { once } from 'node:events'
import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { apiDoor, refuseAtDoor } from '../../../src/api/dispatch.ts'
import { readSettings } from '../../../src/config.ts'
import { openLimits } from '../../../src/http/concurrency-limits.ts'
import { openRates } from '../../../src/http/rate-limit.ts'
import { createServer } from '../../../src/http/server.ts'
import { openLog } from '../../../src/lib/log.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import { lateWritesDone } from '../../../src/model/core/late-writes.ts'
import { keylessId } from '../../../src/model/core/use/usage-counts.ts'
import { pagesDoor } from '../../../src/web/dispatch.ts'
import type { Place } from '../../support/engines.ts'
import { type Mailbox, openMailbox } from '../../support/mailbox.ts'
import { type Client, clientOf } from '../../support/service.ts'
import { openReach } from './reach.ts'
import { faultsOf, type Named, nameOf, type Recipe } from './recipe.ts'
import { differencesOf, openRowbook, type Row, type Rowbook, type Rows } from './rows.ts'
import { makeWorld, type World } from './world.ts'

export interface Ground {
  readonly app: App
  readonly world: World
  readonly stranger: Client
  readonly mailbox: Mailbox
  /** What differs and should not, and what should differ and does not. */
  faultsIn(recipes: readonly Recipe[]): Promise<string[]>
  /** Tables in which nobody has a row. */
  emptyTables(): readonly string[]
  /** The kinds of entries that the changes made in the audit log: the action, its subject's type, and which ids an entry has. */
  recorded(): readonly string[]
}

/** Old things go, each kind after some time. */
const retention = {
  MARQUEE_KEEP_AUDIT_DAYS: '400',
  MARQUEE_KEEP_DELETED_USERS_DAYS: '400',
  MARQUEE_KEEP_INTAKES_DAYS: '400',
  MARQUEE_KEEP_REVIEWS_DAYS: '2000',
}

/** Filled in before the first test of the block. */
export function groundOn(place: Place): Ground {
  const ground = {} as Ground & { close(): Promise<void> }
  before(async () => void Object.assign(ground, await openGround(place)))
  after(() => ground.close?.())
  return ground
}

async function openGround(place: Place): Promise<Ground & { close(): Promise<void> }> {
  const mailbox = await openMailbox()
  const env = {
    ...place.env,
    BASE_URL: 'http://marquee.test',
    // Nobody answers there.
    MARQUEE_DNS_SERVERS: '127.0.0.1:9',
    MARQUEE_SMTP_URL: mailbox.url,
    MARQUEE_MAIL_FROM: 'reports@marquee.test',
    ...retention,
  }
  const app = await openApp(readSettings(env))
  const world = await makeWorld(app)
  const { url, close } = await openDoors(app)
  const book = await openRowbook(app.store, place.engine)
  const agent = new Agent({ keepAlive: true })
  let now = await book.read()
  let hasFailed = false
  const entries = new Set<string>()
  const reach = process.env.TEST_REACH ? await openReach(process.env.TEST_REACH) : null
  return {
    app,
    world,
    stranger: clientOf(url, agent, null),
    mailbox,
    async faultsIn(recipes) {
      const faults: string[] = []
      for (const recipe of recipes.filter(isChosen)) {
        if (hasFailed && process.env.TEST_FAIL_FAST) break
        const tried = await attempt(app, world, book, now, recipe)
        for (const entry of tried.entries) entries.add(entry)
        faults.push(...tried.faults)
        hasFailed ||= tried.faults.length > 0
        now = tried.now
        await reach?.note(recipe)
      }
      return faults
    },
    recorded: () => [...entries].toSorted(),
    emptyTables: () => [...now].filter(([, rows]) => rows.size === 0).map(([name]) => name),
    async close() {
      agent.destroy()
      await close()
      await app.close()
      await mailbox.close()
    },
  }
}

/** The mutator names those that reach what it has changed. */
function isChosen(recipe: Recipe): boolean {
  const names = process.env.TEST_RECIPES
  return names === undefined || (JSON.parse(names) as string[]).includes(nameOf(recipe))
}

interface Tried {
  readonly faults: string[]
  readonly now: Rows
  readonly entries: readonly string[]
}

async function attempt(app: App, world: World, book: Rowbook, start: Rows, recipe: Recipe): Promise<Tried> {
  await recipe.prepare?.()
  const before = recipe.prepare === undefined ? start : await book.read()
  const failure = await recipe.act().then(
    () => [],
    (error: unknown) => [`${recipe.of}: ${error instanceof Error ? error.message : error}`],
  )
  await lateWritesDone(app)
  const after = await book.read()
  const differences = differencesOf(before, after)
  const faults = [...failure, ...(failure.length > 0 ? [] : faultsOf(recipe, differences, ownOf(world)))]
  const entries = differences.flatMap(({ table, after: row }) => (table === 'audit_entries' && row !== undefined ? [entryOf(row)] : []))
  if (recipe.stays) return { faults, now: after, entries }
  await book.restore(differencesOf(start, after))
  return { faults, now: start, entries }
}

function entryOf(row: Row): string {
  const ids = (['subject_id', 'account_id', 'partner_id'] as const).filter((name) => row[name] !== null)
  return [row['action'], row['subject_type'], ...ids].join(' ')
}

/** The key that asks is noted as used, and its requests are counted, some time after the request; and whoever asks whether writes succeed writes a fact. */
function ownOf({ acme }: World): Named {
  return {
    keys: { id: acme.callerKey },
    usage_days: { partner_id: acme.id, key_id: [acme.callerKey, keylessId] },
    facts: { name: 'ready_probe' },
  }
}

async function openDoors(app: App): Promise<{ url: string; close(): Promise<void> }> {
  const admission = { limits: openLimits(), rates: openRates() }
  const doors = [apiDoor(app, admission), pagesDoor(app, admission.limits)]
  const server = createServer({
    log: openLog('error'),
    doors,
    refuse: refuseAtDoor(app),
    observe: () => {},
    trustedProxies: app.settings.trustedProxies,
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => void server.close(() => resolve())) }
}
