/** Pushes that are within every stated limit, or just beyond one, and made to cost as much as they can. */
import { gzipSync } from 'node:zlib'
import type { NastyRequest } from './nasty-requests.ts'

const mebibyte = 1 << 20
const most = 16 * mebibyte
export const nastySite = 'acme.example'

const json = { 'content-type': 'application/json' }
const ndjson = { 'content-type': 'application/x-ndjson' }
const zipped = { 'content-encoding': 'gzip' }

const ranking = (phrase: string, day: number, rank: number) =>
  `{"type":"ranking","site":"${nastySite}","phrase":"${phrase}","search_engine":"Google","locale":"en-us","ranked_at":"2026-0${1 + (day % 9)}-1${day % 10} 00:00:00","rank":${rank}}`

// biome-ignore format: a table reads by its columns
const bodies: readonly (readonly [name: string, headers: Record<string, string>, body: () => Buffer])[] = [
  ['16 MiB of commas',                    json,   () => Buffer.from(`[${','.repeat(most - 2)}]`)],
  ['16 MiB of blanks in an array',        json,   () => Buffer.from(`[${' '.repeat(most - 2)}]`)],
  ['16 MiB of opening brackets',          json,   () => Buffer.alloc(most, '[')],
  ['16 MiB of opening braces in lines',   ndjson, () => Buffer.alloc(most, '{"a":')],
  ['5 million empty objects',             json,   () => Buffer.from(`[${'{},'.repeat(5_000_000)}{}]`)],
  ['8 million numbers',                   json,   () => Buffer.from(`[${'1,'.repeat(8_000_000)}1]`)],
  ['8 million broken lines',              ndjson, () => Buffer.alloc(most, 'x\n')],
  ['16 million blank lines',              ndjson, () => Buffer.alloc(most, '\n')],
  ['8 million lines of one blank',        ndjson, () => Buffer.alloc(most, ' \n')],
  ['8 million lines of carriage returns', ndjson, () => Buffer.alloc(most, '\r\n')],
  ['one line of 16 MiB',                  ndjson, () => Buffer.alloc(most, 'x')],
  ['one string of 16 MiB',                json,   () => Buffer.from(`["${'x'.repeat(most - 4)}"]`)],
  ['one string of escapes',               json,   () => Buffer.from(`["${'\\u0000'.repeat(2_700_000)}"]`)],
  ['quotes and backslashes',              json,   () => Buffer.from(`["${'\\"'.repeat(8_000_000)}"]`)],
  ['sixteen deep records',                ndjson, () => Buffer.from(`${'['.repeat(500_000)}${']'.repeat(500_000)}\n`.repeat(16))],
  ['records of 100,000 members',          ndjson, () => Buffer.from(`{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join()}}\n`.repeat(16))],
  ['colliding members',                   ndjson, () => Buffer.from(`{${Array.from({ length: 60_000 }, (_, i) => `"${(i + 1) * 65_536}":1`).join()}}\n`.repeat(16))],
  ['numbers of a million digits',         ndjson, () => Buffer.from(`{"type":"ranking","rank":${'9'.repeat(900_000)}}\n`.repeat(16))],
  ['16 MiB that is not UTF-8',            ndjson, () => Buffer.alloc(most, Buffer.from([0xff, 0xfe, 0x0a]))],
  ['byte order marks',                    ndjson, () => Buffer.alloc(most, Buffer.from('\ufeff\n'))],
  ['a gzip comment and 16 MiB of commas', { ...json, ...zipped }, () => withComment(gzipSync(Buffer.from(`[${','.repeat(most - 2)}]`)), 170_000)],
  ['a gzip comment and broken lines',     { ...ndjson, ...zipped }, () => withComment(gzipSync(Buffer.alloc(most, 'x\n')), 170_000)],
  ['a gzip of a thousand members',        { ...ndjson, ...zipped }, () => Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('x\n'.repeat(2_000))))],
  ['a gzip that ends too soon',           { ...ndjson, ...zipped }, () => gzipSync(Buffer.from(ranking('a', 1, 1).repeat(50_000))).subarray(0, -100)],
  ['90,000 rankings of one keyword',      json,   () => Buffer.from(`[${Array.from({ length: 90_000 }, (_, i) => ranking('bread', i, 1 + (i % 100))).join()}]`)],
  ['90,000 rankings of unknown phrases',  json,   () => Buffer.from(`[${Array.from({ length: 90_000 }, (_, i) => ranking(`p${i}`, i, 1)).join()}]`)],
  ['80,000 keywords',                     ndjson, () => Buffer.from(Array.from({ length: 80_000 }, (_, i) => `{"type":"keyword","site":"${nastySite}","phrase":"${i} ${'x'.repeat(100)}"}`).join('\n'))],
  ['200,000 unknown sites',               ndjson, () => Buffer.from(Array.from({ length: 200_000 }, (_, i) => `{"type":"keyword","site":"s${i}.example","phrase":"x"}`).join('\n'))],
  ['150 reviews of 100,000 characters',   ndjson, () => Buffer.from(Array.from({ length: 150 }, (_, i) => `{"type":"review","site":"${nastySite}","page_url":"https://p.example/1","source":"google","date":"2026-01-01","rating":5,"user":"u${i}","header":"h","detail":"${'é'.repeat(50_000)}"}`).join('\n'))],
]

export function nastyPushes(): NastyRequest[] {
  return bodies.map(([name, headers, body]) => ({ name, as: 'partner', method: 'POST', path: '/api/observations.json', headers, body }))
}

/** The header of the file holds a comment of so many bytes. */
function withComment(file: Buffer, bytes: number): Buffer {
  const header = Buffer.from(file.subarray(0, 10))
  header[3] = 16
  return Buffer.concat([header, Buffer.alloc(bytes, 'x'), Buffer.from([0]), file.subarray(10)])
}
