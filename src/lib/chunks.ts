/** Pages: text and bytes gathered into pieces of one size, large enough that handing one on costs nothing beside filling it. */

/** Each page that is handed on wakes who sends it, at the cost of who makes it: half as large they took a tenth more processor time in all, twice as large they took too much memory. */
export const pageBytes = 512 << 10
const maxKept = 16

/** Pages that come one after another from elsewhere. */
export interface PageSource {
  /** Null after the last one; rejects when there will be no whole. */
  next(): Promise<Uint8Array | null>
  /** Every page must be answered for once: given back to be filled again, or null when it is kept. */
  taken(page: Uint8Array | null): void
  /** Nobody wants the rest. May be said at any time, and more than once. */
  stop(): void
}

/** Frees a page at once; memory outside the heap is otherwise looked through late, and much of it piles up. */
export function discard(page: Uint8Array): void {
  if (page.buffer instanceof ArrayBuffer) page.buffer.transfer(0)
}

/** Buffers that are filled again and again: a new one is zeroed, and brings the collector to work. */
export class PageStock {
  readonly #kept: ArrayBuffer[] = []

  take(): ArrayBuffer {
    return this.#kept.pop() ?? new ArrayBuffer(pageBytes)
  }

  giveBack(buffer: ArrayBuffer): void {
    if (this.#kept.length < maxKept) this.#kept.push(buffer)
    else discard(new Uint8Array(buffer))
  }
}

const encoder = new TextEncoder()

export class Pages {
  readonly #emit: (page: Uint8Array) => void
  readonly #stock: PageStock
  #page: Uint8Array | null = null
  #length = 0

  constructor(emit: (page: Uint8Array) => void, stock: PageStock) {
    this.#emit = emit
    this.#stock = stock
  }

  addText(text: string): void {
    for (let rest = text; rest !== ''; ) {
      const { read, written } = encoder.encodeInto(rest, this.#room())
      this.#length += written
      if (read === rest.length) return
      rest = rest.slice(read)
      this.turn()
    }
  }

  /** The page with room for so many bytes in a row, from `filled` on; `fillTo` says how far it was used. */
  roomFor(bytes: number): Uint8Array {
    if (this.#page !== null && this.#page.length - this.#length < bytes) this.turn()
    this.#page ??= new Uint8Array(this.#stock.take())
    return this.#page
  }

  get filled(): number {
    return this.#length
  }

  fillTo(end: number): void {
    this.#length = end
  }

  addBytes(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; ) {
      const room = this.#room()
      const some = bytes.subarray(start, start + room.length)
      room.set(some)
      this.#length += some.length
      start += some.length
      if (some.length === room.length) this.turn()
    }
  }

  /** Hands on what there is, also a page that is not full. */
  turn(): void {
    if (this.#page !== null && this.#length > 0) this.#emit(this.#page.subarray(0, this.#length))
    this.#page = null
    this.#length = 0
  }

  #room(): Uint8Array {
    return this.roomFor(1).subarray(this.#length)
  }
}
