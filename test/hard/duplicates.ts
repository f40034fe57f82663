/** R15 and R16: the same request many times at once, with a key and without: one effect, and the same bytes for everyone. */
import { connect } from 'node:net'
import { type Answer, type Client, clientOf, xml } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { type Credentials, makePartner } from './support/prepare.ts'
import { type Env, type Hard, pause, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  /** Requests that are meant once and sent one to five times. */
  readonly creates: number
  /** Requests without a key that want the same name. */
  readonly rivals: number
}

const atOnce = 24
const rivalsPerRound = 20

export const duplicates: Goal<Size> = {
  id: 'R15',
  says: 'concurrent duplicates, with and without Idempotency-Key (R15, R16): exactly one effect, the same bytes',
  short: { creates: 60, rivals: 60 },
  long: { creates: 10_000, rivals: 10_000 },
  forMutants: { creates: 200, rivals: 100 },
  run: async (tree, size) => {
    const chance = chanceFrom()
    const sqlite = await inFolder((folder) => tryOn(tree, { DATA_DIR: folder }, 1, size, chance))
    const postgres = await inFolder((folder) => onCluster(tree, folder, size, chance))
    return {
      figures: { seed: chance.seed, ...prefixed('sqlite', sqlite.figures), ...prefixed('postgres', postgres.figures) },
      faults: [...sqlite.faults, ...postgres.faults],
    }
  },
  mutants: [
    {
      says: 'the answer is kept after the commit, in a transaction of its own',
      file: 'src/model/core/transaction.ts',
      from: 'await caller.repeat?.claim(tx)',
      to: 'void tx',
    },
    {
      says: 'names are looked up and then taken without a constraint',
      file: 'src/model/people/users.ts',
      from: 'name: foldName(name), user_id',
      to: "name: foldName(name) + ' ' + user_id, user_id",
    },
  ],
}

/** Two processes on one server. */
async function onCluster(tree: string, folder: string, size: Size, chance: Chance) {
  const cluster = await makeCluster(folder)
  try {
    return await tryOn(tree, cluster.env, 2, size, chance)
  } finally {
    await cluster.stop()
  }
}

async function tryOn(tree: string, place: Env, processes: number, { creates, rivals }: Size, chance: Chance) {
  const env = { ...place, LOG_LEVEL: 'silent' }
  const partner = await makePartner(env, 'Acme')
  const services = await Promise.all(Array.from({ length: processes }, () => startHard(tree, { env })))
  const clients = services.map(({ url }) => clientOf(url, partner.authorization, atOnce))
  const faults: string[] = []
  try {
    const sent = await sendTwins(services, clients, partner, creates, chance, faults)
    const rounds = Math.ceil(rivals / rivalsPerRound)
    for (let round = 0; round < rounds; round += 1) faults.push(...(await race(clients, partner, round, chance)))
    faults.push(...(await countRows(clients[0] as Client, creates)))
    for (const service of services) if (service.hasGone) faults.push('the service went away')
    return { figures: { creates, requests: sent, rounds, rivals: rounds * rivalsPerRound }, faults }
  } finally {
    for (const client of clients) client.close()
    for (const service of services) await service.kill('SIGTERM')
  }
}

