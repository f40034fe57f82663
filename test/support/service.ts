/** The real service on a free port, and partners made through the model who talk to it over HTTP. */
import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { after, before } from 'node:test'
import { Marquee } from '../../src/client/client.ts'
import { readSettings } from '../../src/config.ts'
import { type Log, openLog } from '../../src/lib/log.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { createPartner, setPartner } from '../../src/model/partners/partners.ts'
import { type Service, startService } from '../../src/service.ts'
import { startSiblings } from '../hard/ha/siblings.ts'
import { checkDocumented } from './documented.ts'
import type { Place } from './engines.ts'
import { libxml2Loaded } from './libxml2.ts'
import { xmlFault } from './xml.ts'

/** Clients are told this address; it does not change from run to run as the port does. */
export const baseUrl = 'http://marquee.test'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  json(): unknown
}

export interface Question {
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  /** The Content-Type of the body. */
  readonly type?: string
  /** In place of the client's own; null sends none. */
  readonly credentials?: string | null
  /** Whether ill-formed XML may come back: only names=legacy may ask for that. */
  readonly mayBeIllFormed?: boolean
}

/** Someone who talks to the service: nothing is sent but what is said here. */
export interface Client {
  ask(method: string, path: string, question?: Question): Promise<Reply>
  get(path: string, question?: Question): Promise<Reply>
  post(path: string, body?: string | Uint8Array | object, question?: Question): Promise<Reply>
  put(path: string, body?: string | Uint8Array | object, question?: Question): Promise<Reply>
}

export interface TestPartner extends Client {
  readonly id: number
  readonly accountId: number
  readonly key: string
  readonly password: string
  readonly credentials: string
  /** The TypeScript client, with the partner's own key. */
  readonly client: Marquee
}

export interface TestService extends Service {
  readonly operator: OperatorCaller
  /** Without credentials. */
  readonly stranger: Client
  /** The TypeScript client with another key. */
  client(key: { readonly key: string; readonly password: string }): Marquee
  /** Without a limit on its requests. */
  partner(name: string): Promise<TestPartner>
}

/** Started before the first test of the block and stopped after the last; filled in by then, like its place. */
export function serviceOn(place: Place, env: Readonly<Record<string, string>> = {}): TestService {
  const service = {} as TestService
  before(async () => {
    Object.assign(service, await startTestService(place, env))
  })
  after(() => service.stop?.())
  return service
}

export async function startTestService(place: Place, env: Readonly<Record<string, string>> = {}, log?: Log): Promise<TestService> {
  await libxml2Loaded
  const given = { PORT: '0', BASE_URL: baseUrl, MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error', ...place.env, ...env }
  const settings = readSettings(given)
  const alone = await startService(settings, log ?? openLog(settings.logLevel))
  const siblings = mayHaveSiblings(place, log) ? await startSiblings(alone.url, given) : null
  const service = { ...alone, url: siblings?.url ?? alone.url }
  const operator: OperatorCaller = { kind: 'operator', app: service.app, requestId: 'test' }
  const agent = new Agent({ keepAlive: true })
  const asker = (credentials: string | null) => clientOf(service.url, agent, credentials)
  const client: TestService['client'] = ({ key, password }) => new Marquee({ url: service.url, key, password, fetch: fetchDocumented })
  return {
    ...service,
    operator,
    stranger: asker(null),
    client,
    async partner(name) {
      const { partner, account, key, password } = await createPartner(operator, name)
      await setPartner(operator, partner.id, { reads_per_minute: 0, writes_per_minute: 0 })
      const credentials = `${key}:${password}`
      return { id: partner.id, accountId: account.id, key, password, credentials, client: client({ key, password }), ...asker(credentials) }
    },
    async stop() {
      agent.destroy()
      await siblings?.stop()
      await alone.stop()
    },
  }
}

/** For tests that look into the memory of the process that answers them. */
export const ofOneProcess = { skip: process.env.TEST_SIBLINGS !== undefined }

/** A test that reads the log of its service has one process. */
function mayHaveSiblings({ engine }: Place, log: Log | undefined): boolean {
  return process.env.TEST_SIBLINGS !== undefined && engine === 'postgres' && log === undefined
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

export function clientOf(url: string, agent: Agent, own: string | null): Client {
  const ask: Client['ask'] = async (method, path, { headers = {}, body, type, credentials = own, mayBeIllFormed = false } = {}) => {
    const reply = await send(url, agent, method, path, body, {
      ...(credentials !== null && { authorization: basic(credentials) }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    })
    checkDocumented(method, path, reply.status)
    if (!mayBeIllFormed) checkXml(method, path, reply)
    return reply
  }
  const withBody = (method: string): Client['post'] => {
    return (path, body, question) => ask(method, path, { ...readable(body), ...question })
  }
  return { ask, get: (path, question) => ask('GET', path, question), post: withBody('POST'), put: withBody('PUT') }
}

/** The TypeScript client, too, is answered only with what the documentation tells of. */
const fetchDocumented: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  checkDocumented(init?.method ?? 'GET', new URL(String(input)).pathname, response.status)
  return response
}

/** Every XML body that any test gets to see is also read by libxml2. */
function checkXml(method: string, path: string, { headers, text }: Reply): void {
  if (!headers['content-type']?.startsWith('application/xml') || text === '' || headers['content-encoding'] !== undefined) return
  assert.equal(xmlFault(text), null, `${method} ${path} answered XML that libxml2 refuses:\n${text}`)
}

/** An object is sent as JSON, text as XML. */
function readable(body: string | Uint8Array | object | undefined): Question {
  if (body === undefined) return {}
  const isBytes = typeof body === 'string' || body instanceof Uint8Array
  return isBytes ? { body, type: 'application/xml' } : { body: JSON.stringify(body), type: 'application/json' }
}

/** By node:http and not by fetch, which adds headers of its own and refuses to send some. */
function send(
  url: string,
  agent: Agent,
  method: string,
  path: string,
  body: string | Uint8Array | undefined,
  headers: OutgoingHttpHeaders,
): Promise<Reply> {
  const { hostname, port } = new URL(url)
  const length = body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) })
      })
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server ends an idle connection, and a busy machine may use it at that very moment; nobody has read the request then.
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) resolve(send(url, agent, method, path, body, headers))
      else reject(error)
    })
    sent.end(body)
  })
}
