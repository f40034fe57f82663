/** `marquee serve`: starts the service and stops it gracefully; with `--demo`, it serves the demo world. */

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Environment, type Settings, usualAdminPort } from '../../../config.ts'
import { buildDemo } from '../../../demo/build.ts'
import { measureDemo } from '../../../demo/measure.ts'
import { type DemoIds, idOf } from '../../../demo/read.ts'
import { keepCompiledCode } from '../../../lib/compiled-code.ts'
import { refuse } from '../../../lib/failures.ts'
import { collectWhenIdle } from '../../../lib/idle-memory.ts'
import { type Log, openLog } from '../../../lib/log.ts'
import { isLoopback } from '../../../lib/network/addresses.ts'
import type { Channel } from '../../../lib/processes/channel.ts'
import { type HangUps, hearHangUps } from '../../../lib/processes/hang-ups.ts'
import { primary } from '../../../lib/processes/primary.ts'
import { workerSetting } from '../../../lib/setting-kinds.ts'
import { openApp } from '../../../model/core/app.ts'
import { refuseBasePath } from '../../../model/core/installation.ts'
import type { Service } from '../../../service.ts'
import { databaseFile } from '../../../store/store.ts'
import { type CommandInput, type Output, operatorOn, UsageError } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'
import { isTerminal, say } from '../../print.ts'
import { type DemoDocument, openDemo, refuseOtherPartners } from './demo.ts'
import { type Reloading, reloadWith } from './reload.ts'
import type { TourIds } from './tour.ts'

export async function serve(given: CommandInput): Promise<Output> {
  if (primary !== null) return work(withWorkers(given), primary)
  const signals = { hangUps: hearHangUps(), stopped: stopSignal() }
  const read = () => {
    const { settings, surroundings } = given.readAgain()
    return { settings: withWorkers({ ...given, settings }), env: surroundings.env }
  }
  // What was read before may be older than a SIGHUP that nobody heard.
  const { settings, env } = read()
  if (!given.has('demo')) runAsOwner(settings)
  if (settings.workers !== undefined) return supervise(settings, env, read, signals)
  const log = openLog(settings.logLevel)
  if (given.has('demo')) await prepareDemo(settings)
  const service = await start(settings, log)
  answerHangUps(signals, log, { read, used: service.app.settings, reaches: ['at once'] })
  // The demo is filled while requests are answered; a stop does not wait for the rest of it.
  return serveUntil(signals, settings, service, given.has('demo') ? () => showDemo(service) : undefined)
}

/** The option overrides the setting. */
function withWorkers({ settings, text, has }: CommandInput): Settings {
  const given = text('workers')
  if (given !== undefined && has('demo')) throw new UsageError('--demo runs in one process and so refuses --workers.')
  if (has('demo')) return { ...settings, workers: undefined }
  return given === undefined ? settings : { ...settings, workers: workerSetting.read(given) }
}

interface Signals {
  readonly hangUps: HangUps
  readonly stopped: Promise<void>
}

function answerHangUps({ hangUps }: Signals, log: Log, reloading: Reloading): void {
  const reload = reloadWith(reloading)
  hangUps.answer(async () => {
    await reload()
    log.level = reloading.used.logLevel
  })
}

/** Serves as a worker, controlled by the primary. */
async function work(settings: Settings, channel: Channel): Promise<Output> {
  const { serveAsWorker } = await import('../../../cluster/worker.ts')
  await serveAsWorker(settings, channel)
  endDespiteBlockedOutput()
  return {}
}

async function supervise(settings: Settings, env: Environment, read: Reloading['read'], signals: Signals): Promise<Output> {
  const { startPrimary } = await import('../../../cluster/primary.ts')
  const log = openLog(settings.logLevel)
  const all = await startPrimary(settings, env, log)
  collectWhenIdle()
  answerHangUps(signals, log, { read, used: settings, reaches: ['at once', 'new workers'], replace: all.replace })
  return serveUntil(signals, settings, all)
}

type Serving = Pick<Service, 'url' | 'adminUrl' | 'failed' | 'drain' | 'stop'>

async function serveUntil({ stopped }: Signals, settings: Settings, serving: Serving, show?: () => Promise<void>): Promise<Output> {
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
async function start(settings: Settings, log: Log): Promise<Service> {
  const { startService } = await import('../../../service.ts')
  const { startReaders } = await import('../../../readers/pool.ts')
  const service = await startService(settings, log)
  startReaders(service.app)
  keepCompiledCode()
  collectWhenIdle()
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
  if (!existsSync(databaseFile(settings) ?? '')) refuseBasePath(settings)
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
  const { tour } = await import('./tour.ts')
  say(guide(url, app.clock.now().slice(0, 10), await openDemo(caller, ids), ids, tour))
}

type Tour = (url: string, credentials: string, ids: TourIds) => string[]

function guide(
  url: string,
  today: string,
  { key, password, accounts, users, staff, other }: DemoDocument,
  ids: DemoIds,
  tour: Tour,
): string {
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
    `Desk:      ${url}/login as ${staff[0]?.login} with ${staff[0]?.password}`,
    `Reference: ${url}/docs`,
    '',
    'Paste any of these:',
    ...lines,
  ].join('\n')
}
