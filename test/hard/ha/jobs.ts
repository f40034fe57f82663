/** Many processes on one database, one of them far away, for minutes: no job is done twice at a time, every mail is delivered once, and the audit chain stays whole. */
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../../../src/config.ts'
import { isoTime } from '../../../src/lib/time/clock.ts'
import { openApp } from '../../../src/model/core/app.ts'
import { audit } from '../../../src/model/core/audit.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { sealEntries } from '../../../src/model/upkeep/audit-seals.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { findBinaries, freePort, initialise, launch, serverIdentity, stop, untilReady } from '../../support/postgres.ts'
import { relayTo } from '../../support/relay.ts'
import { clientOf, xml } from '../support/client.ts'
import type { Result } from '../support/goal.ts'
import { type Credentials, makePartner, prepare } from '../support/prepare.ts'
import { commandOf, type Env, pause, startHard } from '../support/process.ts'
import { inFolder, ownTree } from '../support/tree.ts'

const processes = 8
const farMilliseconds = 60
const restSeconds = 3
const keepAuditDays = 30
const oldEntriesPerSecond = 10
const day = 86_400_000
/** Times in the database are whole seconds. */
const clockSlackMilliseconds = 1_100

interface Sweep {
  readonly pid: number
  readonly began: number
  readonly ended?: number
  readonly entries?: number
}

