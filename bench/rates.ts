/** How many small answers a second, beside servers that send the same bytes and know nothing. */
import { execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import type { Ask } from './client.ts'
import { openBench } from './cold-reports.ts'
import type { Desk } from './desk.ts'
import { compare, type Line, line, missing } from './measure.ts'
import { addUserWithAbilities } from './world.ts'

const rounds = 5
const usualSeconds = 3

export async function rates(): Promise<Line[]> {
  if (!hasWrk()) return [missing('rates', 'bare node:http', 'wrk is not installed', '')]
  const { desk, accountId } = await openBench()
  try {
    return [...(await ofReports(desk)), ...(await ofAbilities(desk, accountId)), ...(await ofLists(desk, accountId))]
  } finally {
    await desk.close()
  }
}

async function ofReports(desk: Desk): Promise<Line[]> {
  const ask = desk.ask('/api/seo_report.xml', { 'accept-encoding': 'identity' })
  const first = await fetch(ask.url, { headers: ask.headers })
  const body = Buffer.from(await first.arrayBuffer())
  const known = { ...ask, headers: { ...ask.headers, 'if-none-match': first.headers.get('etag') ?? '' } }
  const [whole, unchanged] = [
    await startBare('http', { status: 200, headers: {}, body }),
    await startBare('http', { status: 304, headers: {}, body: Buffer.alloc(0) }),
  ]
  const taken = await compare(
    {
      warm: () => rate(ask, 4),
      bareWarm: () => rate({ url: whole.url, headers: {} }, 4),
      same: () => rate(known, 32),
      bareSame: () => rate({ url: unchanged.url, headers: known.headers }, 32),
    },
    rounds,
    1,
  )
  for (const bare of [whole, unchanged]) bare.stop()
  return [
    line({
      work: 'warm report of 13 MB',
      unit: 'requests/s',
      ours: taken.warm,
      against: 'bare node:http, the same buffer',
      theirs: taken.bareWarm,
      goal: '>= 0.95',
    }),
    line({
      work: '304',
      unit: 'requests/s',
      ours: taken.same,
      against: 'bare node:http, an empty 304',
      theirs: taken.bareSame,
      goal: '>= 0.55',
    }),
  ]
}

async function ofAbilities(desk: Desk, accountId: number): Promise<Line[]> {
  const ask = desk.ask(`/api/users/${await addUserWithAbilities(desk.operator, accountId)}/abilities.json`)
  const answer = await fetch(ask.url, { headers: ask.headers })
  const same = { status: answer.status, headers: sentHeaders(answer), body: Buffer.from(await answer.arrayBuffer()) }
  const [http, fastify] = [await startBare('http', same), await startBare('fastify', same)]
  const taken = await compare(
    {
      ours: () => rate(ask, 32),
      beside: () => besideWrites(desk, accountId, () => rate(ask, 32)),
      http: () => rate({ url: http.url, headers: ask.headers }, 32),
      fastify: () => rate({ url: fastify.url, headers: ask.headers }, 32),
    },
    rounds,
    1,
  )
  for (const bare of [http, fastify]) bare.stop()
  const named = { work: 'GET abilities.json, 20 abilities', unit: 'requests/s', ours: taken.ours } as const
  const beside = { ...named, work: 'the same, while another process commits 100 times a second', ours: taken.beside } as const
  return [
    line({ ...named, against: 'bare node:http, the same bytes', theirs: taken.http, goal: '>= 0.50' }),
    line({ ...named, against: 'bare Fastify, the same bytes', theirs: taken.fastify, goal: '>= 0.62' }),
    line({ ...beside, against: 'bare node:http, the same bytes', theirs: taken.http, goal: '' }),
  ]
}

/** A short list beside the read that partners ask for most: it may take three times as long. */
async function ofLists(desk: Desk, accountId: number): Promise<Line[]> {
  const userId = await addUserWithAbilities(desk.operator, accountId, 'lister')
  for (let index = 0; index < 8; index += 1) await addUserWithAbilities(desk.operator, accountId, `listed-${index}`)
  const [list, abilities] = [desk.ask('/api/users.json'), desk.ask(`/api/users/${userId}/abilities.json`)]
  const taken = await compare({ list: () => rate(list, 32), abilities: () => rate(abilities, 32) }, rounds, 1)
  const work = 'GET users.json, 10 users'
  return [line({ work, unit: 'requests/s', ours: taken.list, against: 'GET abilities.json', theirs: taken.abilities, goal: '>= 0.33' })]
}

/** All but what Node itself adds. */
function sentHeaders({ headers }: Response): Record<string, string> {
  const own = new Set(['date', 'connection', 'keep-alive', 'content-length'])
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)))
}

/** Whatever was read must be read anew all the time. */
async function besideWrites<T>(desk: Desk, accountId: number, work: () => Promise<T>): Promise<T> {
  let isOver = false
  const writing = (async () => {
    for (; !isOver; await sleep(10)) await desk.touch(accountId)
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await writing
  }
}

export function hasWrk(): boolean {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Requests a second, one at a time on each connection. */
export async function rate({ url, headers }: Ask, connections: number, seconds = usualSeconds): Promise<number> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout: printed } = await promisify(execFile)('wrk', ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, ...named, url])
  if (/Non-2xx/.test(printed) && !('if-none-match' in headers)) throw new Error(printed)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
}

interface Bare {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

async function startBare(kind: 'http' | 'fastify', { body, ...head }: Bare): Promise<{ url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), [kind])
  child.send({ ...head, body: body.toString('base64') })
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}/`, stop: () => void child.kill() }
}

const [kind] = process.argv.slice(2)
if ((kind === 'http' || kind === 'fastify') && process.send) {
  const tell = process.send.bind(process)
  process.once('message', async ({ body, ...head }: Omit<Bare, 'body'> & { body: string }) =>
    tell(await (kind === 'http' ? bareHttp : bareFastify)({ ...head, body: Buffer.from(body, 'base64') })),
  )
}

function bareHttp({ status, headers, body }: Bare): Promise<number> {
  const head = status === 304 ? headers : { ...headers, 'content-length': body.length }
  const server = createServer((_request, response) => {
    response.writeHead(status, head)
    response.end(body)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}

async function bareFastify({ status, headers, body }: Bare): Promise<number> {
  const server = Fastify()
  server.get('/', (_request, reply) => reply.code(status).headers(headers).send(body))
  await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as { port: number }).port
}
