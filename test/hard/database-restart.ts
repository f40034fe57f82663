/** R4: the database server restarts under load; the service lives on, says 503 meanwhile, and works again at once. */
import { type Answer, clientOf, percentile, xml } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, makePartner } from './support/prepare.ts'
import { pause, startHard } from './support/process.ts'
import { chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly restarts: number
}

const clients = 8
const backWithinMilliseconds = 1_000

export const databaseRestart: Goal<Size> = {
  id: 'R4',
  says: 'restarts of PostgreSQL under load: only 503 meanwhile, and the first success within a second of readiness',
  short: { restarts: 3 },
  long: { restarts: 30 },
  forMutants: { restarts: 3 },
  run: (tree, { restarts }) =>
    inFolder(async (folder) => {
      const chance = chanceFrom()
      const cluster = await makeCluster(folder)
      try {
        const partner = await makePartner(cluster.env, 'Acme')
        const service = await startHard(tree, { env: { ...cluster.env, LOG_LEVEL: 'silent' } })
        const load = loadOn(service.url, partner)
        const back: number[] = []
        for (let done = 0; done < restarts && !service.hasGone; done += 1) {
          await pause(150 + chance.whole(200))
          if (done % 3 === 2) await cluster.terminateBackends()
          else await cluster.restart(done % 3 === 0 ? 'fast' : 'immediate')
          back.push(await load.untilSuccess())
        }
        const { statuses, unexpected, unanswered } = await load.stop()
        const late = back.filter((milliseconds) => milliseconds > backWithinMilliseconds)
        const faults = [
          ...(service.hasGone ? [`the service went away: ${await service.gone}`] : []),
          ...unexpected.map((text) => `an answer was neither success nor 503: ${text}`),
          ...(unanswered > 0 ? [`${unanswered} requests got no answer`] : []),
          ...(late.length > 0 ? [`${late.length} times the first success came later than a second: ${late.map(Math.round)} ms`] : []),
        ]
        if (!service.hasGone) await service.kill('SIGTERM')
        return {
          figures: { seed: chance.seed, postgres: cluster.version, restarts, ...statuses, back_max_ms: percentile(back, 1) },
          faults,
        }
      } finally {
        await cluster.stop()
      }
    }),
  mutants: [
    {
      says: 'no listener for connections that are lost in the pool',
      file: 'src/store/postgres/servers.ts',
      from: "pool.on('error', () => {})",
      to: '',
    },
  ],
}

function loadOn(url: string, partner: Credentials) {
  const client = clientOf(url, partner.authorization, clients)
  const statuses: Record<string, number> = {}
  const unexpected: string[] = []
  let [isOver, unanswered, serial, lastSuccess] = [false, 0, 0, 0]
  const take = (answer: Answer | null) => {
    if (answer === null) {
      unanswered += 1
      return
    }
    const name = `status_${answer.status}`
    statuses[name] = (statuses[name] ?? 0) + 1
    if (answer.status < 300) lastSuccess = performance.now()
    else if (answer.status !== 503 || answer.headers['retry-after'] === undefined) unexpected.push(`${answer.status} ${answer.body}`)
  }
  const one = async () => {
    while (!isOver) {
      serial += 1
      const isRead = serial % 2 === 0
      const body = `<business><name>again-${serial}</name></business>`
      const answer = await client.ask(
        '/api/businesses.xml',
        isRead ? {} : { method: 'POST', headers: { ...xml, 'idempotency-key': `again-${serial}` }, body },
      )
      take(answer)
      await pause(answer?.status === 503 || answer === null ? 10 : 2)
    }
  }
  const working = Promise.all(Array.from({ length: clients }, one))
  return {
    /** How long after now the first success comes. */
    async untilSuccess(): Promise<number> {
      const from = performance.now()
      while (lastSuccess < from && performance.now() - from < 10_000) await pause(2)
      return performance.now() - from
    },
    async stop() {
      isOver = true
      await working
      client.close()
      return { statuses, unexpected: unexpected.slice(0, 5), unanswered }
    },
  }
}
