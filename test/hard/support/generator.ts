/** A generator of load in a process of its own: so many requests a second, whether they are answered or not, and what became of each kind. */
import { fork } from 'node:child_process'
import { clientOf, percentile } from './client.ts'
import { pause } from './process.ts'

export interface Plan {
  readonly url: string
  /** Whose requests these are; each is sent on behalf of the next. */
  readonly authorizations: readonly string[]
  readonly accountIds: readonly number[]
  readonly kind: 'users' | 'businesses' | 'reads'
  readonly perSecond: number
  readonly seconds: number
  readonly sockets: number
  /** Distinguishes the names of several generators. */
  readonly name: string
}

export interface Outcome {
  readonly sent: number
  readonly good: number
  readonly refused: number
  readonly failed: number
  readonly goodPerSecond: number
  readonly good_p50_ms: number
  readonly good_p99_ms: number
  readonly refused_p50_ms: number
  readonly refused_p99_ms: number
  /** Successes in each second. */
  readonly perSecondGood: readonly number[]
  readonly others: readonly string[]
}

export function generate(plan: Plan): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [], { env: { ...process.env, HARD_PLAN: JSON.stringify(plan) } })
    child.once('message', (outcome) => resolve(outcome as Outcome))
    child.once('error', reject)
    child.once('exit', (code) => code !== 0 && reject(new Error(`the generator ended with ${code}`)))
  })
}

if (process.env.HARD_PLAN !== undefined && process.send !== undefined) {
  const tell = process.send.bind(process)
  void fire(JSON.parse(process.env.HARD_PLAN) as Plan).then((outcome) => tell(outcome, () => process.exit(0)))
}

async function fire(plan: Plan): Promise<Outcome> {
  const { perSecond, seconds, authorizations, accountIds } = plan
  const clients = authorizations.map((authorization) => clientOf(plan.url, authorization, Math.ceil(plan.sockets / authorizations.length)))
  const [good, refused, others]: [number[], number[], string[]] = [[], [], []]
  const perSecondGood: number[] = Array.from({ length: seconds }, () => 0)
  let [sent, failed, open] = [0, 0, 0]
  const startedAt = performance.now()
  const one = async (serial: number) => {
    const which = serial % clients.length
    open += 1
    const answer = await clients[which]?.ask(...asked(plan, serial, accountIds[which] ?? 0))
    open -= 1
    if (!answer) {
      failed += 1
      return
    }
    const second = Math.floor((performance.now() - startedAt) / 1000)
    if (answer.status < 300) {
      good.push(answer.milliseconds)
      if (second < seconds) perSecondGood[second] = (perSecondGood[second] ?? 0) + 1
    } else if (answer.status === 503 || answer.status === 429) refused.push(answer.milliseconds)
    else others.push(`${answer.status} ${answer.body}`.slice(0, 200))
  }
  while (performance.now() - startedAt < seconds * 1000) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    for (; sent < due; sent += 1) void one(sent)
    await pause(2)
  }
  for (let waits = 0; open > 0 && waits < 300; waits += 1) await pause(100)
  for (const client of clients) client.close()
  return {
    sent,
    good: good.length,
    refused: refused.length,
    failed,
    // What was done in the time: some of what was asked for in it is only done afterwards.
    goodPerSecond: Math.round((perSecondGood.reduce((sum, count) => sum + count, 0) / seconds) * 10) / 10,
    good_p50_ms: percentile(good, 0.5),
    good_p99_ms: percentile(good, 0.99),
    refused_p50_ms: percentile(refused, 0.5),
    refused_p99_ms: percentile(refused, 0.99),
    perSecondGood,
    others: others.slice(0, 5),
  }
}

function asked(
  { kind, name }: Plan,
  serial: number,
  accountId: number,
): [string, { method?: string; headers?: Record<string, string>; body?: string }] {
  if (kind === 'reads') return ['/api/businesses.json', {}]
  const id = `${name}-${serial}`
  const headers = { 'content-type': 'application/json' }
  if (kind === 'businesses') return ['/api/businesses.json', { method: 'POST', headers, body: JSON.stringify({ business: { name: id } }) }]
  const user = { email: `${id}@load.example`, login: id, password: 'secret99', account_id: accountId }
  return ['/api/users.json', { method: 'POST', headers, body: JSON.stringify({ user }) }]
}
