/** Requests that nobody in their right mind would send: built from the table of endpoints, from hostile values, and by breaking good bytes. */
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { endpoints } from '../../../src/api/endpoints.ts'
import { isKeyed, isList } from '../../../src/fields/shape.ts'
import type { Chance } from './random.ts'
import { someRealHeaders } from './real-headers.ts'

export interface Shot {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: Buffer
  /** The row of the table from which it was made, `POST users`; null where it strays. */
  readonly meant?: string | null
}

export const values = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '2',
  '01',
  '1.5',
  '1e3',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '99999999999999999999999',
  'NaN',
  'true',
  'null',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  '"><script>alert(1)</script>',
  ']]>',
  '<!--',
  '&amp;&lt;',
  '&#0;',
  '&#x1F600;',
  '%00',
  '\u0000',
  '\u0007',
  '\u202e',
  '\ufeff',
  '\ufffd',
  'e\u0301',
  '\ud83d\ude00',
  '../../etc/passwd',
  '2026-11-14',
  '2026-02-30',
  '0000-00-00',
  'show',
  'Site',
  'Account',
  'a@b.example',
  'name@'.repeat(20),
  'x'.repeat(300),
  'x'.repeat(5_000),
  '1,2,3',
  ','.repeat(50),
  'encoded',
  'legacy',
  'rankings',
]

const accepts = [
  '*/*',
  'application/json',
  'application/xml',
  'text/html',
  'text/csv',
  'application/xml;q=0',
  'a/b, */*;q=0.1',
  ';;;',
  'application/json;q=abc',
  ',',
  'x'.repeat(2_000),
]
const types = [
  'application/xml',
  'text/xml; charset=utf-8',
  'application/json',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/vnd.x+json',
  'text/plain',
  'multipart/form-data; boundary=x',
  ' application/json',
  'application/json\t',
  'APPLICATION/JSON',
  'application/json,application/xml',
  '/',
  'x',
]
const extensions = ['.xml', '.json', '', '.csv', '.pdf', '.XML', '.xml.json', '.', '/']
const methods = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']
const strays = [
  '/',
  '/api',
  '/api/',
  '/api//users',
  '/businesses',
  '/businesses.xml',
  '/login',
  '/health/ready',
  '/%',
  '/%zz',
  '/api/%2e%2e/users',
  '/api/users;x=1',
  '/docs',
  '//api/users',
  '/api/users/%00',
]
const fields = [
  'email',
  'password',
  'login',
  'account_id',
  'account-id',
  'name',
  'abilities',
  'key',
  'scope_type',
  'scope_id',
  'id',
  'state',
  'crypted_password',
  'type',
  'site',
  'phrase',
  '__proto__',
]

/** `credentials` are those that open everything, something and nothing. */
export function shotOf(chance: Chance, credentials: readonly (string | undefined)[], ids: readonly string[]): Shot {
  const endpoint = chance.pick(endpoints)
  const method = chance.next() < 0.85 ? endpoint.method : chance.pick(methods)
  const authorization = chance.next() < 0.75 ? credentials[0] : chance.pick(credentials)
  const body =
    method === 'GET' || method === 'HEAD' ? (chance.next() < 0.02 ? bodyOf(endpoint, chance) : undefined) : bodyOf(endpoint, chance)
  const isStray = chance.next() < 0.05
  return {
    method,
    meant: isStray || method !== endpoint.method ? null : `${method} ${endpoint.path}`,
    path: isStray ? chance.pick(strays) : pathOf(endpoint, chance, ids),
    headers: { ...(authorization !== undefined && { authorization }), ...extras(chance), ...body?.headers },
    ...(body !== undefined && { body: body.bytes }),
  }
}

function pathOf({ path, query = {} }: Endpoint, chance: Chance, ids: readonly string[]): string {
  const filled = path.replace(/\{\w+\}/g, () => (chance.next() < 0.6 ? chance.pick(ids) : encodeURIComponent(safe(chance.pick(values)))))
  const names = [...Object.keys(query), 'format', 'merge', 'remove', 'after', 'x']
  const asked = Array.from({ length: chance.whole(4) }, () => `${chance.pick(names)}=${encodeURIComponent(safe(chance.pick(values)))}`)
  const extension = chance.next() < 0.7 ? chance.pick(['.xml', '.json']) : chance.pick(extensions)
  return `/api/${filled}${extension}${asked.length > 0 ? `?${asked.join('&')}` : ''}`
}

function extras(chance: Chance): Record<string, string> {
  const headers: Record<string, string> = {}
  if (chance.next() < 0.2) headers.accept = chance.pick(accepts)
  if (chance.next() < 0.1) headers['idempotency-key'] = printable(chance.pick(values)) || 'key'
  if (chance.next() < 0.05) headers['content-encoding'] = chance.pick(['gzip', 'br', 'identity', 'x', 'deflate, gzip'])
  if (chance.next() < 0.05) headers['accept-encoding'] = chance.pick(['gzip', 'br', 'zstd', '*', 'identity;q=0', ';'])
  if (chance.next() < 0.05) headers['if-none-match'] = chance.pick(['*', '"x"', 'W/"x"', ','])
  return chance.next() < 0.3 ? { ...headers, ...someRealHeaders(chance) } : headers
}

