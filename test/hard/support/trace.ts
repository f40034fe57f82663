/** Reads what the tracer saw: writes, truncations and syncs of the database's files, and the answers that went out. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

export type Event =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'sent'; readonly text: string }

export const tracer = (output: string) => [
  'strace',
  '-f',
  '-y',
  '-xx',
  '-qq',
  '-s',
  '1000000',
  '-e',
  'trace=pwrite64,ftruncate,fsync,fdatasync,write,writev,sendto,sendmsg',
  '-e',
  'signal=none',
  '-o',
  output,
]

/** `isOurs` chooses files by their path. */
export async function readTrace(path: string, isOurs: (file: string) => boolean): Promise<Event[]> {
  const events: Event[] = []
  const begun = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const whole = rejoined(line, begun)
    const event = whole === null ? null : eventOf(whole, isOurs)
    if (event !== null) events.push(event)
  }
  return events
}

/** A call that another thread interrupted in the log is put together again. */
function rejoined(line: string, begun: Map<string, string>): string | null {
  const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
  if (rest.endsWith('<unfinished ...>')) {
    begun.set(thread, rest.slice(0, -'<unfinished ...>'.length).trimEnd())
    return null
  }
  const [, tail] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? []
  return tail === undefined ? rest : `${begun.get(thread) ?? ''}${tail}`
}

function eventOf(call: string, isOurs: (file: string) => boolean): Event | null {
  const [, name = '', file = '', rest = ''] = /^(\w+)\(\d+<([^>]*)>(.*)$/s.exec(call) ?? []
  if (/ = -1 /.test(rest.slice(-200))) return null
  const path = unescaped(file)
  if (/^(socket|TCP):/.test(path)) return { kind: 'sent', text: textsIn(rest).join('') }
  if (!isOurs(path)) return null
  if (name === 'fsync' || name === 'fdatasync') return { kind: 'sync', file: path }
  if (name === 'ftruncate') return { kind: 'truncate', file: path, length: Number(/^, (\d+)/.exec(rest)?.[1]) }
  if (name !== 'pwrite64') return null
  const [, hex = '', , at = ''] = /^, "((?:\\x[0-9a-f]{2})*)"(\.\.\.)?, \d+, (\d+)\)/.exec(rest) ?? []
  return { kind: 'write', file: path, at: Number(at), data: bytesOf(hex) }
}

function textsIn(rest: string): string[] {
  return [...rest.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex).toString('latin1'))
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex')
}

function unescaped(path: string): string {
  return path.includes('\\x') ? bytesOf(path).toString() : path
}
