/** `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions, for agents that have a partner's key. */

import type { IncomingMessage } from 'node:http'
import { ownVersion } from '../../config.ts'
import { readBody } from '../../http/body.ts'
import { allowTime } from '../../http/concurrency-limits.ts'
import type { Exchange } from '../../http/exchange.ts'
import { send } from '../../http/send.ts'
import type { Door } from '../../http/server.ts'
import { refuse } from '../../lib/failures.ts'
import { workBudget } from '../../lib/work/budget.ts'
import { limitConcurrency } from '../../lib/work/concurrency.ts'
import type { App } from '../../model/core/app.ts'
import type { PartnerCaller } from '../../model/core/caller.ts'
import { authenticate, refuseWithoutPassword } from '../../model/partners/authenticate.ts'
import { refuseCrossSite } from '../cross-site.ts'
import type { AdmissionLimits } from '../dispatch.ts'
import { asFailure, problemBody } from '../problems.ts'
import { callTool, type ToolCaller } from './call-tool.ts'
import { listDocuments, readDocument } from './documents.ts'
import { insideOf } from './in-process.ts'
import { listPrompts, promptText } from './prompts.ts'
import { toolList } from './tools.ts'

const maxMessageBytes = 1 << 18
const maxAnswerBytes = 1 << 18
/** Of the message, its parameters and its arguments; records in them may have more. */
const maxMembers = 1000

export interface McpDoorOptions {
  readonly app: App
  /** The door of the API, to which tool calls are passed. */
  readonly api: Door
  readonly rates: AdmissionLimits['rates']
  readonly observe: (exchange: Exchange) => void
}

export function mcpDoor({ app, api, rates, observe }: McpDoorOptions): Door {
  const ask = insideOf(api, maxAnswerBytes, observe)
  const { places, queue, patienceSeconds, share } = workBudget.tool
  const ranks = { tool: { inside: places, waiting: queue, patienceSeconds, share } }
  const limit = limitConcurrency<'tool'>({ inside: places, insidePerParty: share, ranks })
  return {
    takes: ({ url = '' }) => /^\/mcp(?:$|\?)/.test(url),
    async answer(exchange) {
      exchange.route = '/mcp'
      try {
        const caller = await admit(app, rates, exchange)
        const leave = await limit.enter('tool', String(caller.partnerId), exchange.response)
        try {
          allowTime(exchange, 'tool')
          await serve({ caller, exchange, ask })
        } finally {
          leave()
        }
      } catch (error) {
        sendProblem(app, error, exchange)
      }
    },
  }
}

/** Checks in the order of the API: 405, 401, 403, 429. Each message counts as a read; calls of the API are counted there. */
async function admit(app: App, rates: AdmissionLimits['rates'], exchange: Exchange): Promise<PartnerCaller> {
  const { request } = exchange
  if (request.method !== 'POST') refuse('method_not_allowed', undefined, { allow: 'POST' })
  const caller = await authenticate(app, request.headers.authorization, exchange.id)
  exchange.partner_id = caller.partnerId
  exchange.key = caller.keyName
  if (!caller.hasPassword) await refuseWithoutPassword(caller)
  refuseCrossSite(request.headers, (origin) => origin === new URL(app.settings.baseUrl).origin)
  const rate = await rates.take(caller.partnerId, 'reads', caller.limits.readsPerMinute)
  exchange.headers = { ...exchange.headers, ...rate.headers }
  if (!rate.isWithin) refuse('too_many_requests', undefined, rate.wait)
  return caller
}

