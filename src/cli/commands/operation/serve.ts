/** `marquee serve`: starts the service and stops it gracefully; with `--demo`, it serves the demo world. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Settings, usualAdminPort, workerSetting } from '../../../config.ts'
import { buildDemo } from '../../../demo/build.ts'
import { measureDemo } from '../../../demo/measure.ts'
import { type DemoIds, idOf } from '../../../demo/read.ts'
import { keepCompiledCode } from '../../../lib/compiled-code.ts'
import { refuse } from '../../../lib/failures.ts'
import { collectOnceIdle } from '../../../lib/idle-memory.ts'
import { openLog } from '../../../lib/log.ts'
import { isLoopback } from '../../../lib/network/addresses.ts'
import type { Channel } from '../../../lib/processes/channel.ts'
import { primary } from '../../../lib/processes/primary.ts'
import { openApp } from '../../../model/core/app.ts'
import type { Service } from '../../../service.ts'
import { type CommandInput, type Output, operatorOn, UsageError } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'
import { isTerminal, say } from '../../print.ts'
import { type DemoDocument, openDemo, refuseOtherPartners, revokeDemoKeys } from './demo.ts'
import type { TourIds } from './tour.ts'

export async function serve(given: CommandInput): Promise<Output> {
  const settings = withWorkers(given)
  if (primary !== null) return work(settings, primary)
  const stopped = stopSignal()
  if (given.has('demo')) return serveDemo({ ...settings, workers: undefined }, stopped)
  runAsOwner(settings)
  if (settings.workers === undefined) return serveUntil(stopped, settings, await start(settings))
  return supervise(settings, stopped)
}

/** The option overrides the setting. */
function withWorkers({ settings, text, has }: CommandInput): Settings {
  const given = text('workers')
  if (given === undefined) return settings
  if (has('demo')) throw new UsageError('--demo runs in one process and so refuses --workers.')
  return { ...settings, workers: workerSetting.read(given) }
}

/** Serves as a worker, controlled by the primary. */
async function work(settings: Settings, channel: Channel): Promise<Output> {
  const { serveAsWorker } = await import('../../../cluster/worker.ts')
  try {
    await serveAsWorker(settings, channel)
  } catch (error) {
    // The channel would keep a failed worker alive.
    process.channel?.unref()
    throw error
  }
  endDespiteBlockedOutput()
  return {}
}

async function supervise(settings: Settings, stopped: Promise<void>): Promise<Output> {
  const { startPrimary } = await import('../../../cluster/primary.ts')
  const log = openLog(settings.logLevel)
  const all = await startPrimary(settings, log).catch(asExit)
  if (all === null) return { exitCode: 1 }
  collectOnceIdle()
  process.on('SIGHUP', () => void all.replace().catch((error: unknown) => log.error({ err: error }, 'the workers were not replaced')))
  return serveUntil(stopped, settings, all)
}

/** A worker that could not start has already printed why. */
function asExit(error: unknown): null {
  if (error instanceof Error && error.name === 'WorkerEnded') return null
  throw error
}

async function serveDemo(settings: Settings, stopped: Promise<void>): Promise<Output> {
  await prepareDemo(settings)
  const service = await start(settings)
  // The demo is filled while requests are answered; a stop does not wait for the rest of it.
  return serveUntil(stopped, settings, service, () => showDemo(service))
}

type Serving = Pick<Service, 'url' | 'adminUrl' | 'failed' | 'drain' | 'stop'>

async function serveUntil(stopped: Promise<void>, settings: Settings, serving: Serving, show?: () => Promise<void>): Promise<Output> {
  announce(settings, serving, show === undefined ? tellSupervisor : say)
  try {
    const shown = (show?.() ?? Promise.resolve()).then(never)
    const isFailed = await Promise.race([stopped.then(() => false), serving.failed.then(() => true), shown])
    serving.drain()
    // Waits until proxies have seen that the service is not ready and send requests elsewhere, so that none is refused.
    if (!isFailed && settings.trustedProxies.length > 0) await sleep(noticeSeconds * 1000)
    return { exitCode: isFailed ? 1 : 0 }
  } finally {
    await serving.stop()
    endDespiteBlockedOutput()
  }
}

type Tell = (text: string) => void

function announce({ adminPort }: Settings, { url, adminUrl }: Serving, tell: Tell): void {
  tell(`Marquee listens on ${url}`)
  const isAside = adminPort === undefined && new URL(adminUrl).port !== String(usualAdminPort)
  if (isAside) tell(`Port ${usualAdminPort} is taken: the metrics are at ${adminUrl}/metrics`)
}

/** Standard output that is not a terminal has log lines only. This one is written at every LOG_LEVEL, because scripts wait for it. */
const tellSupervisor: Tell = (text) => (isTerminal() ? say(text) : openLog('info').info(text))

/** Blocked output would keep the process alive forever, so the process exits after a second. */
function endDespiteBlockedOutput(): void {
  setTimeout(() => process.exit(), 1_000).unref()
}

const never = () => new Promise<never>(() => {})
const noticeSeconds = 3

/** Imported lazily, because every other command starts in half the time without the doors. */
async function start(settings: Settings): Promise<Service> {
  const { startService } = await import('../../../service.ts')
  const { startReportThread } = await import('../../../model/reports/thread/thread.ts')
  const service = await startService(settings)
  startReportThread(service.app)
  keepCompiledCode()
  collectOnceIdle()
  return service
}

/** The first signal stops gracefully; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

/** Checks everything that forbids a demo before the service listens. */
async function prepareDemo(settings: Settings): Promise<void> {
  if (!isLoopback(settings.host))
    refuse('conflict', `--demo prints its keys and so serves this machine only: HOST is ${settings.host}, not a loopback address.`)
  if (settings.databaseUrl !== undefined) refuse('conflict', '--demo makes its own database and so refuses a set DATABASE_URL.')
  const app = await openApp(settings, { schema: 'bring up' })
  try {
    await refuseOtherPartners(operatorOn(app))
  } finally {
    await app.close()
  }
}

async function showDemo({ url, app }: Service): Promise<void> {
  const caller = operatorOn(app)
  const ids = await buildDemo(caller, (made) => say(`  made ${made}`))
  await measureDemo(caller, ids, 1, (progress) => say(`  ${progress}`))
  await revokeDemoKeys(caller, ids)
  const { tour } = await import('./tour.ts')
  say(guide(url, app.clock.now().slice(0, 10), await openDemo(caller, ids), ids, tour))
}

type Tour = (url: string, credentials: string, ids: TourIds) => string[]

function guide(url: string, today: string, { key, password, accounts, users, other }: DemoDocument, ids: DemoIds, tour: Tour): string {
  const [first] = accounts
  const lines = tour(url, `${key}:${password}`, {
    account_id: first?.id ?? 0,
    user_id: idOf(ids.users, 'newcomer'),
    business_id: idOf(ids.businesses, 'Sunrise Catering'),
    site_id: first?.sites[0]?.id ?? 0,
    today,
  })
  return [
    '',
    `URL:       ${url}`,
    `Key:       ${key}`,
    `Password:  ${password}`,
    ...accounts.map(({ id, name, sites }) => `Account:   ${id} ${name} (${sites.map(({ domain }) => domain).join(', ')})`),
    `Another partner's account, closed to this key: ${other.account_id}`,
    `Log in:    ${url}/login as ${users[0]?.login} with ${users[0]?.password}`,
    `Reference: ${url}/docs`,
    '',
    'Paste any of these:',
    ...lines,
  ].join('\n')
}
