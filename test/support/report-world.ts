/** The fixed small world of the report tests: two partners, one with two sites that were measured, one that was not, and an empty account. */
import { draftOf } from '../../src/fields/read.ts'
import { readNdjson } from '../../src/model/imports/formats.ts'
import { importObservations } from '../../src/model/imports/import.ts'
import { createAccount } from '../../src/model/partners/accounts.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newBusiness } from '../../src/resources/business.ts'
import type { TestPartner, TestService } from './service.ts'

export interface ReportWorld {
  acme: TestPartner
  globex: TestPartner
  /** Acme's second account, without sites. */
  emptyAccountId: number
  /** Of Acme's own account: measured, barely measured, never measured. */
  plumbingId: number
  roofingId: number
  newId: number
  globexSiteId: number
}

/** The same ids on every fresh database, so that whole answers can be compared. */
export async function makeReportWorld(service: TestService): Promise<ReportWorld> {
  const acme = await service.partner('Acme')
  const globex = await service.partner('Globex')
  const emptyAccountId = (await createAccount(service.operator, acme.id, 'Empty')).id
  const plumbingId = await addSite(service, acme.accountId, 'plumbing.example')
  const globexSiteId = await addSite(service, globex.accountId, 'plumbing.example')
  const roofingId = await addSite(service, acme.accountId, 'roofing.example')
  const newId = await addSite(service, acme.accountId, 'new.example')
  await observe(service, acme, [...ofPlumbing, ...ofRoofing])
  await observe(service, globex, [ranking({ phrase: 'globex secret', rank: 1 }), { type: 'location', site, created_at: moment }])
  return { acme, globex, emptyAccountId, plumbingId, roofingId, newId, globexSiteId }
}

export async function addSite({ operator }: TestService, account_id: number, domain: string): Promise<number> {
  const business = await createBusiness(operator, draftOf(newBusiness, { name: `Business of ${domain}`, account_id }))
  return (await createSite(operator, business.id, domain)).id
}

/** Takes records in as an import does; what they refer to is created. */
export async function observe(service: TestService, partner: TestPartner, records: readonly object[]): Promise<void> {
  const lines = records.map((record) => JSON.stringify(record)).join('\n')
  const { refused, faults } = await importObservations(service.operator, { partnerId: partner.id }, readNdjson(once(lines)), {
    createMissing: true,
  })
  if (refused > 0) throw new Error(`the world does not hold: ${JSON.stringify(faults)}`)
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

const site = 'plumbing.example'
const competitor = 'rival.example'
const moment = '2026-03-04 05:06:07'

export function ranking(changes: object): object {
  return {
    type: 'ranking',
    site,
    phrase: 'plumber chicago',
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: '2026-03-01 04:05:06',
    rank: 1,
    ...changes,
  }
}

export function backlink(changes: object): object {
  const link = {
    found_on: '2026-03-01',
    link_strength: 5,
    source_url: 'http://blog.example/?a=1&b=2',
    domain_authority: 41,
    anchor_text: 'plumbers',
  }
  return { type: 'backlink', site, ...link, ...changes }
}

const page = { site, page_url: 'http://maps.example/?cid=1&x=2' }
const review = { type: 'review', ...page, source: 'google', business_name: "Bob's Plumbing & Co", created_at: moment }

const ofPlumbing = [
  { type: 'competitor', site, competitor, created_at: moment },
  { type: 'competitor', site, competitor: '24hours.example', created_at: moment },
  {
    type: 'snapshot',
    site,
    day: '2026-01-31',
    download_time: 0.5,
    pages_indexed_in_google: 7,
    domain_authority: 40,
    backlink_count: 9,
    domain_age: 1203,
  },
  {
    type: 'snapshot',
    site,
    day: '2026-02-28',
    download_time: 0.35,
    pages_indexed_in_google: 8,
    pages_indexed_in_bing: 3,
    domain_authority: null,
    domain_age: 1234,
  },
  { type: 'snapshot', site, day: '2026-03-31', pages_indexed_in_google: 12, domain_count: 4 },
  { type: 'snapshot', site, competitor, day: '2026-02-28', backlink_count: 2, domain_age: 9 },
  { type: 'keyword', site, phrase: 'never ranked' },
  ranking({ rank: 1 }),
  ranking({ search_engine: 'Bing', rank: null }),
  ranking({ search_engine: 'Bing', locale: 'de-de', rank: 17 }),
  ranking({ ranked_at: '2026-02-28 23:59:59', rank: 2 }),
  ranking({ ranked_at: '2026-03-02 00:00:00', rank: 65_535 }),
  ranking({ phrase: '24/7 <b>&amp; "café" 💩', rank: 3 }),
  ranking({ phrase: 'Z last of the capitals', rank: 4 }),
  ranking({ phrase: 'ärger', rank: 5 }),
  ranking({ phrase: 'a_x0020_b', rank: 6 }),
  ranking({ competitor, rank: 2 }),
  ranking({ competitor, phrase: 'xml sitemaps', rank: 8 }),
  ranking({ competitor: '24hours.example', rank: 9 }),
  backlink({}),
  backlink({ found_on: '2026-02-28', source_url: 'https://news.example/', anchor_text: '' }),
  backlink({ found_on: '2026-03-02', anchor_text: ']]> <i>]\r\n\tü' }),
  backlink({ competitor, anchor_text: '=1+1' }),
  { type: 'location', site, twitter_page: null, facebook_page: 'http://facebook.example/x', created_at: moment },
  { type: 'page', ...page, source: 'google', match_confidence: 90, last_updated: '2026-03-05', created_at: moment },
  { type: 'page', site, page_url: 'http://yelp.example/', source: 'yelp', last_updated: '2026-03-06', created_at: moment },
  { type: 'page', ...page, competitor, source: 'bing', match_confidence: 80, last_updated: '2026-03-05', created_at: moment },
  {
    ...review,
    ref: 'r2',
    rating: 4,
    date: '2026-03-01',
    sentiment_score: -1,
    url: 'http://maps.example/r/10',
    total: 5,
    header: 'Great',
    detail: 'Line one\nline two',
    user: 'A reviewer',
  },
  { ...review, ref: 'r1', rating: 1, date: '2026-02-28', detail: '=cmd|"/c calc"!A1', user: '-2+3' },
  { ...review, competitor, page_source: 'bing', ref: 'r3', rating: 3, date: '2026-03-01' },
  { type: 'review_count', ...page, source: 'google', date: '2026-03-01', count: 3, rating_sum: 12, created_at: moment },
  {
    type: 'review_count',
    ...page,
    page_source: 'google',
    source: 'citysearch',
    date: '2026-03-01',
    count: 1,
    rating_sum: 5,
    created_at: moment,
  },
  { type: 'review_count', ...page, source: 'google', date: '2026-02-28', count: 2, rating_sum: 3, created_at: moment },
  {
    type: 'review_count',
    ...page,
    competitor,
    page_source: 'bing',
    source: 'bing',
    date: '2026-03-02',
    count: 7,
    rating_sum: 30,
    created_at: moment,
  },
]

const ofRoofing = [
  ranking({ site: 'roofing.example', phrase: 'roofer', rank: 11 }),
  { type: 'location', site: 'roofing.example', created_at: moment },
]
