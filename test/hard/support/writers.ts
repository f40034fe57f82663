/** Writers who remember what they were promised: every request with its key, every answer with its bytes; what stayed open is asked again. */
import { type Answer, type Client, clientOf, xml } from './client.ts'
import type { Credentials } from './prepare.ts'
import { pause } from './process.ts'
import type { Chance } from './random.ts'

interface Deed {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body?: string
  /** What is true once this was acknowledged: a name that exists, or a state that a business has. */
  readonly claim: { readonly name: string } | { readonly businessId: number; readonly state: string }
}

export interface Writer {
  /** Works until the service is gone or `until` resolves. */
  work(url: string, isOver: () => boolean): Promise<void>
  /** Every acknowledged name; each must exist exactly once. */
  readonly names: Set<string>
  /** The state each of its businesses was last said to have. */
  readonly states: Map<number, string>
  readonly faults: string[]
  readonly counts: { acknowledged: number; repeated: number; refused: number; open: number }
  /** Asks open requests again, and some that were answered, to see the same bytes. */
  settle(url: string, hasGone?: () => boolean): Promise<void>
}

/** How long a writer waits for an answer, and after a refusal. */
interface Patience {
  readonly timeoutMilliseconds: number
  readonly pauseMilliseconds: number
}

const usual: Patience = { timeoutMilliseconds: 15_000, pauseMilliseconds: 10 }

export function writerOf(name: string, partner: Credentials, chance: Chance, withUsers = true, patience: Patience = usual): Writer {
  const names = new Set<string>()
  const states = new Map<number, string>()
  const faults: string[] = []
  const counts = { acknowledged: 0, repeated: 0, refused: 0, open: 0 }
  let open: Deed | null = null
  let last: { deed: Deed; answer: Answer } | null = null
  let serial = 0

  const next = (): Deed => {
    serial += 1
    const key = `${name}-${serial}`
    const owned = [...states.keys()]
    const roll = chance.next()
    if (roll < 0.4 && owned.length > 0) {
      const businessId = chance.pick(owned)
      const verb = chance.pick(['deactivate', 'reactivate'])
      const state = verb === 'deactivate' ? 'deactivated' : 'active'
      return { key, method: 'POST', path: `/api/businesses/${businessId}/${verb}.json`, claim: { businessId, state } }
    }
    if (roll > 0.95 && withUsers) {
      const user = `<email>${key}@hard.example</email><login>${key}</login><password>secret99</password><account-id>${partner.accountId}</account-id>`
      return { key, method: 'POST', path: '/api/users.json', body: `<user>${user}</user>`, claim: { name: key } }
    }
    return { key, method: 'POST', path: '/api/businesses.json', body: `<business><name>${key}</name></business>`, claim: { name: key } }
  }

  const send = ({ key, method, path, body }: Deed, client: Client) =>
    client.ask(path, {
      method,
      headers: { ...xml, 'idempotency-key': key },
      ...(body !== undefined && { body }),
      timeoutMilliseconds: patience.timeoutMilliseconds,
    })

  const take = (deed: Deed, answer: Answer) => {
    if (answer.status === 503 || answer.status === 429) {
      counts.refused += 1
      return false
    }
    if (answer.status >= 300) faults.push(`${deed.method} ${deed.path} (${deed.key}) was answered ${answer.status}: ${answer.body}`)
    counts.acknowledged += 1
    if ('name' in deed.claim) names.add(deed.claim.name)
    else states.set(deed.claim.businessId, deed.claim.state)
    const made = JSON.parse(answer.body.toString()) as { business?: { id: number; aasm_state: string } }
    if (deed.path === '/api/businesses.json' && made.business) states.set(made.business.id, made.business.aasm_state)
    last = { deed, answer }
    return true
  }

  return {
    names,
    states,
    faults,
    counts,
    async work(url, isOver) {
      const client = clientOf(url, partner.authorization, 1)
      while (!isOver()) {
        const deed: Deed = open ?? next()
        open = deed
        const answer = await send(deed, client)
        if (answer === null) {
          counts.open += 1
          break
        }
        // Nobody knows whether a refused write happened: it is sent again under the same key.
        if (take(deed, answer)) open = null
        else await pause(patience.pauseMilliseconds)
      }
      client.close()
    },
    async settle(url, hasGone = () => false) {
      const client = clientOf(url, partner.authorization, 1)
      for (let tries = 0; open !== null; tries += 1) {
        const answer = await send(open, client)
        if (answer !== null && take(open, answer)) open = null
        else if (hasGone()) return client.close()
        else if (tries > 100) return void faults.push(`${open.key} could not be settled`)
        else await pause(50)
      }
      if (last !== null) {
        const again = await send(last.deed, client)
        // The end of a connection is known a moment before the end of the process.
        if (again === null) await pause(200)
        if (again === null && hasGone()) return client.close()
        counts.repeated += 1
        if (again === null || !again.body.equals(last.answer.body))
          faults.push(`${last.deed.key} was answered with other bytes the second time: ${again?.status} ${again?.body}`)
      }
      client.close()
    },
  }
}

/** What the service says exists now, against what it promised. */
export async function check(url: string, partner: Credentials, writers: readonly Writer[]): Promise<string[]> {
  const client = clientOf(url, partner.authorization)
  const businesses = await all<{ id: number; name: string; aasm_state: string }>(client, 'businesses')
  const users = await all<{ login: string }>(client, 'users')
  client.close()
  const seen = Map.groupBy([...businesses.map(({ name }) => name), ...users.map(({ login }) => login)], (name) => name)
  const stateOf = new Map(businesses.map(({ id, aasm_state }) => [id, aasm_state]))
  const promised = writers.flatMap(({ names }) => [...names])
  const lost = promised.filter((name) => !seen.has(name))
  const doubled = [...seen].filter(([, its]) => its.length > 1).map(([name]) => name)
  const wrong = writers.flatMap(({ states }) =>
    [...states].filter(([id, state]) => stateOf.get(id) !== state).map(([id, state]) => `${id} ${state}`),
  )
  return [
    ...writers.flatMap(({ faults }) => faults),
    ...(lost.length > 0 ? [`${lost.length} acknowledged writes are lost: ${lost.slice(0, 5)}`] : []),
    ...(doubled.length > 0 ? [`${doubled.length} writes happened twice: ${doubled.slice(0, 5)}`] : []),
    ...(wrong.length > 0 ? [`${wrong.length} businesses are not in the state that was acknowledged: ${wrong.slice(0, 5)}`] : []),
  ]
}

async function all<T>(client: Client, root: string): Promise<T[]> {
  const items: T[] = []
  for (let path: string | undefined = `/api/${root}.json`; path !== undefined; ) {
    const answer: Answer | null = await client.ask(path)
    if (answer?.status !== 200) throw new Error(`${path} was answered ${answer?.status} ${answer?.body}`)
    items.push(...(JSON.parse(answer.body.toString())[root] as T[]))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
    path = next === undefined ? undefined : new URL(next).pathname.replace(/(\.json)?$/, '.json') + new URL(next).search
  }
  return items
}

export function sumOf(writers: readonly Writer[]) {
  const sum = (of: (writer: Writer) => number) => writers.reduce((total, writer) => total + of(writer), 0)
  return {
    acknowledged: sum(({ counts }) => counts.acknowledged),
    left_open_by_crashes: sum(({ counts }) => counts.open),
    repeated: sum(({ counts }) => counts.repeated),
    refused: sum(({ counts }) => counts.refused),
  }
}
