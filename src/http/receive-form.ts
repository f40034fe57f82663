/** Receives a form with files while it comes: its fields are kept in memory, each file goes on to its place as fast as that takes it. */

import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { Failure, refuse } from '../lib/failures.ts'
import { asNoRoom } from '../lib/streams/nameless-file.ts'
import { bodyTooLarge } from './body.ts'
import { type ByteSink, receiveFile } from './receive-file.ts'

/** Where a file goes. */
interface FilePlace<T> extends ByteSink {
  finish(): Promise<T>
  discard(): Promise<void>
}

interface FormRules<T> {
  readonly maxBytes: number
  readonly mostFiles: number
  /** Called when the first file begins, with the fields before it, or at the end of a form without a file; whoever throws refuses the form. */
  readonly begin: (fields: URLSearchParams) => Promise<void>
  readonly open: () => Promise<FilePlace<T>>
}

export interface ReceivedForm<T> {
  readonly fields: URLSearchParams
  /** Those that hold something, in their order. */
  readonly files: readonly { readonly name: string; readonly file: T }[]
}

/** The fields of a form beside its files. */
const fieldLimits = { fields: 100, fieldNameSize: 200, fieldSize: 8 * 1024, headerPairs: 20, headerSize: 8 * 1024 }
const framingBytes = 1 << 20

/** Rejects when the form is too large, too slow, cannot be read or ends before it is complete; then nothing of it is left. */
export async function receiveForm<T>(request: IncomingMessage, rules: FormRules<T>): Promise<ReceivedForm<T>> {
  const form = new FormSink(request, rules)
  try {
    await receiveFile(request, form, rules.maxBytes + framingBytes)
    return await form.finish()
  } catch (error) {
    await form.discard()
    throw error
  }
}

type Parser = InstanceType<typeof Busboy>
type FileStream = Parameters<Parameters<Parser['on']>[1]>[1] & NodeJS.ReadableStream & { destroy(error?: Error): void }

class FormSink<T> implements ByteSink {
  bytes = 0
  readonly #rules: FormRules<T>
  readonly #fields = new URLSearchParams()
  readonly #files: { readonly name: string; readonly file: T }[] = []
  readonly #places: FilePlace<T>[] = []
  readonly #parser: Parser
  readonly #failed = Promise.withResolvers<never>()
  #begun: Promise<void> | undefined
  #taking: Promise<void>[] = []
  #stream: FileStream | undefined

  constructor({ headers }: IncomingMessage, rules: FormRules<T>) {
    this.#rules = rules
    this.#parser = parserOf(headers as BusboyHeaders, rules)
    // Whoever waits for it asks by itself.
    this.#failed.promise.catch(() => {})
    this.#parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) this.#fail(new Failure('too_large', { sentence: 'A field of the form is too long' }))
      else this.#fields.append(name, value)
    })
    this.#parser.on('file', (_field, stream, name) => this.#taking.push(this.#take(stream as FileStream, name ?? '')))
    this.#parser.on('filesLimit', () => this.#fail(new Failure('too_large', { sentence: `At most ${rules.mostFiles} files come at once` })))
    for (const limit of ['partsLimit', 'fieldsLimit'] as const) this.#parser.on(limit, () => this.#fail(unreadable()))
    this.#parser.on('error', () => this.#fail(unreadable()))
  }

  async append(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length
    const written = new Promise<void>((resolve) => this.#parser.write(chunk, () => resolve()))
    await Promise.race([written, this.#failed.promise])
  }

  async finish(): Promise<ReceivedForm<T>> {
    const finished = new Promise<void>((resolve) => this.#parser.once('finish', resolve))
    this.#parser.end()
    await Promise.race([finished, this.#failed.promise])
    await Promise.race([Promise.all(this.#taking), this.#failed.promise])
    if (this.#begun === undefined) await this.#rules.begin(this.#fields)
    return { fields: this.#fields, files: this.#files }
  }

  async discard(): Promise<void> {
    this.#fail(unreadable())
    this.#stream?.destroy(new Error('The form has ended'))
    await Promise.all(this.#taking)
    await Promise.all(this.#places.map((place) => place.discard()))
  }

  #fail(failure: unknown): void {
    this.#failed.reject(failure)
  }

  /** Never rejects. */
  async #take(stream: FileStream, name: string): Promise<void> {
    this.#stream = stream
    // What is wrong with it is told to whoever reads it, later.
    stream.on('error', () => {})
    try {
      this.#begun ??= this.#rules.begin(this.#fields)
      await this.#begun
      const place = await this.#rules.open()
      this.#places.push(place)
      for await (const chunk of chunksOf(stream)) {
        if (place.bytes + chunk.length > this.#rules.maxBytes) throw bodyTooLarge(this.#rules.maxBytes)
        await place.append(chunk)
      }
      if (place.bytes === 0) await place.discard()
      else this.#files.push({ name, file: await place.finish() })
    } catch (error) {
      this.#fail(asNoRoom(error))
    }
  }
}

function parserOf<T>(headers: BusboyHeaders, { mostFiles }: FormRules<T>): Parser {
  try {
    return new Busboy({ headers, limits: { ...fieldLimits, files: mostFiles } })
  } catch {
    return refuse('malformed_body', 'The form names no boundary', { connection: 'close' })
  }
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } catch {
    throw unreadable()
  }
}

function unreadable(): Failure {
  return new Failure('malformed_body', { sentence: 'The form is broken or did not arrive whole' })
}
