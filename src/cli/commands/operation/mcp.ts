/** `marquee mcp`: connects an agent that uses standard input and output with the tools of a service, by forwarding each message to its `/mcp`. */

import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type CommandInput, type Output, UsageError } from '../../command.ts'

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> }
  readonly result?: { readonly protocolVersion?: unknown }
}

/** Ends when the agent closes our standard input; requests sent until then are still answered. */
export async function mcp(given: CommandInput): Promise<Output> {
  const bridge = new Bridge(addressOf(given.word), await credentialsIn(given.text('credentials') ?? ''))
  const underWay = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const carried = bridge.carry(line).then((answers) => answers.forEach(print))
    underWay.add(carried)
    void carried.finally(() => underWay.delete(carried))
  }
  await Promise.all(underWay)
  return {}
}

function addressOf(url: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError('Give the address of the service, such as https://marquee.example')
  return `${url.replace(/\/+$/, '')}/mcp`
}

async function credentialsIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`)
  })
  if (!/^[^:\s]+:\S+$/.test(text.trim())) throw new UsageError(`The file ${file} must hold KEY:PASSWORD and nothing else.`)
  return text.trim()
}

function print(message: string): void {
  process.stdout.write(`${message}\n`)
}

class Bridge {
  readonly #address: string
  readonly #authorization: string
  /** The negotiated protocol version; later messages of the older protocol are sent with it. */
  #version: string | undefined

  constructor(address: string, credentials: string) {
    this.#address = address
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  }

  /** The lines that answer a message; none for a notification. */
  async carry(line: string): Promise<string[]> {
    const message = parsed(line)
    if (message === null) return [errorLine(null, -32_700, 'This is not JSON.')]
    try {
      const answer = await fetch(this.#address, { method: 'POST', headers: this.#headersOf(message), body: line, redirect: 'error' })
      return this.#linesOf(message, answer.status, answer.headers.get('content-type') ?? '', await answer.text())
    } catch {
      return message.id === undefined ? [] : [errorLine(message.id, -32_000, `The service at ${this.#address} cannot be reached.`)]
    }
  }

  #headersOf({ method, params }: Message): Record<string, string> {
    const stated = params?._meta?.['io.modelcontextprotocol/protocolVersion']
    const version = typeof stated === 'string' ? stated : this.#version
    return {
      authorization: this.#authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...(method !== undefined && { 'mcp-method': method }),
      ...(/^[\w./-]+$/.test(String(params?.name ?? '')) && { 'mcp-name': String(params?.name) }),
    }
  }

  #linesOf({ id, method }: Message, status: number, type: string, body: string): string[] {
    const answers = type.startsWith('text/event-stream') ? eventsIn(body) : body === '' ? [] : [body]
    const messages = answers.map((text) => JSON.stringify(JSON.parse(text)))
    if (method === 'initialize') this.#version = versionIn(messages)
    if (status < 400 || messages.some((text) => text.includes('"jsonrpc"'))) return messages
    return id === undefined ? [] : [errorLine(id, -32_000, `${status} ${sentenceIn(body)}`)]
  }
}

function eventsIn(body: string): string[] {
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data).filter((data) => data !== '')
}

function versionIn([first = '{}']: readonly string[]): string | undefined {
  const version = parsed(first)?.result?.protocolVersion
  return typeof version === 'string' ? version : undefined
}

function sentenceIn(body: string): string {
  const problem = parsed(body) as { title?: string; details?: { message?: string }[] } | null
  return problem?.details?.[0]?.message ?? problem?.title ?? 'The service refused this.'
}

function parsed(text: string): Message | null {
  try {
    return JSON.parse(text) as Message
  } catch {
    return null
  }
}

function errorLine(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}
