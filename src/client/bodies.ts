/** Bodies of requests: JSON, lines, and files that are read anew for each attempt. */

import type { UploadOptions } from './options.ts'

/** A path is for Node; a stream is read once, so that its upload is not retried. */
export type FileSource = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface SentBody {
  readonly headers: Readonly<Record<string, string>>
  /** Is called for each attempt; `moved` whenever some of it has gone. */
  readonly open: (moved: () => void) => string | Blob | ReadableStream<Uint8Array>
  /** Whether it can be opened again. */
  readonly isReadAgain: boolean
}

export function jsonBody(value: unknown): SentBody {
  const text = JSON.stringify(value)
  return { headers: { 'content-type': 'application/json' }, open: () => text, isReadAgain: true }
}

/** Text and bytes are sent as they are. */
export function plainBody(body: object | string | Blob): SentBody {
  if (typeof body !== 'string' && !(body instanceof Blob)) return jsonBody(body)
  return { headers: {}, open: () => body, isReadAgain: true }
}

export async function fileBody(source: FileSource, { onProgress, gzip = false, contentType }: UploadOptions): Promise<SentBody> {
  const file = await fileOf(source)
  return {
    headers: { 'content-type': contentType ?? file.type, ...(gzip && { 'content-encoding': 'gzip' }) },
    open(moved) {
      let bytes = 0
      const counted = file.open().pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            moved()
            bytes += chunk.byteLength
            onProgress?.({ bytes, totalBytes: file.totalBytes })
            controller.enqueue(chunk)
          },
        }),
      )
      return gzip ? gzipped(counted) : counted
    },
    isReadAgain: file.isReadAgain,
  }
}

/** The whole of it, compressed before it is sent, because every attempt must send the same bytes. */
export async function linesBody(text: string, isCompressed: boolean): Promise<SentBody> {
  const headers = { 'content-type': 'application/x-ndjson' }
  if (!isCompressed) return { headers, open: () => text, isReadAgain: true }
  const packed = await new Response(gzipped(new Blob([text]).stream())).blob()
  return { headers: { ...headers, 'content-encoding': 'gzip' }, open: () => packed, isReadAgain: true }
}

function gzipped(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  // What is compressed is bytes, whatever buffer they lie in.
  return (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new CompressionStream('gzip'))
}

interface OpenedFile {
  readonly type: string
  readonly totalBytes: number | null
  readonly isReadAgain: boolean
  readonly open: () => ReadableStream<Uint8Array>
}

async function fileOf(source: FileSource): Promise<OpenedFile> {
  if (typeof source === 'string') return ofBlob(await blobAt(source), source)
  if (source instanceof Blob) return ofBlob(source, 'name' in source ? String(source.name) : '')
  const stream = source instanceof ReadableStream ? source : streamOf(source)
  return { type: bytesOfNoKind, totalBytes: null, isReadAgain: false, open: () => stream }
}

function ofBlob(blob: Blob, name: string): OpenedFile {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return {
    type: blob.type || (typesByExtension[extension] ?? bytesOfNoKind),
    totalBytes: blob.size,
    isReadAgain: true,
    open: () => blob.stream(),
  }
}

const bytesOfNoKind = 'application/octet-stream'

const typesByExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

interface FileSystem {
  readonly openAsBlob: (path: string) => Promise<Blob>
}

/** Asked of the platform, so that the package also loads where there are no files. */
async function blobAt(path: string): Promise<Blob> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => FileSystem | undefined } }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined) throw new TypeError('A path can be uploaded in Node 22 and later; elsewhere give a Blob, a File or a stream')
  return files.openAsBlob(path)
}
