/** Receives a body that may be large before any work begins: a small part stays in memory, the rest goes to a temporary file. */

import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Failure } from '../lib/failures.ts'
import { asNoRoom, openNamelessFile } from '../lib/streams/nameless-file.ts'
import type { ReceivedBytes } from '../lib/streams/received-bytes.ts'
import { bodyCutShort, bodyLate, bodyTooLarge } from './body.ts'

/** What a request has sent, until it is answered. */
export interface Upload {
  /** Of the bytes as they were sent; computed only where a repetition is recognised by it. */
  readonly sha256?: string
  close(): Promise<void>
}

export interface ReceivedBody extends Upload {
  /** To be read before it is closed. */
  readonly contents: ReceivedBytes
}

const maxBytesInMemory = 1 << 18

/** Rejects when the body is too large, too slow, or ends before it is complete. */
export async function receiveUpload(
  request: IncomingMessage,
  maxBytes: number,
  longestSeconds: number,
  { isHashed = false }: { readonly isHashed?: boolean } = {},
): Promise<ReceivedBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  const store = new UploadStore(isHashed)
  const late = setTimeout(() => request.destroy(bodyLate()), longestSeconds * 1000)
  try {
    // The request must not be destroyed, because it is still to be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (store.bytes + (chunk as Buffer).length > maxBytes) throw bodyTooLarge(maxBytes)
      await store.append(chunk as Buffer)
    }
    if (!request.complete) throw bodyCutShort()
    store.finish()
    return store
  } catch (error) {
    await store.close()
    throw closing(error instanceof Failure ? error : asReceived(error))
  } finally {
    clearTimeout(late)
  }
}

/** The rest of the body is not read, so the connection cannot be used again. */
function closing(error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  return new Failure(error.code, { ...error.details, headers: { ...error.details.headers, connection: 'close' } })
}

function asReceived(error: unknown): unknown {
  const isClients = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '')
  return isClients ? bodyCutShort() : asNoRoom(error)
}

class UploadStore implements ReceivedBody {
  #inMemory: Buffer[] = []
  #inFile = 0
  #pending = 0
  #file: FileHandle | null = null
  readonly #hash: Hash | null
  sha256?: string

  constructor(isHashed: boolean) {
    this.#hash = isHashed ? createHash('sha256') : null
  }

  finish(): void {
    if (this.#hash !== null) this.sha256 = this.#hash.digest('hex')
  }

  get bytes(): number {
    return this.#inFile + this.#pending
  }

  async append(chunk: Buffer): Promise<void> {
    this.#hash?.update(chunk)
    this.#inMemory.push(chunk)
    this.#pending += chunk.length
    if (this.#pending > maxBytesInMemory) await this.#spill()
  }

  get contents(): ReceivedBytes {
    return { file: this.#file?.fd ?? null, inFile: this.#inFile, rest: new Uint8Array(Buffer.concat(this.#inMemory)) }
  }

  async close(): Promise<void> {
    this.#inMemory = []
    await this.#file?.close()
    this.#file = null
  }

  async #spill(): Promise<void> {
    this.#file ??= await openNamelessFile()
    for (const chunk of this.#inMemory.splice(0)) {
      await this.#file.write(chunk, 0, chunk.length, this.#inFile)
      this.#inFile += chunk.length
      this.#pending -= chunk.length
    }
  }
}
