/** Months of one keyword and one page in all four tables, as they lay there before each month became a partition. */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/store/rows/tables.ts'
import type { Store } from '../../src/store/store.ts'

/** The tables that were there then. */
export const earlyMonthTables = ['ranking_months', 'ranked_url_months', 'click_count_months', 'review_count_months'] as const

/** The first seconds of three months; the second is split, so that one of its chunks begins later. */
export const monthStarts = [Date.UTC(2025, 11, 1), Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)].map((time) => time / 1000)

export async function insertMonths(tx: Kysely<Tables>): Promise<void> {
  const at = '2026-01-01T00:00:00Z'
  for (const text of [
    `partners (id, name, state, created_at, updated_at) values (1, 'Acme', 'active', '${at}', '${at}')`,
    `accounts (id, partner_id, name, created_at, updated_at) values (1, 1, 'Acme', '${at}', '${at}')`,
    `businesses (id, account_id, name, aasm_state, created_at, updated_at) values (1, 1, 'Acme', 'active', '${at}', '${at}')`,
    `sites (id, account_id, business_id, domain, created_at, updated_at) values (1, 1, 1, 'acme.example', '${at}', '${at}')`,
    `subjects (account_id, id, site_id, domain, created_at) values (1, 1, 1, '', '${at}')`,
    `keywords (account_id, id, subject_id, phrase) values (1, 1, 1, 'drains')`,
    `pages (account_id, id, subject_id, source, page_url, match_confidence, last_updated, created_at, key_hash) values (1, 1, 1, 's', 'u', 1, '', '', 'k')`,
  ])
    await sql.raw(`insert into ${text}`).execute(tx)
  for (const [index, starts_at] of [...monthStarts, (monthStarts[1] as number) + 86_400 * 20].entries())
    for (const table of earlyMonthTables)
      await sql`insert into ${sql.table(table)} values (1, 1, ${starts_at}, ${Buffer.from([index, 0, 255])})`.execute(tx)
}

export async function readMonths({ db }: Store): Promise<readonly object[]> {
  const rows: object[] = []
  for (const table of earlyMonthTables)
    for (const row of (await sql<{ data: Uint8Array }>`select * from ${sql.table(table)} order by starts_at`.execute(db)).rows)
      rows.push({ table, ...row, data: Buffer.from(row.data).toString('hex') })
  return rows
}
