/** Somebody deletes a site, competitor, keyword or page while records that name it are being stored: the import is refused, and nothing of it stays. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Failure } from '../../../src/lib/failures.ts'
import { exportObservations } from '../../../src/model/imports/export/export.ts'
import { readNdjson } from '../../../src/model/imports/formats.ts'
import type { ImportLine } from '../../../src/model/imports/import-line.ts'
import { storeObservations } from '../../../src/model/intakes/store-observations.ts'
import { deleteReviewPage } from '../../../src/model/partners/review-pages.ts'
import { deleteCompetitor, deleteKeyword } from '../../../src/model/partners/site-contents.ts'
import { deleteSite } from '../../../src/model/partners/site-removal.ts'
import { bytesOf, importLines, type World, worldAt } from '../../support/data.ts'
import { onEachEngine } from '../../support/engines.ts'

const shop = { site: 'shop.example' }
const rival = { ...shop, competitor: 'rival.example' }
const seen = { search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-14 00:00:00', rank: 3 }
const page = { ...shop, source: 'google', page_url: 'https://maps.example/1' }
const review = { type: 'review', ...page, rating: 5, date: '2026-11-14', ref: 'r1' }
const backlink = {
  type: 'backlink',
  ...shop,
  found_on: '2026-11-14',
  link_strength: 3,
  source_url: 'https://b.example/',
  domain_authority: 4,
}

/** All that the shop has before an import begins. */
const known = [
  { type: 'keyword', ...shop, phrase: 'bread' },
  { type: 'keyword', ...rival, phrase: 'cake' },
  { type: 'page', ...page },
]

type Deletion = 'site' | 'competitor' | 'keyword' | 'page'

/** Records that the check accepts, and what is deleted before they are stored. */
const cases: readonly (readonly [records: string, deleted: Deletion, lines: readonly object[]])[] = [
  ['a location', 'site', [{ type: 'location', ...shop, twitter_page: 'shop' }]],
  ['a competitor', 'site', [{ type: 'competitor', ...shop, competitor: 'other.example' }]],
  ['a new keyword', 'site', [{ type: 'keyword', ...shop, phrase: 'rolls' }]],
  ['a backlink', 'site', [backlink]],
  ['a snapshot', 'competitor', [{ type: 'snapshot', ...rival, day: '2026-11-14', backlink_count: 3 }]],
  ['a new page', 'competitor', [{ type: 'page', ...page, ...rival }]],
  ['a ranking', 'keyword', [{ type: 'ranking', ...shop, phrase: 'bread', ...seen }]],
  ['a ranked page', 'site', [{ type: 'ranking', ...shop, phrase: 'bread', ...seen, url: 'https://shop.example/bread' }]],
  [
    'clicks',
    'keyword',
    [{ type: 'click_count', ...shop, phrase: 'bread', search_engine: 'Google', date: '2026-11-14', clicks: 1, impressions: 2 }],
  ],
  ['a review', 'page', [review]],
  ['review counts', 'page', [{ type: 'review_count', ...page, date: '2026-11-14', count: 1, rating_sum: 5 }]],
]

onEachEngine('while records are stored', (place) => {
  const world = worldAt(place)
  /** Stored before the records of a case, in transactions of their own. */
  const others = [
    { type: 'keyword', site: 'example.com', phrase: 'pipes' },
    { type: 'ranking', site: 'example.com', phrase: 'pipes', ...seen },
    { type: 'competitor', site: 'example.com', competitor: 'new.example' },
  ]

  before(() => importLines(world, [{ type: 'snapshot', site: 'example.com', day: '2026-11-01', backlink_count: 1 }]))

  for (const [records, deleted, lines] of cases)
    for (const inOneTransaction of records === 'a ranking' || records === 'a location' ? [false, true] : [false])
      test(`of ${records} the ${deleted} is deleted${inOneTransaction ? ', and all is one transaction' : ''}`, async () => {
        await importLines(world, known, { createMissing: true }, { partnerId: world.partnerId, accountId: world.accountId })
        let left: string | undefined
        const arriving = async function* (): AsyncGenerator<readonly ImportLine[]> {
          yield* readNdjson(bytesOf([...others, ...lines]))
          // All are checked by now, and none is stored.
          await deletions[deleted](world)
          left = await everything(world)
        }
        const target = { partnerId: world.partnerId, accountId: world.accountId }
        const storing = storeObservations(world.operator, target, arriving(), { createMissing: true, inOneTransaction })
        await assert.rejects(
          storing,
          (error) => error instanceof Failure && error.code === 'unavailable' && /was deleted/.test(`${error.details.sentence}`),
        )
        assert.equal(await everything(world), left)
        assert.deepEqual(await orphans(world), [])
        assert.notEqual((await lastIntake(world))?.state, 'storing')
        const again = await storeObservations(world.operator, target, readNdjson(bytesOf(lines)), {})
        assert.ok(again.refused === 1 || deleted !== 'site', JSON.stringify(again))
        if (deleted !== 'site') await deletions.site(world)
      })
})

const deletions: Readonly<Record<Deletion, (world: World) => Promise<unknown>>> = {
  site: async (world) => deleteSite(world.operator, await siteId(world)),
  competitor: async (world) =>
    deleteCompetitor(world.operator, await siteId(world), await idIn(world, 'subjects', 'domain', 'rival.example')),
  keyword: async (world) => deleteKeyword(world.operator, await siteId(world), await idIn(world, 'keywords', 'phrase', 'bread')),
  page: async (world) => deleteReviewPage(world.operator, await siteId(world), await idIn(world, 'pages', 'page_url', page.page_url)),
}

function siteId(world: World): Promise<number> {
  return idIn(world, 'sites', 'domain', shop.site)
}

async function idIn(
  { app, accountId }: World,
  table: 'sites' | 'subjects' | 'keywords' | 'pages',
  column: string,
  value: string,
): Promise<number> {
  const rows = app.store.db
    .selectFrom(table as 'sites')
    .select('id')
    .where('account_id', '=', accountId)
  return (await rows.where(column as 'domain', '=', value).executeTakeFirstOrThrow()).id
}

async function everything({ operator }: World): Promise<string> {
  const lines: string[] = []
  await exportObservations(operator, {}, async (text) => void lines.push(text))
  return lines.join('')
}

const below = [
  ['subjects', 'site_id', 'sites'],
  ['locations', 'site_id', 'sites'],
  ...(['keywords', 'pages', 'snapshots', 'backlinks', 'ranked_urls'] as const).map((table) => [table, 'subject_id', 'subjects'] as const),
  ...(['ranking_months', 'ranked_url_months', 'click_count_months'] as const).map((table) => [table, 'keyword_id', 'keywords'] as const),
  ...(['reviews', 'review_count_months'] as const).map((table) => [table, 'page_id', 'pages'] as const),
] as const

/** Rows whose owner does not exist; an export does not show them. */
async function orphans({ app, accountId }: World): Promise<string[]> {
  const found: string[] = []
  for (const [table, owner, above] of below) {
    const owners = await app.store.db
      .selectFrom(above as 'sites')
      .select('id')
      .where('account_id', '=', accountId)
      .execute()
    const rows = app.store.db
      .selectFrom(table as 'pages')
      .select(owner as 'subject_id')
      .where('account_id', '=', accountId)
    const known = new Set(owners.map(({ id }) => id))
    for (const row of await rows.execute()) if (!known.has(row[owner as 'subject_id'])) found.push(table)
  }
  return found
}

function lastIntake({ app }: World) {
  return app.store.db.selectFrom('intakes').select('state').orderBy('id', 'desc').limit(1).executeTakeFirst()
}