export function checkJobs(minutes: number): Promise<Result> {
  return inFolder(async (folder) => {
    const server = await startLoggingServer(folder)
    const relay = await relayTo(server.port, farMilliseconds)
    const mailbox = await openMailbox()
    const env: Env = {
      DATABASE_URL: urlOf(server.port),
      DATABASE_POOL: '5',
      DATA_DIR: folder,
      MARQUEE_SECRET_FILE: join(folder, 'server-secret'),
      MARQUEE_KEEP_AUDIT_DAYS: String(keepAuditDays),
      MARQUEE_SMTP_URL: mailbox.url,
      MARQUEE_MAIL_FROM: 'reports@service.example',
      BASE_URL: 'http://marquee.test',
      SWEEPS_FILE: join(folder, 'sweeps'),
      SWEEP_REST_SECONDS: String(restSeconds),
    }
    writeFileSync(env.MARQUEE_SECRET_FILE as string, `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o600 })
    const services: Awaited<ReturnType<typeof startHard>>[] = []
    try {
      await writeOldEntries(env, minutes)
      const partner = await makePartner(env, 'Acme')
      const before = server.errors().length
      const starting = Array.from({ length: processes }, (_, index) =>
        startHard(ownTree, {
          env: { ...env, ...(index === 0 && { DATABASE_URL: urlOf(relay.port) }) },
          script: 'test/hard/ha/jobs-process.ts',
        }),
      )
      services.push(...(await Promise.all(starting)))
      const load = await loadFor(
        minutes,
        services.map(({ url }) => url),
        partner,
        env,
      )
      const { delivered, doubled, missing } = await deliveries(mailbox, load.recipients)
      const sweeps = sweepsOf(env.SWEEPS_FILE as string)
      const verified = await commandOf(ownTree, env, 'audit', 'verify')
      const errors = server.errors().slice(before)
      return {
        figures: {
          processes,
          minutes,
          far_ms: farMilliseconds,
          writes: load.writes,
          refused: load.refused,
          mails: delivered,
          sweeps: sweeps.filter(({ ended }) => ended !== undefined).length,
          sweeping_processes: new Set(sweeps.map(({ pid }) => pid)).size,
          swept_entries: sweeps.reduce((sum, { entries = 0 }) => sum + entries, 0),
          errors_in_the_log_of_the_server: errors.length,
        },
        faults: [
          ...load.faults,
          ...sweepFaults(sweeps),
          ...(doubled.length > 0 ? [`${doubled.length} mails were delivered twice: ${doubled.slice(0, 3)}`] : []),
          ...(missing.length > 0 ? [`${missing.length} mails were not delivered: ${missing.slice(0, 3)}`] : []),
          ...errors.slice(0, 5).map((line) => `the server logged: ${line}`),
          ...services.filter(({ hasGone }) => hasGone).map(({ printed }) => `a process went away: ${printed().slice(-500)}`),
          ...(verified.includes('Every entry is as it was sealed.') ? [] : [`audit verify: ${verified}`]),
        ],
      }
    } finally {
      await Promise.all(services.map((service) => service.kill('SIGTERM')))
      await relay.close()
      await mailbox.close()
      await server.stop()
    }
  })
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

/** Entries that grow too old one after the other while the processes run, so that every sweep has something to cut off. */
async function writeOldEntries(env: Env, minutes: number): Promise<void> {
  let now = isoTime(Date.now() - keepAuditDays * day)
  const app = await openApp(readSettings({ ...env, MARQUEE_ADMIN_PORT: '0' }), { clock: { now: () => now }, schema: 'bring up' })
  const operator: OperatorCaller = { kind: 'operator', app, requestId: 'old' }
  const start = Date.now() - keepAuditDays * day
  for (let second = 0; second < minutes * 60 + 120; second += 1) {
    now = isoTime(start + second * 1_000)
    await app.store.write(async (tx) => {
      for (let entry = 0; entry < oldEntriesPerSecond; entry += 1) await audit(tx, operator, 'site.create', { id: second })
    })
  }
  for (let head = await sealEntries(app); head !== null; ) head = await sealEntries(app)
  await app.close()
}

async function loadFor(minutes: number, urls: readonly string[], partner: Credentials, env: Env) {
  const until = Date.now() + minutes * 60_000
  const faults: string[] = []
  const recipients: string[] = []
  let [writes, refused] = [0, 0]
  const write = async (url: string, at: number) => {
    const client = clientOf(url, partner.authorization, 1)
    for (let serial = 0; Date.now() < until; serial += 1) {
      const body = `<business><name>business-${at}-${serial}</name></business>`
      const answer = await client.ask('/api/businesses.json', { method: 'POST', headers: xml, body })
      if (answer?.status === 201) writes += 1
      else if (answer?.status === 503) refused += 1
      else faults.push(`a write was answered ${answer?.status} ${answer?.body}`)
      await pause(100)
    }
    client.close()
  }
  const schedule = (operator: OperatorCaller) => async () => {
    for (let round = 0; Date.now() < until - 15_000; round += 1) {
      const emails = Array.from({ length: 4 }, (_, index) => `friend-${round}-${index}@mail.example`)
      const { id } = await createAccount(operator, partner.id, `Account ${round}`)
      await createSchedule(operator, id, { rhythm: 'weekly', siteIds: null, recipients: emails })
      recipients.push(...emails)
      await pause(2_000)
    }
  }
  await prepare(env, (operator) => Promise.all([...urls.map(write), schedule(operator)()]))
  return { faults, recipients, writes, refused }
}

async function deliveries(mailbox: { take(address: string): readonly object[] }, recipients: readonly string[]) {
  const counts = new Map(recipients.map((recipient) => [recipient, 0]))
  for (const end = Date.now() + 30_000; Date.now() < end && [...counts.values()].includes(0); await pause(500))
    for (const [recipient, count] of counts) counts.set(recipient, count + mailbox.take(recipient).length)
  const which = (is: (count: number) => boolean) => [...counts].filter(([, count]) => is(count)).map(([recipient]) => recipient)
  return { delivered: which((count) => count > 0).length, doubled: which((count) => count > 1), missing: which((count) => count === 0) }
}

function sweepsOf(file: string): Sweep[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const all = lines.map((line) => JSON.parse(line) as Sweep)
  const ended = all.filter((sweep) => sweep.ended !== undefined)
  const open = all.filter(({ pid, began }) => !ended.some((sweep) => sweep.pid === pid && sweep.began === began))
  return [...ended, ...open].sort((a, b) => a.began - b.began)
}

function sweepFaults(sweeps: readonly Sweep[]): string[] {
  const tooSoon = sweeps.slice(1).flatMap(({ pid, began }, index) => {
    const previous = sweeps[index] as Sweep
    const rest = began - (previous.ended ?? Number.POSITIVE_INFINITY)
    return rest >= restSeconds * 1000 - clockSlackMilliseconds ? [] : [`process ${pid} swept ${rest} ms after process ${previous.pid}`]
  })
  const cut = sweeps.filter(({ entries = 0 }) => entries > 0).length
  return [...tooSoon, ...(cut < 2 ? ['fewer than two sweeps had something to cut off: the trial measured nothing'] : [])]
}

async function startLoggingServer(folder: string) {
  const identity = serverIdentity()
  if (identity) chownSync(folder, identity.uid, identity.gid)
  const bin = findBinaries(folder, identity)
  const data = join(folder, 'server')
  initialise(bin, data, identity)
  const port = await freePort()
  const own = { logging_collector: 'on', log_directory: folder, log_filename: 'server.log', fsync: 'on' }
  const server = launch(bin, join(folder, 'none'), data, port, identity, own)
  await untilReady(urlOf(port), server)
  const errors = () =>
    readFileSync(join(folder, 'server.log'), 'utf8')
      .split('\n')
      .filter((line) => / (ERROR|PANIC):/.test(line))
  return { port, errors, stop: () => stop(server) }
}
