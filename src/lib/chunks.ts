/** A chunk writer gathers text and bytes into buffers of one size, which are large enough that passing one on costs nothing beside filling it. */

/** Each chunk that is handed on wakes who sends it, at the cost of who makes it: half as large they took a tenth more processor time in all, twice as large they took too much memory. */
export const chunkBytes = 512 << 10
const maxKept = 16

/** Chunks that come one after another from elsewhere. */
export interface ChunkSource {
  /** Null after the last one; rejects when there will be no whole. */
  next(): Promise<Uint8Array | null>
  /** Every chunk must be answered for once: given back to be filled again, or null when it is kept. */
  taken(chunk: Uint8Array | null): void
  /** Nobody wants the rest. May be said at any time, and more than once. */
  stop(): void
}

/** Frees a chunk at once; memory outside the heap is otherwise looked through late, and much of it piles up. */
export function discard(chunk: Uint8Array): void {
  if (chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0)
}

/** Buffers that are filled again and again: a new one is zeroed, and brings the collector to work. */
export class BufferPool {
  readonly #kept: ArrayBuffer[] = []

  take(): ArrayBuffer {
    return this.#kept.pop() ?? new ArrayBuffer(chunkBytes)
  }

  giveBack(buffer: ArrayBuffer): void {
    if (this.#kept.length < maxKept) this.#kept.push(buffer)
    else discard(new Uint8Array(buffer))
  }
}

const encoder = new TextEncoder()

export class ChunkWriter {
  readonly #emit: (chunk: Uint8Array) => void
  readonly #stock: BufferPool
  #chunk: Uint8Array | null = null
  #length = 0

  constructor(emit: (chunk: Uint8Array) => void, stock: BufferPool) {
    this.#emit = emit
    this.#stock = stock
  }

  addText(text: string): void {
    for (let rest = text; rest !== ''; ) {
      const { read, written } = encoder.encodeInto(rest, this.#room())
      this.#length += written
      if (read === rest.length) return
      rest = rest.slice(read)
      this.flush()
    }
  }

  /** The chunk with room for so many bytes in a row, from `filled` on; `fillTo` says how far it was used. */
  roomFor(bytes: number): Uint8Array {
    if (this.#chunk !== null && this.#chunk.length - this.#length < bytes) this.flush()
    this.#chunk ??= new Uint8Array(this.#stock.take())
    return this.#chunk
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
      if (some.length === room.length) this.flush()
    }
  }

  /** Hands on what there is, also a chunk that is not full. */
  flush(): void {
    if (this.#chunk !== null && this.#length > 0) this.#emit(this.#chunk.subarray(0, this.#length))
    this.#chunk = null
    this.#length = 0
  }

  #room(): Uint8Array {
    return this.roomFor(1).subarray(this.#length)
  }
}
