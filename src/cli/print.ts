/** Prints to a terminal or a pipe: a record as lines, several as columns, and output of any length with back-pressure. */

import { once } from 'node:events'
import { isatty } from 'node:tty'
import { sentencesOf } from './error-messages.ts'

/**
 * A reader that closes the pipe early (`| head`) is not a failure: the command goes on, and ends with its own status, and a service serves on. Output that
 * cannot be written, as on a full disk, is one; what cannot be said on standard error cannot be said at all.
 */
export function forgiveClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') endOutput(error)
  })
  process.stderr.on('error', () => {})
}

/** Writes text of any length; each call waits until the reader has received what was written before. */
export function openOutput(): (text: string) => Promise<void> {
  process.stdout.once('error', endOutput)
  return async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  }
}

/** Nothing more is made for a reader that has gone. */
function endOutput(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  for (const sentence of sentencesOf(error)) console.error(sentence)
  process.exit(1)
}

/** Prints text for people. Standard output that is not a terminal has log lines only, so the text then goes to standard error. */
export function say(text: string): void {
  if (isTerminal()) console.log(text)
  else console.error(text)
}

export function isTerminal(): boolean {
  return isatty(1)
}

/** Text such as `1 line`, `2,000 lines`. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`
}

export function layOut(document: object, columns?: readonly string[]): string {
  return Object.entries(document)
    .map(([name, value]) => (Array.isArray(value) ? table(value, columns) : record(name, value)))
    .join('\n')
}

function record(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${name}: ${value}`
  const lines = Object.entries(value).map(([field, content]) => `  ${field}: ${cell(content)}`)
  return [`${name}:`, ...lines].join('\n')
}

function table(rows: readonly Record<string, unknown>[], columns?: readonly string[]): string {
  const [first] = rows
  if (first === undefined) return 'None.'
  const names = columns ?? Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)))
  return lines
    .map((line) =>
      line
        .map((text, column) => pad(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length))
}

function cell(value: unknown): string {
  return printable(value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Replaces control characters, so that data cannot control the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
}
