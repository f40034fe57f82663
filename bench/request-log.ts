/** What the log of requests costs: processor time of each answer with the log and without it, by turns in one process. */
import { readSettings } from '../src/config.ts'
import { writeRequests } from '../src/model/core/use/request-log.ts'
import { type Service, startService } from '../src/service.ts'
import { startPostgres } from '../test/support/postgres.ts'
import type { Ask } from './client.ts'
import { openDesk } from './desk.ts'
import { compare, type Line, line, missing } from './measure.ts'
import { hasWrk, rate } from './rates.ts'
import { addAccount, addUserWithAbilities } from './world.ts'

/** Short turns and many of them, because a busy moment is longer than one of them. */
const rounds = 40
const seconds = 1
/** Under load the log writes as many rows as it keeps of a partner, and then waits so long. */
const secondsBetweenWrites = 20

export async function requestLog(): Promise<Line[]> {
  if (!hasWrk()) return [missing('log of requests', 'without it', 'wrk is not installed', '<= 1.02')]
  const postgres = await startPostgres()
  try {
    return [await costOn('SQLite'), await costOn('PostgreSQL', postgres.url)]
  } finally {
    await postgres.stop()
  }
}

async function costOn(engine: string, databaseUrl?: string): Promise<Line> {
  let userId = 0
  const desk = await openDesk(async (operator, partnerId) => {
    const size = { sites: 1, competitors: 0, keywords: 1, days: 1, backlinks: 1 }
    userId = await addUserWithAbilities(operator, await addAccount(operator, partnerId, 'bench', size))
  }, databaseUrl)
  const { settings } = desk.app
  const given = { DATA_DIR: settings.dataDir, ...(settings.secretFile && { MARQUEE_SECRET_FILE: settings.secretFile }) }
  const free = { PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error' }
  const service = await startService(readSettings({ ...given, ...free, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }))
  const ask = { ...desk.ask(''), url: `${service.url}/api/users/${userId}/abilities.json` }
  const taken = await compare({ on: () => costOf(service, ask, 'on'), off: () => costOf(service, ask, 'off') }, rounds)
  await service.stop()
  await desk.close()
  const work = `GET abilities.json on ${engine} with the log of requests`
  return line({ work, unit: 'µs', ours: taken.on, against: 'without it, processor time each', theirs: taken.off, goal: '<= 1.02' })
}

/** Microseconds of all threads of this process, in which the service runs, for each answer, with its share of what is written later. */
async function costOf(service: Service, ask: Ask, requestLog: 'on' | 'off'): Promise<number> {
  Object.assign(service.app.settings, { requestLog })
  const begun = process.cpuUsage()
  const answers = (await rate(ask, 32, seconds)) * seconds
  const answered = microseconds(process.cpuUsage(begun))
  const writing = process.cpuUsage()
  await writeRequests(service.app)
  const written = requestLog === 'on' ? microseconds(process.cpuUsage(writing)) : 0
  return (answered + (written * seconds) / secondsBetweenWrites) / answers
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}