/** The official library implements the protocol; it is loaded when the first agent connects, because few services need it. */
async function serve(by: ToolCaller): Promise<void> {
  const body = await readBody(by.exchange.request, maxMessageBytes)
  const message = messageIn(body)
  const fault = faultIn(message)
  if (fault !== undefined) return refuseMessage(by.exchange, message, fault)
  const { createMcpHandler, ProtocolError, Server } = await import('@modelcontextprotocol/server')
  const refuseParameters = (sentence: string): never => {
    throw new ProtocolError(invalidParameters, sentence)
  }
  let isListed = false
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: 'marquee', version: ownVersion() }, { capabilities, instructions })
      server.setRequestHandler('tools/list', () => {
        isListed = true
        return { tools: [] }
      })
      server.setRequestHandler('tools/call', ({ params }) => callTool(by, params.name, params.arguments))
      server.setRequestHandler('resources/list', () => ({ resources: listDocuments() }))
      server.setRequestHandler('resources/read', async ({ params }) => {
        const found = await readDocument(params.uri, by.caller.app.settings.baseUrl)
        return { contents: [found ?? refuseParameters(`There is no resource ${params.uri.slice(0, 100)}`)] }
      })
      server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts() }))
      server.setRequestHandler('prompts/get', ({ params }) => {
        const asked = promptText(params.name, params.arguments)
        const text = 'fault' in asked ? refuseParameters(asked.fault) : asked.text
        return { messages: [{ role: 'user', content: { type: 'text', text } }] }
      })
      return server
    },
    { maxSubscriptions: 0, keepAliveMs: 0 },
  )
  const answer = await handler.fetch(webRequest(by.exchange.request, body), { parsedBody: message })
  const headers = { 'content-type': answer.headers.get('content-type') ?? 'application/json', 'cache-control': 'no-store' }
  const bytes = Buffer.from(await answer.arrayBuffer())
  send(
    by.exchange,
    answer.status,
    headers,
    isListed ? withTools(bytes, toolList(by.caller.scopes, asksForAll(by.exchange.request.url))) : bytes,
  )
}

const capabilities = { tools: {}, resources: {}, prompts: {} }
/** As JSON-RPC numbers it. */
const invalidParameters = -32602

/** `/mcp?tools=all`: without it, the tools of the usual tasks are listed. */
function asksForAll(url = ''): boolean {
  return new URLSearchParams(url.split('?')[1]).get('tools') === 'all'
}

const noTools = '"tools":[]'

/** The library would check and write all tools again each time, so it is given none, and they are put in afterwards. */
function withTools(answer: Buffer, tools: Buffer): Buffer {
  const end = answer.indexOf(noTools) + noTools.length
  return Buffer.concat([answer.subarray(0, end - 2), tools, answer.subarray(end)])
}

/** Undefined if it is not JSON. */
function messageIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

interface MessageFault {
  readonly code: number
  readonly message: string
}

/** Why the library does not get the message. It checks each member of these objects, which held the loop for 100 ms when there were very many. */
function faultIn(message: unknown): MessageFault | undefined {
  if (message === undefined) return { code: -32700, message: 'Parse error: the message is not JSON' }
  // The protocol dropped them in 2025-06-18, and each message is to count as a request.
  if (Array.isArray(message)) return invalidRequest('a batch is not taken; send each message in a request of its own')
  const params = partOf(message, 'params')
  const checked = [message, params, partOf(params, 'arguments'), partOf(params, '_meta')]
  const hasMany = checked.some((one) => isObject(one) && Object.keys(one).length > maxMembers)
  return hasMany ? invalidRequest(`an object has more than ${maxMembers} members`) : undefined
}

function invalidRequest(reason: string): MessageFault {
  return { code: -32600, message: `Invalid Request: ${reason}` }
}

function partOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function refuseMessage(exchange: Exchange, message: unknown, error: MessageFault): void {
  exchange.code = 'malformed_body'
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  const id = partOf(message, 'id')
  const told = { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null, error }
  send(exchange, 400, headers, Buffer.from(JSON.stringify(told)))
}

const instructions =
  'Users, abilities, businesses, sites and reports of one partner. Ids come from the list tools. How a site is doing: showSiteSummary. Why somebody sees nothing: showEffectiveAccess. Every write is tried out with dry_run first. Answers are the JSON of the API; a refusal has a stable code. Further tools are called by the names that the address lists with ?tools=all; the resources explain errors and imports.'

const protocolHeaders = /^(?:accept|content-type|mcp-.+)$/

function webRequest({ headers, method = '' }: IncomingMessage, body: Buffer): Request {
  const own = Object.entries(headers).filter(([name]) => protocolHeaders.test(name))
  return new Request('http://inside/mcp', {
    method,
    headers: own.map(([name, value]) => [name, String(value)]),
    body: new Uint8Array(body),
  })
}

function sendProblem(app: App, error: unknown, exchange: Exchange): void {
  const failure = asFailure(error)
  exchange.code = failure.code
  if (failure.code === 'internal') exchange.log.error({ err: error, request_id: exchange.id, route: '/mcp' }, 'a request failed')
  const { authorization } = exchange.request.headers
  const asked = { format: 'json', root: '', requestId: exchange.id, baseUrl: app.settings.baseUrl, authorization } as const
  const { status, contentType, headers, body } = problemBody(failure, asked)
  send(exchange, status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers }, body)
}
