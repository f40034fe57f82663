/** The SEO report as it is read: accounts, their sites, and what was measured of each, a batch of sites at a time. */

import type { FlowOf } from '../../fields/streaming.ts'
import type { competitor, seoReport, siteMetrics } from '../../resources/seo-report.ts'
import type { Figures } from './figures.ts'
import type { SnapshotReader } from './prefetch.ts'
import type { AccountInScope, ReportQuestion, Scope } from './question.ts'
import { readSites, type SiteBatch, type SiteInReport } from './read-sites.ts'
import type { SubjectInReport } from './subjects.ts'

/** More than the interface prints, for the flat tables: names, and figures that know what was never measured. */
export interface SiteItem {
  readonly key: number
  readonly domain: string
  readonly figures: Figures
  readonly value: FlowOf<typeof siteMetrics> & { competitors: Iterable<readonly CompetitorItem[]> }
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
  accounts: AsyncIterable<readonly AccountItem[]>
}

const accountsAtOnce = 100
const sitesAtOnce = 16

export function seoFlow(reading: SnapshotReader, scope: Scope, question: ReportQuestion): SeoFlow {
  return { accounts: accounts(reading, scope, question) }
}

async function* accounts(reading: SnapshotReader, scope: Scope, question: ReportQuestion): AsyncGenerator<AccountItem[]> {
  for (let start = 0; start < scope.accounts.length; start += accountsAtOnce) {
    const some = scope.accounts.slice(start, start + accountsAtOnce)
    const sites = new SitesInOrder(reading, question, await sitesOf(reading, some, scope.siteIds))
    yield some.map(({ id }) => ({ key: id, value: { sites: sites.of(id) } }))
  }
}

async function sitesOf(
  { db, isOneOf }: SnapshotReader,
  some: readonly AccountInScope[],
  siteIds: Scope['siteIds'],
): Promise<SiteInReport[]> {
  const ids = some.map(({ id }) => id)
  const sites = db.selectFrom('sites').select(['id', 'account_id', 'domain']).where(isOneOf('account_id', ids))
  return (siteIds === null ? sites : sites.where(isOneOf('id', siteIds))).orderBy('account_id').orderBy('id').execute()
}

/** The sites of some accounts, asked for in order; what is measured of them is read for several sites at once. */
class SitesInOrder {
  readonly #reading: SnapshotReader
  readonly #question: ReportQuestion
  readonly #sites: readonly SiteInReport[]
  #next = 0
  #batch: SiteBatch | undefined

  constructor(reading: SnapshotReader, question: ReportQuestion, sites: readonly SiteInReport[]) {
    this.#reading = reading
    this.#question = question
    this.#sites = sites
  }

  async *of(accountId: number): AsyncGenerator<SiteItem[]> {
    for (let site = this.#sites[this.#next]; site?.account_id === accountId; site = this.#sites[this.#next]) {
      if (this.#next % sitesAtOnce === 0) this.#batch = await this.#read()
      this.#next++
      yield [siteItem(this.#batch as SiteBatch, site)]
    }
  }

  #read(): Promise<SiteBatch> {
    return readSites(this.#reading, this.#question, this.#sites.slice(this.#next, this.#next + sitesAtOnce))
  }
}

function siteItem(batch: SiteBatch, { id, domain }: SiteInReport): SiteItem {
  const { own, competitors } = batch.subjectsOf(id)
  const figures = batch.figuresOf(own)
  const value = {
    ...figures.written,
    backlinks: own === undefined ? [] : batch.backlinksOf(own),
    keywords: own === undefined ? [] : batch.keywordsOf(own),
    competitors: competitors.length === 0 ? [] : [competitors.map((subject) => competitorItem(batch, subject))],
  }
  return { key: id, domain, figures, value }
}

function competitorItem(batch: SiteBatch, subject: SubjectInReport): CompetitorItem {
  const figures = batch.figuresOf(subject)
  return {
    key: subject.domain,
    figures,
    value: { ...figures.written, backlinks: batch.backlinksOf(subject), keywords: batch.keywordsOf(subject) },
  }
}
