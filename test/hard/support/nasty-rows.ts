/** Pushes in CSV that are made to cost as much as they can: like those in JSON, within every stated limit, or just beyond one. */
import { gzipSync } from 'node:zlib'
import { nastySite } from './nasty-pushes.ts'
import type { NastyRequest } from './nasty-requests.ts'

const most = 16 * (1 << 20)
const header = 'site,phrase,search_engine,locale,ranked_at,rank\n'

const csv = { 'content-type': 'text/csv' }
const zipped = { ...csv, 'content-encoding': 'gzip' }

/** As large as a push may be. */
const filled = (beginning: string, part: string) => {
  const first = Buffer.from(beginning)
  return Buffer.concat([first, Buffer.alloc(most - first.length, part)])
}
const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join('')

// biome-ignore format: a table reads by its columns
const bodies: readonly (readonly [name: string, headers: Record<string, string>, body: () => Buffer, query?: string])[] = [
  ['8 million rows of one cell',            csv,    () => filled('', 'a\n')],
  ['8 million rows that lack cells',        csv,    () => filled(header, 'a\n')],
  ['16 million blank lines of CSV',         csv,    () => filled('', '\n')],
  ['16 million blank lines below a header', csv,    () => filled(header, '\n')],
  ['8 million blank lines that end twice',  csv,    () => filled(header, '\r\n')],
  ['16 million carriage returns',           csv,    () => filled(header, '\r')],
  ['8 million rows of one blank',           csv,    () => filled(header, ' \n')],
  ['a header of 900,000 cells',             csv,    () => Buffer.from(`${','.repeat(900_000)}\n`.repeat(16))],
  ['a header of 140,000 names',             csv,    () => Buffer.from(`${times(140_000, (i) => `c${i},`)}\n`)],
  ['rows of 900,000 cells',                 csv,    () => Buffer.from(header + `${','.repeat(900_000)}\n`.repeat(16))],
  ['rows of 300,000 quoted cells',          csv,    () => Buffer.from(header + `${'"",'.repeat(300_000)}\n`.repeat(16))],
  ['16,000 rows of 1,000 cells',            csv,    () => Buffer.from(`${header.trim()}${',x'.repeat(994)}\n${`${','.repeat(999)}\n`.repeat(16_000)}`)],
  ['16 MiB of quotes',                      csv,    () => filled(header, '"')],
  ['a cell of 240,000 lines',               csv,    () => Buffer.from(`${header}"${'\n'.repeat(240_000)}",a,b,c,d,1\n`)],
  ['cells of two lines each',               csv,    () => filled(header, '"a\nb",c,d,e,f,1\n')],
  ['a cell that is never closed',           csv,    () => filled(`${header}"`, 'x\n')],
  ['CSV that is not UTF-8',                 csv,    () => filled(header, 'caf\xe9\n')],
  ['a gzip of rows that lack cells',        zipped, () => gzipSync(filled(header, 'a\n').subarray(0, 2 << 20))],
  ['200,000 rankings in CSV',               csv,    () => Buffer.from(header + times(200_000, (i) => `${nastySite},bread,Google,en-us,2026-0${1 + (i % 9)}-1${i % 10} 00:00:00,1\n`))],
  ['a column for each of 900 days',         csv,    () => Buffer.from(`phrase${times(900, (i) => `,${new Date(Date.UTC(2020, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)}`)}\n${`bread${',1'.repeat(900)}\n`.repeat(9_000)}`), `?kind=rankings&unpivot=rank&set=site%3D${nastySite},search_engine%3DGoogle,locale%3Den-us`],
]

export function nastyRows(): NastyRequest[] {
  return bodies.map(([name, headers, body, query = '']) => {
    return { name, as: 'partner', method: 'POST', path: `/api/observations.json${query}`, headers, body }
  })
}
