/** A chunk writer gathers text and bytes into buffers of one size, which are large enough that passing one on costs nothing beside filling it. */

/** Each chunk wakes the thread that sends it. Chunks of half the size took a tenth more processor time in all; chunks of twice the size took too much memory (docs/decisions/2026-11-15-report-thread.md). */
export const chunkBytes = 512 << 10
const maxKept = 16

/** Chunks that come one after another from elsewhere. */
export interface ChunkSource {
  /** Null after the last chunk. Rejects when the rest cannot be made: what came before is then only a part. */
  next(): Promise<Uint8Array | null>
  /** To be called once for every chunk: with the chunk, so that its buffer is filled again, or with null when somebody keeps it. */
  taken(chunk: Uint8Array | null): void
  /** Ends the making, because nobody wants the rest. May be called at any time, and more than once. */
  stop(): void
}

/** Frees the memory of a chunk at once: the collector looks late at memory outside its heap, and much would pile up. */
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
  readonly #pool: BufferPool
  #chunk: Uint8Array | null = null
  #length = 0

  constructor(emit: (chunk: Uint8Array) => void, pool: BufferPool) {
    this.#emit = emit
    this.#pool = pool
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
    this.#chunk ??= new Uint8Array(this.#pool.take())
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
