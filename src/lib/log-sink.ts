/** Writes log lines to standard output. A line that cannot be written is dropped and counted; logging never blocks and never fails. */

import { fstatSync, write, writeSync } from 'node:fs'

export interface LineCounts {
  readonly written: number
  readonly dropped: number
}

export interface LogSink {
  readonly counts: LineCounts
  write(line: string): void
}

/** The most bytes that may wait to be written: about a thousand lines. */
const maxPendingBytes = 1 << 18

const standardOutput = 1
let shared: LogSink | null = null

/** One sink for the whole process, because two sinks would not see each other's pending lines. */
export function standardLogSink(): LogSink {
  shared ??= openLogSink(standardOutput)
  return shared
}

/** Pipes and sockets are written as a stream, which does not block when the reader stops; files and terminals are written directly. */
function openLogSink(fd: number): LogSink {
  const { isFIFO, isSocket } = kindOf(fd)
  return isFIFO || isSocket ? new PipeSink(process.stdout) : new FileSink(fd)
}

function kindOf(fd: number): { isFIFO: boolean; isSocket: boolean } {
  try {
    const stats = fstatSync(fd)
    return { isFIFO: stats.isFIFO(), isSocket: stats.isSocket() }
  } catch {
    // Standard output is closed: every line will be dropped when it is written.
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

  /** Returns a log line that reports the dropped lines not reported yet; empty when there are none. */
  takeNotice(): { readonly line: string; readonly tells: number } {
    const tells = this.#untold
    this.#untold = 0
    const notice = { level: 40, time: new Date().toISOString(), dropped: tells, msg: 'log lines were dropped' }
    return { line: tells === 0 ? '' : `${JSON.stringify(notice)}\n`, tells }
  }

  /** Records whether lines that were written together with a notice succeeded. */
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
    // The reader has closed the pipe: the stream is destroyed, and every later line is dropped.
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
  /** A full disk may accept half a line; the next line must then begin on a new line. */
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

  /** At the exit of the process, tries once more to write the remaining lines. */
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
