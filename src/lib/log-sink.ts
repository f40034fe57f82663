/** Where log lines go: standard output, whatever it is. A line that cannot be written is dropped and counted; nothing waits for it and nothing fails. */

import { fstatSync, write, writeSync } from 'node:fs'

export interface LineCounts {
  readonly written: number
  readonly dropped: number
}

export interface LogSink {
  readonly counts: LineCounts
  write(line: string): void
}

/** What may wait to be written: about a thousand lines. */
const maxPendingBytes = 1 << 18

const standardOutput = 1
let shared: LogSink | null = null

/** One for the process: two would not see what the other has waiting. */
export function standardLogSink(): LogSink {
  shared ??= openLogSink(standardOutput)
  return shared
}

/** A pipe or socket is written as a stream, which does not block when its reader stops; files and terminals have no reader to wait for. */
function openLogSink(fd: number): LogSink {
  const { isFIFO, isSocket } = kindOf(fd)
  return isFIFO || isSocket ? new PipeSink(process.stdout) : new FileSink(fd)
}

function kindOf(fd: number): { isFIFO: boolean; isSocket: boolean } {
  try {
    const stats = fstatSync(fd)
    return { isFIFO: stats.isFIFO(), isSocket: stats.isSocket() }
  } catch {
    // A closed standard output takes nothing: each line is dropped when it is written.
    return { isFIFO: false, isSocket: false }
  }
}

class Counts implements LineCounts {
  written = 0
  dropped = 0
  #untold = 0

  drop(lines: number): void {
    this.dropped += lines
    this.#untold += lines
  }

  /** A line that tells of the lines dropped of which no line has told yet; empty where there are none. */
  takeNotice(): { readonly line: string; readonly tells: number } {
    const tells = this.#untold
    this.#untold = 0
    const notice = { level: 40, time: new Date().toISOString(), dropped: tells, msg: 'log lines were dropped' }
    return { line: tells === 0 ? '' : `${JSON.stringify(notice)}\n`, tells }
  }

  /** What became of lines that were written together with a notice. */
  settle(lines: number, tells: number, isWritten: boolean): void {
    if (isWritten) this.written += lines
    else this.drop(lines)
    if (!isWritten) this.#untold += tells
  }
}

class PipeSink implements LogSink {
  readonly counts = new Counts()
  readonly #stream: NodeJS.WriteStream

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
    // The reader has gone: the stream is destroyed, and each line from now on is dropped.
    stream.on('error', () => {})
  }

  write(line: string): void {
    if (!this.#stream.writable || this.#stream.writableLength > maxPendingBytes) return void this.counts.drop(1)
    const notice = this.counts.takeNotice()
    this.#stream.write(notice.line + line, (error) => this.counts.settle(1, notice.tells, !error))
  }
}

class FileSink implements LogSink {
  readonly counts = new Counts()
  readonly #fd: number
  #pending: string[] = []
  #pendingBytes = 0
  #isWriting = false
  /** A full disk may take half a line; the next one must not continue it. */
  #isTorn = false

  constructor(fd: number) {
    this.#fd = fd
    process.once('exit', () => this.#writeLast())
  }

  write(line: string): void {
    if (this.#pendingBytes + line.length > maxPendingBytes) return void this.counts.drop(1)
    this.#pending.push(line)
    this.#pendingBytes += line.length
    if (!this.#isWriting) this.#writeNext()
  }

  #writeNext(): void {
    const lines = this.#take()
    if (lines.length === 0) return
    this.#isWriting = true
    const { bytes, tells } = this.#batch(lines)
    write(this.#fd, bytes, 0, bytes.length, null, (error, written) => {
      const isWhole = error === null && written === bytes.length
      this.counts.settle(lines.length, tells, isWhole)
      this.#isTorn = !isWhole && (this.#isTorn || written > 0)
      this.#isWriting = false
      this.#writeNext()
    })
  }

  /** The process ends: what is left is tried once more, and given up where it does not go at once. */
  #writeLast(): void {
    const lines = this.#take()
    if (lines.length === 0) return
    try {
      writeSync(this.#fd, this.#batch(lines).bytes)
    } catch {
      this.counts.drop(lines.length)
    }
  }

  #take(): string[] {
    this.#pendingBytes = 0
    return this.#pending.splice(0)
  }

  #batch(lines: readonly string[]): { readonly bytes: Buffer; readonly tells: number } {
    const { line, tells } = this.counts.takeNotice()
    return { bytes: Buffer.from(`${this.#isTorn ? '\n' : ''}${line}${lines.join('')}`), tells }
  }
}
