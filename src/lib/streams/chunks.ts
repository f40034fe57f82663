/** Collects text and bytes into buffers of a fixed size, large enough that passing one to another thread costs little compared with filling it. */

/**
 * Each chunk wakes the thread that sends it. Half this size took a tenth more processor time; twice this size took too much memory
 * (docs/decisions/2026-11-15-report-thread.md).
 */
export const chunkBytes = 512 << 10
const maxKept = 16

/** A stream of chunks that its reader pulls. */
export interface ChunkSource {
  /** Resolves with null after the last chunk. Rejects when the rest cannot be produced; the chunks before are then an incomplete answer. */
  next(): Promise<Uint8Array | null>
  /** Must be called once for every chunk: with the chunk to return its buffer to the pool, or with null when the chunk is kept. */
  taken(chunk: Uint8Array | null): void
  /** Cancels the production of further chunks. May be called at any time and repeatedly. */
  stop(): void
}

/** Frees the memory of a chunk at once; the garbage collector is slow to notice memory outside its heap. */
export function discard(chunk: Uint8Array): void {
  if (chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0)
}

/** A pool of reused buffers: a new buffer must be zeroed, and adds work for the garbage collector. */
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

  /** Returns the current chunk with room for that many contiguous bytes after `filled`; call `fillTo` to say how far it was used. */
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

  /** Emits the current chunk even if it is not full. */
  flush(): void {
    if (this.#chunk !== null && this.#length > 0) this.#emit(this.#chunk.subarray(0, this.#length))
    this.#chunk = null
    this.#length = 0
  }

  #room(): Uint8Array {
    return this.roomFor(1).subarray(this.#length)
  }
}