function bodyOf(endpoint: Endpoint, chance: Chance): { headers: Record<string, string>; bytes: Buffer } {
  const root = endpoint.body?.root ?? 'observations'
  const language = chance.pick(['xml', 'json', 'form'] as const)
  const good = writers[language](root, chance, fieldsOf(endpoint))
  const bytes = chance.next() < 0.4 ? broken(Buffer.from(good), chance) : Buffer.from(good)
  const honest = { xml: 'application/xml', json: 'application/json', form: 'application/x-www-form-urlencoded' }[language]
  const type = chance.next() < 0.8 ? honest : chance.pick([...types, ''])
  return { headers: type === '' ? {} : { 'content-type': type }, bytes }
}

/** The fields that the tables say it reads are picked two times out of three. */
function fieldsOf({ body, takes }: Endpoint): readonly string[] {
  const of = body?.of ?? {}
  const shape = !isList(of) ? of : isKeyed(of.of) ? {} : of.of
  const read = [...Object.keys(shape), ...Object.values(takes?.kinds ?? {}).flatMap((kind) => Object.keys(kind.fields))]
  return read.length === 0 ? fields : [...fields, ...Array.from({ length: (2 * fields.length) / read.length + 1 }, () => read).flat()]
}

const writers = {
  xml: (root: string, chance: Chance, names: readonly string[] = fields) => {
    const name = chance.next() < 0.9 ? root : chance.pick(fields)
    return `${chance.next() < 0.2 ? '<?xml version="1.0"?>' : ''}<${name}${chance.next() < 0.2 ? ' type="array"' : ''}>${xmlInside(chance, names, 0)}</${name}>`
  },
  json: (root: string, chance: Chance, names: readonly string[] = fields) =>
    chance.next() < 0.7 ? `{${JSON.stringify(root)}:${jsonInside(chance, names, 0)}}` : jsonInside(chance, names, 0),
  form: (root: string, chance: Chance, names: readonly string[] = fields) =>
    Array.from({ length: chance.whole(8) }, () => {
      const field = chance.pick(names)
      const name = chance.pick([
        field,
        `${root}[${field}]`,
        `${root}[][${field}]`,
        `${root}[${chance.whole(9)}][${field}]`,
        `${field}[`,
        `${field}[a][b][c]`,
      ])
      return `${encodeURIComponent(name)}=${encodeURIComponent(safe(chance.pick(values)))}`
    }).join('&'),
}

function xmlInside(chance: Chance, names: readonly string[], depth: number): string {
  return Array.from({ length: chance.whole(5) }, () => {
    const name = chance.pick(names).replace(/^_+/, '') || 'x'
    const attribute =
      chance.next() < 0.2
        ? ` ${chance.pick(['type="integer"', 'type="boolean"', 'nil="true"', 'type="yaml"', 'type="array"', 'xml:lang="x"', 'a="&lt;"'])}`
        : ''
    return `<${name}${attribute}>${depth < 9 && chance.next() < 0.25 ? xmlInside(chance, names, depth + 1) : escaped(chance.pick(values))}</${name}>`
  }).join('')
}

function jsonInside(chance: Chance, names: readonly string[], depth: number): string {
  const roll = chance.next()
  if (depth > 9 || roll < 0.35) return JSON.stringify(chance.pick(values))
  if (roll < 0.5) return chance.pick(['1', '-1', '1e999', '0.1', 'true', 'null', '9007199254740993'])
  if (roll < 0.65) return `[${Array.from({ length: chance.whole(4) }, () => jsonInside(chance, names, depth + 1))}]`
  return `{${Array.from({ length: chance.whole(6) }, () => `${JSON.stringify(chance.pick(names))}:${jsonInside(chance, names, depth + 1)}`)}}`
}

/** Bytes changed, doubled, cut off or slipped in. */
function broken(bytes: Buffer, chance: Chance): Buffer {
  const at = chance.whole(bytes.length + 1)
  const roll = chance.whole(4)
  if (roll === 0) return bytes.subarray(0, at)
  if (roll === 1) return Buffer.concat([bytes.subarray(0, at), Buffer.from([chance.whole(256)]), bytes.subarray(at)])
  if (roll === 2) return Buffer.concat([bytes, bytes.subarray(0, at)])
  const changed = Buffer.from(bytes)
  for (let count = 0; count < 3 && changed.length > 0; count += 1) changed[chance.whole(changed.length)] = chance.whole(256)
  return changed
}

/** Whole requests as bytes, broken: what the parser of the server itself has to stand. */
export function rawShotOf(chance: Chance, authorization: string): Buffer {
  const body = writers.xml('business', chance)
  const head = [
    'POST /api/businesses.xml HTTP/1.1',
    'Host: a',
    `Authorization: ${authorization}`,
    'Content-Type: application/xml',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return broken(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`), chance)
}

function escaped(text: string): string {
  return text.startsWith('&') ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** encodeURIComponent refuses halves of a pair; nothing of ours makes one, but slices may. */
function safe(text: string): string {
  return text.toWellFormed()
}

function printable(text: string): string {
  return text.replace(/[^\t\x20-\x7e]/g, '')
}