async function sendTwins(
  services: readonly Hard[],
  clients: readonly Client[],
  partner: Credentials,
  creates: number,
  chance: Chance,
  faults: string[],
) {
  let [serial, sent] = [0, 0]
  const one = async () => {
    while (serial < creates) {
      serial += 1
      const [name, times] = [`twin-${serial}`, 1 + chance.whole(5)]
      sent += times
      const twins = Array.from({ length: times }, () => twin(services, clients, partner, name, chance))
      const bodies = new Set((await Promise.all(twins)).map((answer) => `${answer.status} ${answer.body}`))
      if (bodies.size !== 1 || ![...bodies][0]?.startsWith('201'))
        faults.push(`${name} was answered in ${bodies.size} ways: ${[...bodies].join(' | ').slice(0, 500)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce / 4 }, one))
  return sent
}

/** Now and then the connection is cut before, during or after the request; the client then asks again under the same key, as it should. */
async function twin(
  services: readonly Hard[],
  clients: readonly Client[],
  partner: Credentials,
  name: string,
  chance: Chance,
): Promise<Answer> {
  const which = chance.whole(services.length)
  const body = `<business><name>${name}</name></business>`
  if (chance.next() < 0.3) await cutOff((services[which] as Hard).url, partner, name, body, chance)
  for (let tries = 0; ; tries += 1) {
    const answer = await (clients[which] as Client).ask('/api/businesses.xml', {
      method: 'POST',
      headers: { ...xml, 'idempotency-key': name },
      body,
    })
    const mayRetry = answer === null || [409, 429, 503].includes(answer.status)
    if (!mayRetry || tries > 50) return answer ?? { status: 0, headers: {}, body: Buffer.alloc(0), milliseconds: 0 }
    await pause(20)
  }
}

function cutOff(url: string, partner: Credentials, key: string, body: string, chance: Chance): Promise<void> {
  const head = ['POST /api/businesses.xml HTTP/1.1', 'Host: a', `Authorization: ${partner.authorization}`, 'Content-Type: application/xml']
  const bytes = Buffer.from([...head, `Idempotency-Key: ${key}`, `Content-Length: ${body.length}`, '', body].join('\r\n'))
  const [length, patience] = [chance.next() < 0.5 ? bytes.length : chance.whole(bytes.length), chance.whole(8)]
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes.subarray(0, length))
      setTimeout(() => socket.destroy(), patience)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

/** One email in many spellings: one is created, everyone else is told that it is taken. */
async function race(clients: readonly Client[], partner: Credentials, round: number, chance: Chance): Promise<string[]> {
  const spellings = [
    `rival${round}@race.example`,
    `RIVAL${round}@race.example`,
    ` rival${round}@Race.Example`,
    `\uff52ival${round}@race.example`,
  ]
  const answers = await Promise.all(
    Array.from({ length: rivalsPerRound }, (_, index) => {
      const user = { email: chance.pick(spellings), login: `rival-${round}-${index}`, password: 'secret99', account_id: partner.accountId }
      return patiently(() =>
        (clients[index % clients.length] as Client).ask('/api/users.json', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ user }),
        }),
      )
    }),
  )
  const won = answers.filter((answer) => answer?.status === 201).length
  const strange = answers.filter((answer) => answer?.status !== 201 && !(answer?.status === 422 && answer.body.includes('taken')))
  return [
    ...(won === 1 ? [] : [`round ${round}: ${won} of ${rivalsPerRound} got the same email`]),
    ...strange.slice(0, 2).map((answer) => `round ${round}: ${answer?.status} ${answer?.body}`),
  ]
}

async function patiently(ask: () => Promise<Answer | null>): Promise<Answer | null> {
  for (let tries = 0; tries < 50; tries += 1) {
    const answer = await ask()
    if (answer === null || ![429, 503].includes(answer.status)) return answer
    await pause(50)
  }
  return null
}

async function countRows(client: Client, expected: number): Promise<string[]> {
  const names: string[] = []
  for (let path: string | undefined = '/api/businesses.json'; path !== undefined; ) {
    const answer: Answer | null = await client.ask(path)
    names.push(...(JSON.parse(answer?.body.toString() ?? '{}') as { businesses: { name: string }[] }).businesses.map(({ name }) => name))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(answer?.headers.link ?? ''))?.[1]
    path = next === undefined ? undefined : new URL(next).pathname.replace(/(\.json)?$/, '.json') + new URL(next).search
  }
  return names.length === expected && new Set(names).size === expected
    ? []
    : [`${expected} were meant, ${names.length} businesses exist, ${new Set(names).size} of them different`]
}

function prefixed(prefix: string, figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}_${name}`, value]))
}
