/** What an import can refer to, and what it will create: sites, their subjects, and the keywords and pages of those. */

import { notFound } from '../../lib/failures.ts'
import { memoOnce } from '../../lib/memo.ts'
import { emptyMap, withEntry } from '../../lib/shared-maps.ts'
import { keywordPieces, pagePieces, subjectPieces } from '../core/subject-pieces.ts'
import { accountsWithin, domainsOfDeleted, type Managing, sitesWithin } from '../core/tenancy.ts'
import { padded } from './batches.ts'
import { RankedUrls } from './check/ranked-urls.ts'
import { PlainSeries } from './plain-series.ts'
import type { PageRef, SiteRef, SiteToCome, SubjectRef, Target } from './refs.ts'
import { Sources } from './sources.ts'

/** Two reachable sites have that domain, and nothing says which is meant. */
export const ambiguous = Symbol('ambiguous')

export type Found = SiteRef | typeof ambiguous | undefined

export class References {
  readonly target: Target
  readonly sites: SiteRef[] = []
  readonly subjects: SubjectRef[] = []
  readonly pages: PageRef[] = []
  readonly keywordIds: number[] = []
  readonly sources = new Sources()
  readonly plain = new PlainSeries(this.sources)
  readonly rankedUrls = new RankedUrls()
  readonly #caller: Managing
  readonly #accounts = new Map<number | undefined, number | undefined>()
  readonly #byDomain = new Map<string, SiteRef[]>()
  /** Domains of deleted accounts, which nobody else can have. */
  readonly #ofDeleted = new Set<string>()
  readonly #coming: readonly SiteToCome[]
  readonly #toCome = new Map<string, readonly SiteToCome[]>()
  #come = 0
  readonly #partnerAccount = memoOnce(async () => {
    const partner = await this.#db.selectFrom('partners').select('account_id').where('id', '=', this.target.partnerId).executeTakeFirst()
    return partner?.account_id ?? undefined
  })

  constructor(caller: Managing, target: Target, coming: readonly SiteToCome[] = []) {
    this.#caller = caller
    this.target = target
    this.#coming = coming
  }

  /** Call it only after the domain was loaded. */
  site(domain: string, account: number | undefined): Found {
    const sites = this.#byDomain.get(domain) ?? []
    const found = account === undefined ? sites : sites.filter((site) => site.account_id === account)
    return found.length > 1 ? ambiguous : found[0]
  }

  /** Whether a site with this domain can be made. Call it only after the domain was loaded. */
  isFree(domain: string): boolean {
    return !this.#ofDeleted.has(domain)
  }

  /** Loads the reachable sites of these domains, and their competitors. */
  async loadSites(wanted: ReadonlySet<string>): Promise<void> {
    this.#learnComing()
    const domains = [...wanted].filter((domain) => !this.#byDomain.has(domain))
    if (domains.length === 0) return
    for (const domain of domains) this.#byDomain.set(domain, [])
    const rows = await this.#siteRows().where('sites.domain', 'in', padded(domains)).execute()
    await this.#loadSubjects(rows.map((row) => this.#addSite(row)))
    const deleted = await domainsOfDeleted(this.#db, this.target.partnerId, padded(domains)).execute()
    for (const { domain } of deleted) this.#ofDeleted.add(domain)
    const toCome = domains.flatMap((domain) => this.#toCome.get(domain) ?? [])
    for (const { isStored: _, ...site } of toCome) this.#addSite({ ...site, business: site.domain, location_id: null })
  }

  /** Some thousands of the reachable sites, from which to suggest what an unknown name may have meant. */
  async knownDomains(): Promise<string[]> {
    const rows = await this.#siteRows().limit(5_000).execute()
    return rows.map(({ domain }) => domain)
  }

  async loadKeywords(subjects: ReadonlySet<SubjectRef>): Promise<void> {
    const wanted = byId([...subjects].filter(({ hasKeywordsLoaded }) => !hasKeywordsLoaded))
    for (const subject of wanted.values()) subject.hasKeywordsLoaded = true
    wanted.delete(0)
    if (wanted.size === 0) return
    for (const [accountId, ids] of idsByAccount(wanted.values())) {
      for await (const rows of keywordPieces(this.#db, accountId, ids))
        for (const row of rows) this.addKeyword(wanted.get(row.subject_id) as SubjectRef, row.phrase, row.id)
    }
  }

  async loadPages(subjects: ReadonlySet<SubjectRef>): Promise<void> {
    const wanted = byId([...subjects].filter(({ hasPagesLoaded }) => !hasPagesLoaded))
    for (const subject of wanted.values()) subject.hasPagesLoaded = true
    wanted.delete(0)
    if (wanted.size === 0) return
    for (const [accountId, ids] of idsByAccount(wanted.values())) {
      for await (const rows of pagePieces(this.#db, accountId, ids))
        for (const row of rows) this.addPage(wanted.get(row.subject_id) as SubjectRef, row.source, row.page_url, row.id)
    }
  }

  /** What reviews of these days say, with their keys. */
  reviewsOf(accountId: number, pageIds: readonly number[], days: readonly string[]) {
    return this.#db
      .selectFrom('reviews')
      .select(['page_id', 'date', 'user', 'detail', 'key_hash'])
      .where('account_id', '=', accountId)
      .where('page_id', 'in', padded([...pageIds]))
      .where('date', 'in', padded([...days]))
      .execute()
  }

  /** The site, if the import is for one site. */
  async onlySite(): Promise<SiteRef | undefined> {
    if (this.target.siteId === undefined) return undefined
    const { domain } = (await this.#siteRows().executeTakeFirst()) ?? notFound('site')
    await this.loadSites(new Set([domain]))
    return this.site(domain, undefined) as SiteRef
  }

  /** Finds which of these accounts are reachable, and the default account for new sites. */
  async loadAccounts(ids: ReadonlySet<number>): Promise<void> {
    const home = this.target.accountId ?? (await this.#partnerAccount())
    const wanted = [...new Set([...ids, ...(home === undefined ? [] : [home])])].filter((id) => !this.#accounts.has(id))
    if (wanted.length === 0) return
    const rows = await accountsWithin(this.#caller)
      .select('id')
      .where('partner_id', '=', this.target.partnerId)
      .where('id', 'in', wanted)
      .execute()
    const isWithin = (id: number) => this.target.accountId === undefined || id === this.target.accountId
    for (const { id } of rows) if (isWithin(id)) this.#accounts.set(id, id)
    this.#accounts.set(undefined, home === undefined ? undefined : this.#accounts.get(home))
  }

  /** The account of a new site, or undefined if the named one is out of reach. */
  accountFor(named: number | undefined): number | undefined {
    return this.#accounts.get(named)
  }

  newSite(account_id: number, domain: string, business: string): SiteRef {
    return this.#addSite({ id: 0, account_id, domain, business, location_id: null })
  }

  addSubject(site: SiteRef, domain: string, id = 0): SubjectRef {
    const isNew = id === 0
    const subject: SubjectRef = {
      index: this.subjects.length,
      id,
      site,
      domain,
      isUsed: isNew,
      keywords: emptyMap,
      pages: emptyMap,
      hasKeywordsLoaded: isNew,
      hasPagesLoaded: isNew,
    }
    this.subjects.push(subject)
    site.subjects = withEntry(site.subjects, domain, subject)
    return subject
  }

  addKeyword(subject: SubjectRef, phrase: string, id = 0): number {
    const index = this.keywordIds.push(id) - 1
    subject.keywords = withEntry(subject.keywords, phrase, index)
    return index
  }

  addPage(subject: SubjectRef, source: string, page_url: string, id = 0): PageRef {
    const page = { index: this.pages.length, id, isNew: id === 0, isUsed: id === 0, subject, source, page_url }
    this.pages.push(page)
    subject.pages = withEntry(subject.pages, pageKey(source, page_url), page)
    return page
  }

  get #db() {
    return this.#caller.app.store.db
  }

  #siteRows() {
    const { partnerId, accountId, siteId } = this.target
    return sitesWithin(this.#caller)
      .innerJoin('accounts', 'accounts.id', 'sites.account_id')
      .innerJoin('businesses', 'businesses.id', 'sites.business_id')
      .leftJoin('locations', 'locations.site_id', 'sites.id')
      .select(['sites.id', 'sites.account_id', 'sites.domain', 'businesses.name as business', 'locations.id as location_id'])
      .where('accounts.partner_id', '=', partnerId)
      .$if(accountId !== undefined, (query) => query.where('sites.account_id', '=', accountId as number))
      .$if(siteId !== undefined, (query) => query.where('sites.id', '=', siteId as number))
  }

  #addSite({
    location_id,
    ...row
  }: {
    id: number
    account_id: number
    domain: string
    business: string
    location_id: number | null
  }): SiteRef {
    const site = { ...row, index: this.sites.length, isUsed: false, subjects: emptyMap, hasLocation: location_id !== null }
    this.sites.push(site)
    this.#byDomain.get(site.domain)?.push(site)
    return site
  }

  /** More may have come since the last call; those whose domain was loaded before would be missed. */
  #learnComing(): void {
    for (const site of this.#coming.slice(this.#come)) {
      const { id, account_id, domain, isStored } = site
      const loaded = this.#byDomain.get(domain)
      if (loaded === undefined && !isStored) this.#toCome.set(domain, [...(this.#toCome.get(domain) ?? []), site])
      else if (loaded?.every((one) => one.id !== id)) this.#addSite({ id, account_id, domain, business: domain, location_id: null })
    }
    this.#come = this.#coming.length
  }

  async #loadSubjects(sites: readonly SiteRef[]): Promise<void> {
    const byId = new Map(sites.map((site) => [site.id, site]))
    for (const [accountId, some] of Map.groupBy(sites, ({ account_id }) => account_id)) {
      const ids = some.map(({ id }) => id)
      for await (const rows of subjectPieces(this.#db, accountId, ids))
        for (const row of rows) this.addSubject(byId.get(row.site_id) as SiteRef, row.domain, row.id)
    }
  }
}

function byId(subjects: readonly SubjectRef[]): Map<number, SubjectRef> {
  return new Map(subjects.map((subject) => [subject.id, subject]))
}

/** Groups ids, because measured tables are queried one account at a time. */
function idsByAccount(subjects: Iterable<SubjectRef>): Map<number, number[]> {
  const byAccount = Map.groupBy(subjects, ({ site }) => site.account_id)
  return new Map([...byAccount].map(([accountId, some]) => [accountId, some.map(({ id }) => id)]))
}

export function pageKey(source: string, page_url: string): string {
  return `${source}\n${page_url}`
}
