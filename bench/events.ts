/** What an event costs the change that it tells of: creates of a business over HTTP with events and without them, by turns in one process. */
import { readSettings } from '../src/config.ts'
import { toldActions } from '../src/model/core/events/told-actions.ts'
import { type Service, startService } from '../src/service.ts'
import { startPostgres } from '../test/support/postgres.ts'
import type { Ask } from './client.ts'
import { openDesk } from './desk.ts'
import { compare, type Line, line } from './measure.ts'

const rounds = 12
const creates = 60
const writers = 6
const action = 'business.create'

export async function events(): Promise<Line[]> {
  const postgres = await startPostgres()
  try {
    return [await costOn('SQLite'), await costOn('PostgreSQL', postgres.url)]
  } finally {
    await postgres.stop()
  }
}

async function costOn(engine: string, databaseUrl?: string): Promise<Line> {
  const desk = await openDesk(async () => {}, databaseUrl)
  const { settings } = desk.app
  const given = { DATA_DIR: settings.dataDir, ...(settings.secretFile && { MARQUEE_SECRET_FILE: settings.secretFile }) }
  const free = { PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error' }
  const service = await startService(readSettings({ ...given, ...free, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }))
  const taken = await compare({ on: () => timeOf(service, desk.ask(''), true), off: () => timeOf(service, desk.ask(''), false) }, rounds)
  await service.stop()
  await desk.close()
  const work = `POST businesses.json on ${engine} with events, ${writers} at a time`
  return line({ work, unit: 'ms', ours: taken.on, against: 'without them', theirs: taken.off, goal: '<= 1.10' })
}

/** Milliseconds for each create. */
async function timeOf(service: Service, { headers }: Ask, isTold: boolean): Promise<number> {
  const table = toldActions as Record<string, unknown>
  const told = table[action]
  if (!isTold) delete table[action]
  const startedAt = performance.now()
  const create = async (name: string) => {
    const body = JSON.stringify({ business: { name } })
    const given = { ...headers, 'content-type': 'application/json' }
    const response = await fetch(`${service.url}/api/businesses.json`, { method: 'POST', headers: given, body })
    if (response.status !== 201) throw new Error(await response.text())
    await response.arrayBuffer()
  }
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let one = 0; one < creates / writers; one++) await create(`Bench ${writer} ${one}`)
    }),
  )
  table[action] = told
  return (performance.now() - startedAt) / creates
}
