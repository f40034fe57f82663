/** Reads the SEO report: accounts, their sites, and the measurements of each and of its competitors. */

import type { Batches, FlowOf } from '../../fields/streaming.ts'
import type { Backlink, competitor, seoReport, siteMetrics } from '../../resources/seo-report.ts'
import { Prefetch } from './prefetch.ts'
import { daysOf, type ReportQuestion, type Scope, type SeoTable } from './question.ts'
import { type DatedRows, readBacklinks } from './read-dated-rows.ts'
import { type KeywordItem, readKeywords } from './read-rankings.ts'
import { type Figures, type MeasuredSubject, nothingMeasured, readMeasuredSubjects, type SubjectKind } from './read-subjects.ts'
import { type SnapshotReader, statement } from './snapshot-reader.ts'

/** More than the interface prints, for the flat tables: names, and figures that tell what was never measured. */
export interface SiteItem {
  readonly key: number
  readonly domain: string
  readonly figures: Figures
  readonly value: FlowOf<typeof siteMetrics> & { competitors: AsyncIterable<readonly CompetitorItem[]> }
}

export interface CompetitorItem {
  readonly key: string
  readonly figures: Figures
  readonly value: FlowOf<typeof competitor>
}

export interface AccountItem {
  readonly key: number
  readonly value: { sites: AsyncIterable<readonly SiteItem[]> }
}

export interface SeoFlow extends FlowOf<typeof seoReport> {
  accounts: Iterable<readonly AccountItem[]>
}

interface SiteRow {
  readonly id: number
  readonly account_id: number
  readonly domain: string
}

/** The measurements of subjects of one kind, which must be requested in the order of printing. */
interface Measured {
  readonly subjects: Prefetch<MeasuredSubject>
  readonly backlinks: DatedRows<Backlink>
  readonly keywords: DatedRows<KeywordItem>
}

const accountsAtFirst = 100
const sitesAtOnce = 500

export function seoFlow(reading: SnapshotReader, scope: Scope, question: ReportQuestion): SeoFlow {
  const ids = scope.accounts.map(({ id }) => id)
  const sites = readSites(reading, scope)
  sites.expect(ids)
  return { accounts: accountItems(ids, (id) => sitesOf(reading, question, sites, id)) }
}

/** Generated while writing, because a partner may have very many accounts. */
function* accountItems(ids: readonly number[], sites: (id: number) => AsyncIterable<readonly SiteItem[]>): Generator<AccountItem[]> {
  for (const id of ids) yield [{ key: id, value: { sites: sites(id) } }]
}

function readSites(reading: SnapshotReader, { siteIds }: Scope): Prefetch<SiteRow> {
  const read = (accountIds: readonly number[], after = 0) =>
    siteIds === null ? sitesAfter(reading, accountIds, { after }) : namedSitesAfter(reading, accountIds, siteIds, after)
  return new Prefetch<SiteRow>({
    first: accountsAtFirst,
    early: reading.isRemote,
    read: (accountIds) => read(accountIds),
    readOn: (accountId, { id }) => read([accountId], id),
    groupOf: ({ account_id }) => account_id,
    limit: sitesAtOnce,
  })
}

const sitesAfter = statement<{ after: number }, SiteRow>({
  group: 'account_id',
  order: ['id'],
  limit: sitesAtOnce,
  select: ({ db, param }) => selectSites(db, param('after')),
})

function namedSitesAfter({ db, isOneOf }: SnapshotReader, accountIds: readonly number[], siteIds: readonly number[], after: number) {
  const sites = selectSites(db, after).where(isOneOf('account_id', accountIds)).where(isOneOf('id', siteIds))
  return sites.orderBy('account_id').orderBy('id').limit(sitesAtOnce).execute()
}

function selectSites(db: SnapshotReader['db'], after: number) {
  return db.selectFrom('sites').select(['id', 'account_id', 'domain']).where('id', '>', after)
}

async function* sitesOf(
  reading: SnapshotReader,
  question: ReportQuestion,
  sites: Prefetch<SiteRow>,
  accountId: number,
): AsyncGenerator<SiteItem[]> {
  const own = measuredOf(reading, question, accountId, 'sites')
  const competitors = measuredOf(reading, question, accountId, 'competitors')
  for await (const some of sites.of(accountId)) {
    const ids = some.map(({ id }) => id)
    own.subjects.expect(ids)
    competitors.subjects.expect(ids)
    for (const site of some) yield [await siteItem(own, competitors, site)]
  }
}

function measuredOf(reading: SnapshotReader, question: ReportQuestion, accountId: number, of: SubjectKind): Measured {
  const days = daysOf(question)
  // A flat table contains one kind of rows, so the others are not prefetched.
  const isEarly = (table: SeoTable) => reading.isRemote && (question.table ?? table) === table
  const backlinks = readBacklinks(reading, days, accountId, isEarly('backlinks'))
  const keywords = readKeywords({ reading, days, accountId, choice: question }, isEarly('rankings'))
  const onSubjects = (some: readonly MeasuredSubject[]) => {
    const ids = some.map(({ id }) => id)
    backlinks.expect(ids)
    keywords.expect(ids)
  }
  return {
    subjects: readMeasuredSubjects({ reading, accountId, of, onSubjects }, daysOf(question).last, question.table === 'metrics'),
    backlinks,
    keywords,
  }
}

async function siteItem(own: Measured, competitors: Measured, { id, domain }: SiteRow): Promise<SiteItem> {
  const [subject] = await own.subjects.all(id)
  const figures = subject?.figures ?? nothingMeasured
  return {
    key: id,
    domain,
    figures,
    value: { ...figures.written, ...listsOf(own, subject), competitors: competitorItems(competitors, id) },
  }
}

async function* competitorItems(competitors: Measured, siteId: number): AsyncGenerator<CompetitorItem[]> {
  for await (const some of competitors.subjects.of(siteId)) {
    yield some.map((subject) => {
      const { domain, figures } = subject
      return { key: domain, figures, value: { ...figures.written, ...listsOf(competitors, subject) } }
    })
  }
}

function listsOf(
  { backlinks, keywords }: Measured,
  subject: MeasuredSubject | undefined,
): { backlinks: Batches<Backlink>; keywords: Batches<KeywordItem> } {
  return subject === undefined
    ? { backlinks: [], keywords: [] }
    : { backlinks: backlinks.of(subject.id), keywords: keywords.of(subject.id) }
}
