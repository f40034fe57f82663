/** Runs the same tests on both engines, each on a fresh database without data that is gone afterwards. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import pg from 'pg'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/store.ts'

export type EngineName = 'sqlite' | 'postgres'

/** The settings with which an app, a service or a command opens this database, as the environment would give them. */
export interface Place {
  engine: EngineName
  folder: string
  env: Record<string, string>
  remove(): Promise<void>
}

/** `TEST_ENGINE` names one where a long form has no use for the other, and for a first look; what is about the other is skipped. */
export const engineNames: readonly EngineName[] = (['sqlite', 'postgres'] as const).filter(
  (name) => (process.env.TEST_ENGINE ?? name) === name,
)

/** `place` is filled before the first test of the block runs; read it inside tests and hooks, not in the body of the block. */
export function onEachEngine(title: string, body: (place: Place) => void) {
  for (const engine of engineNames) onEngine(engine, `${title}, on ${engine}`, body)
}

/** For tests of pages, which are slow and ask models that are tested on each engine: one engine, which the title decides, or each in the long form. */
export function onPageEngine(title: string, body: (place: Place) => void) {
  if (process.env.PAGE_ENGINES === 'each') return onEachEngine(title, body)
  const engine = engineNames[title.length % engineNames.length]
  if (engine !== undefined) onEngine(engine, `${title}, on ${engine}`, body)
}

/** A database with its schema and nothing in it, as `marquee migrate --init` makes one. */
export async function freshPlace(engine: EngineName): Promise<Place> {
  const place = await makePlace(engine, process.env[templates[engine]])
  await (await openApp(readSettings(place.env), { schema: 'bring up' })).close()
  return place
}

/** A folder without a database, or a database without tables. */
export async function emptyPlace(engine: EngineName): Promise<Place> {
  return makePlace(engine, isCluster() ? process.env[templates.postgres] : undefined)
}

/** The file or the database that a fresh place is a copy of; without one its schema is made anew. */
const templates: Readonly<Record<EngineName, string>> = { sqlite: 'TEST_SQLITE_TEMPLATE', postgres: 'TEST_POSTGRES_TEMPLATE' }

/** Brings up the schema of each engine once for all places of a run. */
export async function makeTemplates(): Promise<Pick<Place, 'remove'>> {
  const made: Place[] = []
  for (const engine of engineNames) {
    if (process.env[templates[engine]] !== undefined) continue
    const place = await emptyPlace(engine)
    made.push(place)
    const store = openStore(readSettings(place.env))
    await migrate(store)
    await store.close()
    process.env[templates[engine]] = engine === 'sqlite' ? join(place.folder, 'marquee.db') : databaseOf(place.env.DATABASE_URL)
  }
  return {
    remove: async () => {
      for (const place of made) await place.remove()
    },
  }
}

async function makePlace(engine: EngineName, template: string | undefined): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  return engine === 'sqlite' ? sqlitePlace(folder, template) : await postgresPlace(folder, template)
}

export function onEngine(engine: EngineName, title: string, body: (place: Place) => void) {
  describe(title, { skip: !engineNames.includes(engine) }, () => {
    const place = { engine } as Place
    before(async () => {
      Object.assign(place, await freshPlace(engine))
    })
    body(place)
    // Registered after the body's own hooks, so that what the tests opened is closed first.
    after(() => place.remove?.())
  })
}

/** Tests never read the settings of a service that is installed on this machine. */
const noSettingsFile = { MARQUEE_ENV_FILE: '/dev/null' }

function sqlitePlace(folder: string, template: string | undefined): Place {
  if (template !== undefined) copyFileSync(template, join(folder, 'marquee.db'))
  return { engine: 'sqlite', folder, env: { DATA_DIR: folder, ...noSettingsFile }, remove: async () => removeFolder(folder) }
}

async function postgresPlace(folder: string, template: string | undefined): Promise<Place> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const secretFile = join(folder, 'server-secret')
  writeFileSync(secretFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  const nodes = [serverUrl(), ...clusterNodes()]
  for (const node of nodes) await administer(node, `create database ${name} template ${template ?? 'template1'}`)
  const remove = async () => {
    for (const node of nodes) await administer(node, `drop database if exists ${name} with (force)`)
    removeFolder(folder)
  }
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return {
    engine: 'postgres',
    folder,
    env: { DATA_DIR: folder, ...noSettingsFile, DATABASE_URL: url.href, MARQUEE_SECRET_FILE: secretFile },
    remove,
  }
}

function databaseOf(url = ''): string {
  return new URL(url).pathname.slice(1)
}

function removeFolder(folder: string) {
  rmSync(folder, { recursive: true, force: true })
}

/** On a cluster a database is made on every node, as a copy of one whose tables are spread: `npm run hard:citus`. */
function clusterNodes(): readonly string[] {
  return isCluster() ? (process.env.TEST_CITUS_WORKERS ?? '').split(',') : []
}

function isCluster(): boolean {
  return process.env.TEST_CITUS_WORKERS !== undefined
}

async function administer(node: string, statement: string) {
  const client = new pg.Client({ connectionString: node })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL
  if (!url) throw new Error('TEST_POSTGRES_URL is not set: run tests with `npm test -- <file>`, which starts a PostgreSQL for them.')
  return url
}
