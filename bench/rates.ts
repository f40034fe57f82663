/** How many small answers a second, beside servers that send the same bytes and know nothing. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { draftOf } from '../src/fields/read.ts'
import { updateAbilities } from '../src/model/abilities.ts'
import { createBusiness } from '../src/model/businesses.ts'
import { createUser } from '../src/model/users.ts'
import { newBusiness } from '../src/resources/business.ts'
import { newUser } from '../src/resources/user.ts'
import type { Ask } from './client.ts'
import { openBench } from './cold-reports.ts'
import type { Desk } from './desk.ts'
import { compare, type Line, line, missing } from './measure.ts'

const rounds = 5
const seconds = 3

export async function rates(): Promise<Line[]> {
  if (!hasWrk()) return [missing('rates', 'bare node:http', 'wrk is not installed', '')]
  const { desk, accountId } = await openBench()
  try {
    return [...(await ofReports(desk)), ...(await ofAbilities(desk, accountId))]
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
    await startBare('http', { status: 200, body }),
    await startBare('http', { status: 304, body: Buffer.alloc(0) }),
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
  const ask = desk.ask(`/api/users/${await userWithAbilities(desk, accountId)}/abilities.json`)
  const body = Buffer.from(await (await fetch(ask.url, { headers: ask.headers })).arrayBuffer())
  const [http, fastify] = [await startBare('http', { status: 200, body }), await startBare('fastify', { status: 200, body })]
  const taken = await compare(
    {
      ours: () => rate(ask, 32),
      http: () => rate({ url: http.url, headers: ask.headers }, 32),
      fastify: () => rate({ url: fastify.url, headers: ask.headers }, 32),
    },
    rounds,
    1,
  )
  for (const bare of [http, fastify]) bare.stop()
  const named = { work: 'GET abilities.json, 20 abilities', unit: 'requests/s', ours: taken.ours } as const
  return [
    line({ ...named, against: 'bare node:http, the same bytes', theirs: taken.http, goal: '>= 0.50' }),
    line({ ...named, against: 'bare Fastify, the same bytes', theirs: taken.fastify, goal: '>= 0.62' }),
  ]
}

async function userWithAbilities({ operator }: Desk, account_id: number): Promise<number> {
  const user = await createUser(
    operator,
    draftOf(newUser, { email: 'dana@example.com', login: 'dana-bench', password: 'correct horse', account_id }),
  )
  const businesses = []
  for (let index = 0; index < 20; index++)
    businesses.push(await createBusiness(operator, draftOf(newBusiness, { name: `Business ${index}`, account_id })))
  const entries = businesses.map(({ id }) => ({ key: 'show', scope_type: 'Business', scope_id: id }) as const)
  await updateAbilities(operator, user.id, { entries, faults: [] }, 'replace')
  return user.id
}

function hasWrk(): boolean {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Requests a second, one at a time on each connection. */
function rate({ url, headers }: Ask, connections: number): number {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const printed = execFileSync('wrk', ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, ...named, url], { encoding: 'utf8' })
  if (/Non-2xx/.test(printed) && !('if-none-match' in headers)) throw new Error(printed)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
}

interface Bare {
  readonly status: number
  readonly body: Buffer
}

async function startBare(kind: 'http' | 'fastify', { status, body }: Bare): Promise<{ url: string; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), [kind])
  child.send({ status, body: body.toString('base64') })
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}/`, stop: () => void child.kill() }
}

const [kind] = process.argv.slice(2)
if ((kind === 'http' || kind === 'fastify') && process.send) {
  const tell = process.send.bind(process)
  process.once('message', async ({ status, body }: { status: number; body: string }) =>
    tell(await (kind === 'http' ? bareHttp : bareFastify)(status, Buffer.from(body, 'base64'))),
  )
}

const type = { 'content-type': 'application/json; charset=utf-8' }

function bareHttp(status: number, body: Buffer): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(status, status === 304 ? {} : { ...type, 'content-length': body.length })
    response.end(body)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}

async function bareFastify(status: number, body: Buffer): Promise<number> {
  const server = Fastify()
  server.get('/', (_request, reply) => reply.code(status).headers(type).send(body))
  await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as { port: number }).port
}
