/** What the log of requests costs: processor time of each answer with the log and without it, by turns in one process. */
import { readSettings } from '../src/config.ts'
import { writeRequests } from '../src/model/core/use/request-log.ts'
import { startService } from '../src/service.ts'
import { startPostgres } from '../test/support/postgres.ts'
import type { Ask } from './client.ts'
import { openDesk } from './desk.ts'
import { compare, type Line, line, missing } from './measure.ts'
import { hasWrk, rate } from './rates.ts'
import { addAccount, addUserWithAbilities } from './world.ts'

const rounds = 5
/** As long as the log waits between two writes under load; it writes once more at the end, so that it is charged with two. */
const seconds = 21

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
  const answers = (requestLog: 'on' | 'off') => async () => {
    Object.assign(service.app.settings, { requestLog })
    return microsecondsEach(ask, () => writeRequests(service.app))
  }
  const taken = await compare({ on: answers('on'), off: answers('off') }, rounds, 1)
  await service.stop()
  await desk.close()
  const work = `GET abilities.json on ${engine} with the log of requests`
  return line({ work, unit: 'µs', ours: taken.on, against: 'without it, processor time each', theirs: taken.off, goal: '<= 1.02' })
}

/** Of all threads of this process, in which the service runs. */
async function microsecondsEach(ask: Ask, finish: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  const perSecond = await rate(ask, 32, seconds)
  await finish()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (perSecond * seconds)
}
