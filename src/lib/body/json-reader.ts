/**
 * Reads a request written in JSON: strictly, within limits, and with the position of the first error. JSON.parse is not used because it silently drops the
 * first of two equal member names; here both are kept and refused.
 */

import { refuse } from '../failures.ts'
import { endOfSlice } from '../work/slices.ts'
import { decodeBody, leadIn, place } from './body-text.ts'
import { type BodyLimits, branch, foldFieldName, type Node, scalar } from './tree.ts'

export async function readJson(bytes: Uint8Array, limits: BodyLimits): Promise<Node> {
  return new JsonReader(decodeBody(bytes), limits).document()
}

/** So many values are read before the clock is read. */
const valuesAtOnce = 32

class JsonReader {
  readonly #text: string
  readonly #limits: BodyLimits
  #at: number
  #values = 0
  #depth = 0

  constructor(text: string, limits: BodyLimits) {
    this.#text = text
    this.#limits = limits
    this.#at = leadIn(text)
  }

  async document(): Promise<Node> {
    const node = await this.#value('')
    if (this.#next() !== '') this.#fail('nothing may follow the value')
    return node
  }

  /** Only a list or an object is a promise: most values are neither. */
  #value(name: string): Node | Promise<Node> {
    if (++this.#values > this.#limits.elements) this.#fail(`more than ${this.#limits.elements} values`)
    const first = this.#next()
    if (first === '{') return this.#branch(name, 'map', '}')
    if (first === '[') return this.#branch(name, 'list', ']')
    if (first === '"') return scalar(name, 'text', this.#string())
    return this.#word(name)
  }

  async #branch(name: string, kind: 'map' | 'list', end: '}' | ']'): Promise<Node> {
    if (++this.#depth > this.#limits.depth) this.#fail(`nested deeper than ${this.#limits.depth} levels`)
    this.#at++
    const children: Node[] = []
    while (this.#next() !== end) {
      if (children.length > 0) this.#take(',', `a comma or ${end} was expected`)
      const child = end === '}' ? this.#member() : this.#value('')
      children.push(child instanceof Promise ? await child : child)
      if (this.#values % valuesAtOnce === 0) await endOfSlice()
    }
    this.#at++
    this.#depth--
    return branch(name, kind, children)
  }

  #member(): Node | Promise<Node> {
    if (this.#next() !== '"') this.#fail('a name in double quotes was expected')
    const name = foldFieldName(this.#string())
    this.#take(':', 'a colon was expected')
    return this.#value(name)
  }

  #word(name: string): Node {
    const [word] = this.#match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? this.#fail('a value was expected')
    if (word === 'null') return scalar(name, 'null', '')
    return scalar(name, word === 'true' || word === 'false' ? 'boolean' : 'number', word)
  }

  #string(): string {
    this.#at++
    let read = ''
    for (;;) {
      read += this.#match(/[^"\\\0-\x1f]*/y)?.[0]
      if (this.#text[this.#at] === '"') break
      read += this.#escape()
    }
    this.#at++
    return read
  }

  #escape(): string {
    if (this.#at >= this.#text.length) this.#fail('a string has no end')
    if (this.#text[this.#at] !== '\\') this.#fail('a control character in a string')
    const found = this.#match(/\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/y) ?? this.#fail('an unknown escape in a string')
    const [, hex, letter] = found
    return hex === undefined ? (escapes[letter as string] as string) : String.fromCharCode(Number.parseInt(hex, 16))
  }

  /** Returns the next character that is not white space without consuming it; empty at the end. */
  #next(): string {
    this.#match(/[ \t\r\n]*/y)
    return this.#text.charAt(this.#at)
  }

  #take(character: string, expectation: string): void {
    if (this.#next() !== character) this.#fail(expectation)
    this.#at++
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#text)
    this.#at += found?.[0].length ?? 0
    return found
  }

  #fail(reason: string): never {
    return refuse('malformed_body', `The JSON is not well-formed: ${reason} (${place(this.#text, this.#at)}).`)
  }
}

const escapes: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
