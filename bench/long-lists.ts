/** Long lists of backlinks and of reviews of one day: twice as many take twice as long, on either database. */
import type { Kysely } from 'kysely'
import { renewMeasuredVersions } from '../src/model/core/report-version.ts'
import type { Tables } from '../src/store/rows/tables.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { type Client, startClient } from './client.ts'
import { type Desk, openDesk } from './desk.ts'
import { compare, type Line, line } from './measure.ts'
import { addAccount } from './world.ts'

const rounds = 3
const warmUp = 1
const fewer = Number(process.env.BENCH_ROWS ?? 100_000)
const more = 2 * fewer
const one = { sites: 1, competitors: 0, keywords: 1, days: 1 }

export async function longLists(): Promise<Line[]> {
  const postgres = await startPostgres()
  try {
    return [...(await listsFrom('SQLite')), ...(await listsFrom('PostgreSQL', postgres.url))]
  } finally {
    await postgres.stop()
  }
}

async function listsFrom(database: string, url?: string): Promise<Line[]> {
  const accounts = { fewer: 0, more: 0 }
  const desk = await openDesk(async (operator, partnerId) => {
    for (const [name, count] of [
      ['fewer', fewer],
      ['more', more],
    ] as const) {
      accounts[name] = await addAccount(operator, partnerId, name, { ...one, backlinks: count })
      await operator.app.store.write((tx) => addReviews(tx, accounts[name], count), 'unlimited')
    }
  }, url)
  const client = startClient()
  const ask = (name: 'fewer' | 'more', path: (id: number) => string) => () => read(desk, client, path(accounts[name]), accounts[name])
  const taken = await compare(
    {
      links: ask('fewer', seo),
      moreLinks: ask('more', seo),
      reviews: ask('fewer', reputation),
      moreReviews: ask('more', reputation),
    },
    rounds,
    warmUp,
  )
  client.stop()
  await desk.close()
  const against = `${fewer.toLocaleString('en-US')} of them`
  const work = (what: string) => `report of ${more.toLocaleString('en-US')} ${what} of one site from ${database}`
  return [
    line({ work: work('backlinks'), unit: 'ms', ours: taken.moreLinks, against, theirs: taken.links, goal: '<= 2.2' }),
    line({ work: work('reviews'), unit: 'ms', ours: taken.moreReviews, against, theirs: taken.reviews, goal: '<= 2.2' }),
  ]
}

const seo = (id: number) => `/api/seo_report.xml?account_id=${id}`
const reputation = (id: number) => `/api/accounts/${id}/reputation_report/detail.xml`

async function read(desk: Desk, client: Client, path: string, accountId: number): Promise<number> {
  await desk.touch(accountId)
  const { milliseconds, status } = await client.get(desk.ask(path))
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return milliseconds
}

const rowsPerInsert = 1_000

async function addReviews(tx: Kysely<Tables>, account_id: number, count: number): Promise<void> {
  await renewMeasuredVersions(tx, [account_id])
  const site = await tx.selectFrom('sites').select('id').where('account_id', '=', account_id).executeTakeFirstOrThrow()
  const subject = await tx.selectFrom('subjects').select('id').where('account_id', '=', account_id).executeTakeFirstOrThrow()
  const at = '2026-10-01T00:00:00Z'
  await tx
    .insertInto('locations')
    .values({ account_id, site_id: site.id, twitter_page: null, facebook_page: null, created_at: at })
    .execute()
  const page = await tx
    .insertInto('pages')
    .values({
      account_id,
      subject_id: subject.id,
      source: 'google',
      page_url: 'https://maps.example/1',
      match_confidence: 9,
      last_updated: at,
      created_at: at,
      key_hash: 'p',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let start = 0; start < count; start += rowsPerInsert) {
    const rows = Array.from({ length: rowsPerInsert }, (_, index) => reviewOf(account_id, page.id, start + index))
    await tx.insertInto('reviews').values(rows).execute()
  }
}

function reviewOf(account_id: number, page_id: number, index: number) {
  const said = {
    header: `Review ${index}`,
    detail: 'Quick and friendly, and they left the place cleaner than it was.',
    user: `Dana ${index}`,
  }
  const about = { business_name: 'Acme', url: `https://maps.example/1/${index}`, source: 'google', ref: null, key_hash: `r${index}` }
  return {
    account_id,
    page_id,
    date: '2026-10-01',
    rating: 4,
    created_at: '2026-10-01T00:00:00Z',
    sentiment_score: 3,
    total: 5,
    ...said,
    ...about,
  }
}
