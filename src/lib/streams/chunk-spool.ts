/** Stores chunks in a temporary file while a slow client receives them. The file has no name, so a crash leaves nothing behind. */

import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { openNamelessFile } from './nameless-file.ts'

/** Small, because many slow clients may each hold one piece in memory. */
const pieceBytes = 262_144
/** The most bytes that all slow clients together may occupy on disk. */
const maxSpooledBytes = 2 ** 31
let spooledBytes = 0
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const quick = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export class ChunkSpool {
  readonly #file: FileHandle
  readonly #isCompressed: boolean
  readonly #most: number
  readonly #lengths: number[] = []
  #written = 0
  #read = 0
  #state: 'filling' | 'full' | 'spoilt' = 'filling'
  #wake = () => {}

  /** Reports compress to a fortieth, so chunks that the client receives uncompressed are compressed for the disk. */
  static async open(areCompressed: boolean, most = maxSpooledBytes): Promise<ChunkSpool> {
    return new ChunkSpool(await openNamelessFile(), areCompressed, most)
  }

  private constructor(file: FileHandle, isCompressed: boolean, most: number) {
    this.#file = file
    this.#isCompressed = isCompressed
    this.#most = most
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.length; start += pieceBytes) await this.#appendPiece(chunk.subarray(start, start + pieceBytes))
  }

  /** Says that nothing more is appended: the answer is complete (`full`), or it broke off (`spoilt`) and the reader must learn of it. */
  finish(as: 'full' | 'spoilt'): void {
    this.#state = as
    this.#wake()
  }

  /** Resolves with the next piece, or with null after the last one. */
  async next(): Promise<Uint8Array | null> {
    while (this.#lengths.length === 0 && this.#state === 'filling') await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#state === 'spoilt') throw new Error('the answer broke off before it was complete')
    const length = this.#lengths.shift()
    return length === undefined ? null : this.#readPiece(length)
  }

  close(): Promise<void> {
    spooledBytes -= this.#written
    this.#written = 0
    return this.#file.close()
  }

  async #appendPiece(piece: Uint8Array): Promise<void> {
    const bytes = this.#isCompressed ? piece : await compress(piece, quick)
    if (spooledBytes + bytes.length > this.#most) throw new Error('slow readers have filled the room for what they have not read')
    spooledBytes += bytes.length
    const at = this.#written
    this.#written += bytes.length
    await this.#file.write(bytes, 0, bytes.length, at)
    this.#lengths.push(bytes.length)
    this.#wake()
  }

  async #readPiece(length: number): Promise<Uint8Array> {
    const bytes = Buffer.from(new ArrayBuffer(length))
    await this.#file.read(bytes, 0, length, this.#read)
    this.#read += length
    return this.#isCompressed ? bytes : decompress(bytes, { chunkSize: pieceBytes })
  }
}
