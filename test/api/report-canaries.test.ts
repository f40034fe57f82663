/** No report of one partner holds a byte of another's: every text of every row is marked with whose it is. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { buildDemo } from '../../src/demo/build.ts'
import { measureDemo } from '../../src/demo/measure.ts'
import { dayNumber, dayText } from '../../src/lib/time/days.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import type { Tables } from '../../src/store/rows/tables.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

/** Columns that reports print as they are; what is derived of names (sources) is marked as well. */
const marked = {
  subjects: ['domain'],
  sources: ['engine', 'locale'],
  keywords: ['phrase'],
  backlinks: ['domain', 'source_url', 'anchor_text'],
  locations: ['facebook_page', 'twitter_page'],
  pages: ['source', 'page_url'],
  reviews: ['business_name', 'url', 'header', 'detail', 'user', 'source'],
} as const

onEachEngine('the reports of the whole demo world', (place) => {
  const service = serviceOn(place)
  const partners: { id: number; key: string; accounts: number[]; sites: number[] }[] = []

  before(async () => {
    const { operator } = service
    await measureDemo(operator, await buildDemo(operator))
    const { db } = service.app.store
    for (const { id } of await db.selectFrom('partners').select('id').execute()) {
      const accounts = (await db.selectFrom('accounts').select('id').where('partner_id', '=', id).execute()).map((account) => account.id)
      const sites = (await db.selectFrom('sites').select('id').where('account_id', 'in', accounts).execute()).map((site) => site.id)
      partners.push({ id, key: (await issueKey(operator, id)).key, accounts, sites })
    }
    for (const { id, accounts } of partners) for (const account of accounts) await service.app.store.write((tx) => mark(tx, id, account))
  })

  test('hold the marks of their own partner and of nobody else', async () => {
    assert.ok(partners.length > 1)
    for (const { id, key, accounts, sites } of partners) {
      const reputation = accounts.flatMap((account) =>
        ['detail', 'counts.json', 'detail.csv', 'counts.csv'].map((kind) => `accounts/${account}/reputation_report/${kind}`),
      )
      const tables = ['rankings', 'backlinks', 'metrics'].map((table) => `seo_report.csv?table=${table}&${lately}`)
      const single = [`seo_report.json?site_id=${sites[0]}&${lately}`, `seo_report.xml?account_id=${accounts}&${lately}`]
      for (const address of [
        'seo_report.json',
        `seo_report.xml?${lately}`,
        `seo_report.xml?names=legacy&${lately}`,
        ...single,
        ...tables,
        ...reputation,
      ]) {
        const { status, text } = await service.stranger.get(`/api/${address}`, { credentials: `${key}:`, mayBeIllFormed: true })
        assert.equal(status, 200, address)
        const marks = new Set([...text.matchAll(/canary(\d+)/g)].map(([, owner]) => Number(owner)))
        if (address.startsWith('seo')) assert.ok(marks.has(id), `${address} holds nothing of its own`)
        assert.deepEqual(
          [...marks].filter((owner) => owner !== id),
          [],
          address,
        )
      }
    }
  })
})

/** Every keyword is there, with few of its rankings: those carry no texts of their own. */
const lately = `start_date=${dayText(dayNumber(new Date().toISOString().slice(0, 10)) - 7)}`

/** `plumber chicago` becomes `canary2 plumber chicago` in all that belongs to partner 2. */
async function mark(tx: Kysely<Tables>, partnerId: number, accountId: number): Promise<void> {
  for (const [table, columns] of Object.entries(marked)) {
    for (const column of columns) {
      const name = sql.ref(column)
      const isText = sql`account_id = ${accountId} and ${name} is not null and ${name} <> ''`
      await sql`update ${sql.table(table)} set ${name} = ${sql.lit(`canary${partnerId} `)} || ${name} where ${isText}`.execute(tx)
    }
  }
}
