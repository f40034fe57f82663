/** Cuts the items of a JSON array out of a byte stream without parsing them, so that each item can be parsed and refused on its own. */

import { refuse } from '../failures.ts'

/** One item of the array; null if the item is too long. */
export type JsonItem = Buffer | null

const quote = 34
const comma = 44
const backslash = 92
const openingBracket = 91
const closingBracket = 93
const openingBrace = 123
const closingBrace = 125
const blanks = new Set([9, 10, 13, 32])
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Returns each item as soon as its last byte has arrived and refuses input that is not an array. It does not check that an item is valid JSON. */
export class JsonItemReader {
  readonly #maxItemBytes: number
  readonly #isWithin: boolean
  #state: 'before' | 'inside' | 'after' = 'before'
  #depth = 0
  #isInString = false
  #isEscaped = false
  #hasItems = false
  /** The bytes of an unfinished item that came in earlier chunks. */
  #begun: Buffer[] = []
  #begunBytes = 0

  /** `isWithin`: whether the array stands in an object, whose rest is not looked at. */
  constructor(maxItemBytes: number, isWithin = false) {
    this.#maxItemBytes = maxItemBytes
    this.#isWithin = isWithin
  }

  *items(chunk: Buffer): Generator<JsonItem> {
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (this.#isInString) this.#inString(byte)
      else if (this.#state !== 'inside') start = this.#outside(byte) ? at + 1 : start
      else if (byte === quote) this.#isInString = true
      else if (byte === openingBracket || byte === openingBrace) this.#depth += 1
      else if (this.#isEnd(byte)) {
        const item = this.#ended(chunk.subarray(start, at))
        if (byte === comma || this.#hasItems || !isBlank(item)) yield item
        this.#hasItems = true
        start = at + 1
        if (byte === closingBracket) this.#state = 'after'
      } else if (byte === closingBracket || byte === closingBrace) this.#close()
    }
    if (this.#state === 'inside') this.#keep(chunk.subarray(start))
  }

  /** Refuses the input unless the array has been closed. */
  end(): void {
    if (this.#state !== 'after') notAnArray()
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#isInString = false
  }

  /** Whether the byte opens the array; anything else outside the array but white space is refused. */
  #outside(byte: number): boolean {
    const isOpening = this.#state === 'before' && byte === openingBracket
    if (isOpening) this.#state = 'inside'
    else if (this.#state === 'after' && this.#isWithin) return false
    else if (!blanks.has(byte) && !(this.#state === 'before' && byteOrderMark.includes(byte))) notAnArray()
    return isOpening
  }

  #isEnd(byte: number): boolean {
    return this.#depth === 0 && (byte === comma || byte === closingBracket)
  }

  #close(): void {
    this.#depth -= 1
    if (this.#depth < 0) notAnArray()
  }

  #keep(bytes: Buffer): void {
    this.#begunBytes += bytes.length
    if (this.#begunBytes > this.#maxItemBytes) this.#begun = []
    else this.#begun.push(Buffer.from(bytes))
  }

  #ended(bytes: Buffer): JsonItem {
    const length = this.#begunBytes + bytes.length
    const item = length > this.#maxItemBytes ? null : this.#begun.length === 0 ? bytes : Buffer.concat([...this.#begun, bytes])
    this.#begun = []
    this.#begunBytes = 0
    return item
  }
}

function isBlank(item: JsonItem): boolean {
  return item?.every((byte) => blanks.has(byte)) ?? false
}

function notAnArray(): never {
  return refuse('malformed_body', 'The body is not a JSON array')
}
