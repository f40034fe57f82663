/** Switchovers and deaths of the primary under load: nothing acknowledged is lost or done twice, clients see success or 503, and the new primary is used within a second. */
import pg from 'pg'
import { type Client, clientOf, percentile } from '../support/client.ts'
import type { Result } from '../support/goal.ts'
import { type Credentials, makePartner } from '../support/prepare.ts'
import { commandOf, type Env, type Hard, pause, startHard } from '../support/process.ts'
import { chanceFrom } from '../support/random.ts'
import { inFolder, ownTree } from '../support/tree.ts'
import { check, sumOf, type Writer, writerOf } from '../support/writers.ts'
import { type Patroni, type PatroniNode, startPatroni } from './patroni.ts'

export interface FailoverSize {
  readonly switchovers: number
  readonly kills: number
  readonly writes: number
  /** From the first write that the new primary takes to the first that Marquee acknowledges. */
  readonly backWithinMilliseconds: number
}

interface Load {
  readonly writers: readonly Writer[]
  /** Milliseconds from now to the next write that is acknowledged. */
  untilAcknowledged(): Promise<number>
  stop(): Promise<Readonly<Record<string, number>>>
  readonly faults: string[]
}

interface Gap {
  /** From the event until the new primary takes a write of ours. */
  readonly withoutPrimary: number
  /** From then until Marquee acknowledges one. */
  readonly back: number
}

const processes = 3
const writersPerProcess = 8

/** `envOf` says how the processes reach the database. */
export function checkFailover(
  size: FailoverSize,
  envOf: (patroni: Patroni) => Promise<{ env: Env; end(): Promise<void> }>,
): Promise<Result> {
  return inFolder(async (folder) => {
    const patroni = await startPatroni(folder)
    const way = await envOf(patroni)
    const services: Hard[] = []
    try {
      const partner = await makePartner(way.env, 'Acme')
      for (let index = 0; index < processes; index += 1)
        services.push(await startHard(ownTree, { env: { ...way.env, LOG_LEVEL: 'error' } }))
      return await tryFailovers(patroni, way.env, services, partner, size)
    } finally {
      for (const service of services) await service.kill('SIGTERM')
      await way.end()
      await patroni.end()
    }
  })
}

async function tryFailovers(
  patroni: Patroni,
  env: Env,
  services: readonly Hard[],
  partner: Credentials,
  size: FailoverSize,
): Promise<Result> {
  const load = loadOn(
    services.map(({ url }) => url),
    partner,
  )
  const gaps: Record<'switchover' | 'kill', Gap[]> = { switchover: [], kill: [] }
  for (const event of eventsOf(size)) {
    const primary = await patroni.untilSound()
    await pause(2_000)
    const gap = await causeGap(patroni, primary, event, load)
    gaps[event].push(gap)
    console.log(
      `  ${event}: ${Math.round(gap.withoutPrimary)} ms without a primary, ${Math.round(gap.back)} ms until the next acknowledged write`,
    )
    if (event === 'kill') await primary.start()
  }
  await patroni.untilSound()
  while (sumOf(load.writers).acknowledged < size.writes) await pause(200)
  const statuses = await load.stop()
  const [first] = services as [Hard]
  const late = Object.values(gaps)
    .flat()
    .filter(({ back }) => back > size.backWithinMilliseconds)
  const audit = await commandOf(ownTree, env, 'audit', 'verify')
  const faults = [
    ...load.faults,
    ...services.filter(({ hasGone }) => hasGone).map(({ printed }) => `a process went away: ${printed().slice(-500)}`),
    ...(await check(first.url, partner, load.writers)),
    ...late.map(({ back }) => `the first success came ${Math.round(back)} ms after the new primary`),
    ...(audit.includes('Every entry is as it was sealed.') ? [] : [`audit verify: ${audit}`]),
  ]
  const longest = (of: readonly number[]) => percentile(of, 1)
  return {
    figures: {
      ...size,
      ...sumOf(load.writers),
      ...statuses,
      switchover_gap_max_ms: longest(gaps.switchover.map(({ withoutPrimary }) => withoutPrimary)),
      kill_gap_max_ms: longest(gaps.kill.map(({ withoutPrimary }) => withoutPrimary)),
      back_max_ms: longest([...gaps.switchover, ...gaps.kill].map(({ back }) => back)),
    },
    faults,
  }
}

/** Kills lie between switchovers. */
function eventsOf({ switchovers, kills }: FailoverSize): ('switchover' | 'kill')[] {
  const events = Array.from({ length: Math.max(switchovers, kills) }, (_, index) => [
    ...(index < switchovers ? (['switchover'] as const) : []),
    ...(index < kills ? (['kill'] as const) : []),
  ])
  return events.flat()
}

async function causeGap(patroni: Patroni, primary: PatroniNode, event: 'switchover' | 'kill', load: Load): Promise<Gap> {
  const next = patroni.nodes.find((node) => node !== primary) as PatroniNode
  const from = performance.now()
  const taken = untilTakesWrite(next)
  if (event === 'kill') await primary.kill()
  else await patroni.switchOver(primary, next)
  await taken
  const withoutPrimary = performance.now() - from
  return { withoutPrimary, back: await load.untilAcknowledged() }
}

/** A write of ours, so that the time Patroni takes is not counted as Marquee's. */
async function untilTakesWrite(node: PatroniNode): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(20)) {
    const client = new pg.Client({ connectionString: node.url('marquee'), connectionTimeoutMillis: 2_000, query_timeout: 20_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('create table if not exists probe (at timestamptz)')
      return
    } catch {
      // It is a standby still.
    } finally {
      void client.end().catch(() => {})
    }
  }
  throw new Error('No new primary took a write within two minutes.')
}

function loadOn(urls: readonly string[], partner: Credentials): Load {
  const chance = chanceFrom()
  const faults: string[] = []
  const statuses: Record<string, number> = {}
  let isOver = false
  const patience = { timeoutMilliseconds: 28_000, pauseMilliseconds: 40 }
  const writers = urls.flatMap((_, at) =>
    Array.from({ length: writersPerProcess }, (__, index) => writerOf(`writer-${at}-${index}`, partner, chance, false, patience)),
  )
  const write = async (writer: Writer, url: string) => {
    while (!isOver) await writer.work(url, () => isOver)
    await writer.settle(url)
  }
  const read = async (client: Client) => {
    while (!isOver) {
      for (const path of ['/api/businesses.json', `/api/seo_report.xml?account_id=${partner.accountId}`]) {
        const answer = await client.ask(path)
        const name = `reads_${answer?.status ?? 'unanswered'}`
        statuses[name] = (statuses[name] ?? 0) + 1
        if (answer?.status !== 200 && answer?.status !== 503) faults.push(`GET ${path} was answered ${answer?.status} ${answer?.body}`)
        await pause(50)
      }
    }
  }
  const clients = urls.map((url) => clientOf(url, partner.authorization, 1))
  const working = [...writers.map((writer, index) => write(writer, urls[index % urls.length] as string)), ...clients.map(read)]
  return {
    writers,
    faults,
    async untilAcknowledged() {
      const [from, before] = [performance.now(), sumOf(writers).acknowledged]
      while (sumOf(writers).acknowledged === before && performance.now() - from < 60_000) await pause(5)
      return performance.now() - from
    },
    async stop() {
      isOver = true
      await Promise.all(working)
      for (const client of clients) client.close()
      const { left_open_by_crashes: open } = sumOf(writers)
      if (open > 0) faults.push(`${open} writes got no answer`)
      return statuses
    },
  }
}
