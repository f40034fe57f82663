/** Decodes a request body as UTF-8 text and computes the line and column of a position in it. */
import { refuse } from '../failures.ts'

export function decodeBody(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return refuse('malformed_body', 'The body is not valid UTF-8.')
  }
}

/** The number of characters before the content: a byte order mark and white space, which old clients send before `<?xml`. */
export function leadIn(text: string): number {
  return text.length - text.replace(/^[\ufeff \t\r\n]+/, '').length
}

/** The position as editors count it: `line 3, column 7`. */
export function place(text: string, index: number): string {
  const before = text.slice(0, Math.max(index, 0))
  const line = before.split('\n').length
  return `line ${line}, column ${before.length - before.lastIndexOf('\n')}`
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
