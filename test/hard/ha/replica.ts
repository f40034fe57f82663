/** A replica for reports that dies and comes back: reports go on all the while, and are read from it again. */
import { freePort } from '../../support/postgres.ts'
import { clientOf } from '../support/client.ts'
import type { Result } from '../support/goal.ts'
import { makePartner } from '../support/prepare.ts'
import { type Hard, pause, startHard } from '../support/process.ts'
import { inFolder, ownTree } from '../support/tree.ts'
import { type PatroniNode, startPatroni } from './patroni.ts'

const readers = 4
/** Reports from the replica after which it counts as read. */
const enough = 50

export function checkReplica(): Promise<Result> {
  return inFolder(async (folder) => {
    const patroni = await startPatroni(folder, 3)
    const replica = patroni.nodes[2] as PatroniNode
    const replicaUrl = new URL(patroni.env.DATABASE_URL?.replace(/@[^/]*/, `@127.0.0.1:${replica.port}`) ?? '')
    let service: Hard | null = null
    try {
      const partner = await makePartner(patroni.env, 'Acme')
      const adminPort = await freePort()
      const own = { DATABASE_REPLICA_URL: replicaUrl.href, MARQUEE_ADMIN_PORT: String(adminPort), LOG_LEVEL: 'error' }
      service = await startHard(ownTree, { env: { ...patroni.env, ...own } })
      const reports = readReports(service.url, partner)
      const sources = () => sourcesOf(adminPort)
      await untilReadThere(sources, 'the replica is read')
      await replica.kill()
      const atDeath = { ...reports.statuses }
      await pause(10_000)
      const during = (reports.statuses['200'] ?? 0) - (atDeath['200'] ?? 0)
      await replica.start()
      await untilReadThere(sources, 'the replica is read again')
      await reports.stop()
      const { database, replica: fromReplica } = await sources()
      const wrong = Object.entries(reports.statuses).filter(([status]) => status !== '200')
      return {
        figures: {
          reports: reports.statuses['200'] ?? 0,
          while_it_was_dead: during,
          from_the_replica: fromReplica,
          from_the_database: database,
        },
        faults: [
          ...wrong.map(([status, count]) => `${count} reports were answered ${status}`),
          ...(during === 0 ? ['no report was answered while the replica was dead'] : []),
        ],
      }
    } finally {
      await service?.kill('SIGTERM')
      await patroni.end()
    }
  })
}

/** A question that was not asked before is not answered from memory. */
function readReports(url: string, { authorization, accountId }: { authorization: string; accountId: number }) {
  const statuses: Record<string, number> = {}
  const client = clientOf(url, authorization, readers)
  let [isOver, serial] = [false, 0]
  const read = async () => {
    while (!isOver) {
      serial += 1
      const day = new Date(Date.UTC(2000, 0, serial)).toISOString().slice(0, 10)
      const answer = await client.ask(`/api/seo_report.json?account_id=${accountId}&end_date=${day}`)
      const status = String(answer?.status ?? 'with nothing')
      statuses[status] = (statuses[status] ?? 0) + 1
      await pause(20)
    }
  }
  const working = Promise.all(Array.from({ length: readers }, read))
  return {
    statuses,
    async stop() {
      isOver = true
      await working
      client.close()
    },
  }
}

async function sourcesOf(adminPort: number): Promise<{ database: number; replica: number }> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  const of = (name: string) => Number(new RegExp(`marquee_reports_read_total\\{source="${name}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return { database: of('database'), replica: of('replica') }
}

async function untilReadThere(sources: () => Promise<{ replica: number }>, what: string): Promise<void> {
  const { replica: before } = await sources()
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(200)) if ((await sources()).replica >= before + enough) return
  throw new Error(`It did not come about in two minutes that ${what}.`)
}
