/** Sends requests like a partner, and caches the answers of reads, so that many rules can check one answer. */

import { SaxesParser } from 'saxes'

export interface Probed {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface ProbeRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Replaces the partner's credentials; null sends none. */
  readonly credentials?: string | null
}

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

export interface ProbeOptions {
  readonly accountId?: number | undefined
  readonly startDate?: string | null
}

const timeoutSeconds = 60

export class Probe {
  readonly #url: string
  readonly key: string
  readonly password: string
  /** The account in which rules that write create their records. */
  readonly accountId: number
  /** Reports are asked for from this day on; null for their whole history. */
  readonly startDate: string | null
  readonly #answers = new Map<string, Promise<Probed>>()

  constructor(url: string, key: string, password: string, { accountId = 0, startDate = null }: ProbeOptions = {}) {
    this.#url = url.replace(/\/+$/, '')
    this.key = key
    this.password = password
    this.accountId = accountId
    this.startDate = startDate
  }

  /** A report, from the first day that is looked at. */
  report(path: string, request: ProbeRequest = {}): Promise<Probed> {
    return this.read(this.startDate === null ? path : `${path}?start_date=${this.startDate}`, request)
  }

  /** A repeated read is answered from the cache. */
  read(path: string, request: ProbeRequest = {}): Promise<Probed> {
    const known = `${path} ${JSON.stringify(request)}`
    const answer = this.#answers.get(known) ?? this.ask(path, request)
    this.#answers.set(known, answer)
    return answer
  }

  async ask(path: string, { method = 'GET', headers = {}, body, credentials }: ProbeRequest = {}): Promise<Probed> {
    const given = credentials === undefined ? `${this.key}:${this.password}` : credentials
    const authorization = given === null ? {} : { authorization: `Basic ${btoa(given)}` }
    const send = () =>
      fetch(this.#url + path, {
        method,
        headers: { ...authorization, ...headers },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      })
    // The server may have closed the connection while a large report was parsed. Only a read is sent again.
    const response = await (method === 'GET' ? send().catch(send) : send())
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

/** The root of a well-formed document; anything else throws. The last large one is kept, because many rules look at it. */
export function parseAnswer(text: string): Element {
  if (last?.text === text) return last.root
  const root = parsed(text)
  if (text.length > 100_000) last = { text, root }
  return root
}

let last: { readonly text: string; readonly root: Element } | undefined

function parsed(text: string): Element {
  const parser = new SaxesParser({ xmlns: true })
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  parser.on('opentag', ({ name, attributes }) => {
    const plain = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]))
    const element: Element = { name, attributes: plain, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (piece) => {
    const here = open.at(-1)
    if (here !== undefined) here.text += piece
  })
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  return root.children[0] ?? root
}

export function elementsNamed(root: Element, name: string): Element[] {
  return root.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsNamed(child, name)])
}
