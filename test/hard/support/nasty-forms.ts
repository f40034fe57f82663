/** Forms with files that cost as much as they can to take apart; the token of the form is put before each of them. */
import type { NastyRequest } from './nasty-requests.ts'
import { nastyZips } from './nasty-zips.ts'

const boundary = 'nasty'
const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'sec-fetch-site': 'same-origin' }
const ending = `--${boundary}--\r\n`

function part(name: string, content: string, file?: string): string {
  const named = file === undefined ? '' : `; filename="${file}"`
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${named}\r\n\r\n${content}\r\n`
}

/** What stands before the rest of each form. */
export function nastyToken(token: string): Buffer {
  return Buffer.from(part('form_token', token))
}

const named: Readonly<Record<string, () => string>> = {
  'a form of nearly boundaries': () => part('file', '\r\n--nast'.repeat(500_000), 'x.csv') + ending,
  'a form of line ends': () => part('file', '\r\n'.repeat(2_000_000), 'x.csv') + ending,
  'a form of hyphens': () => part('file', '-'.repeat(4_000_000), 'x.csv') + ending,
  'a form of 90 long fields': () => part('note', 'x'.repeat(8_000)).repeat(90) + part('file', 'x', 'x.csv') + ending,
  'a form of 50,000 fields': () => part('a', '').repeat(50_000) + ending,
  'a form of 300 files': () => part('file', 'x', 'x.csv').repeat(300) + ending,
  'a form of one long head': () => `--${boundary}\r\n${'x: y\r\n'.repeat(500_000)}\r\n\r\n${ending}`,
  'a form of half heads': () => `--${boundary}\r\ncontent-disposition: form-data; name="\r\n`.repeat(50_000) + ending,
  'a form without an end': () => part('file', 'x'.repeat(2_000_000), 'x.csv').slice(0, -2),
}

const zipped = Object.entries(nastyZips).map(([name, zip]) => [name, () => withFile(zip())] as const)

export const nastyForms: readonly NastyRequest[] = [...Object.entries(named), ...zipped].map(([name, body]) => ({
  name,
  as: 'staff',
  method: 'POST',
  path: '/desk/data',
  headers,
  body: () => Buffer.from(body()),
}))

function withFile(bytes: Buffer): Buffer {
  const [before = '', after = ''] = part('file', '|', 'x.zip').split('|')
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after + ending)])
}
