/** A report as an object, and as a file that never stands in memory as a whole. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Marquee } from '@marquee/client'

const { SERVICE_URL: url = 'http://127.0.0.1:8080', KEY: key = '', FILE: file = 'rankings.csv' } = process.env
const marquee = new Marquee({ url, key }) // reports need no password

const report = await marquee.seoReport({ start_date: '2026-11-01' })
for (const account of report.accounts) {
  for (const [id, { sites }] of Object.entries(account)) console.log(`account ${id}: ${sites.length} sites`)
}

const { body, etag } = await marquee.streamSeoReport({ table: 'rankings' }, { format: 'csv' })
if (body !== null) await pipeline(Readable.from(body), createWriteStream(file))

const again = await marquee.streamSeoReport({ table: 'rankings' }, { format: 'csv', ifNoneMatch: etag ?? '' })
console.log(again.body === null ? 'nothing has changed since' : 'there is news')
