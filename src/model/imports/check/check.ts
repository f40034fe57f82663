/** The first half of an import: reads and checks every line and sets the accepted records aside; nothing is written to the database. */

import { readIncoming, type Values } from '../../../fields/read-incoming.ts'
import { endsFile, type ImportError, type LineError, withValue } from '../../../resources/imports/import-fault.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import { isSeriesRecord, type SeriesRecord, seriesOf } from '../../../store/series.ts'
import type { ImportLine, PlainWish } from '../import-line.ts'
import { ambiguous, pageKey, type References } from '../references.ts'
import type { PageRef, SiteRef, SubjectRef } from '../refs.ts'
import { ImportSpools } from '../spools.ts'
import { DoubledKeys, type DoubledLines } from './doubled-keys.ts'
import { filePeriod, fileSeries } from './file-series.ts'
import { distinct, hasFacts, type Item, isKind, isOfReport, type PlaceOf, type Refusal } from './item.ts'
import { KnownReviews, type ReviewOnPage } from './known-reviews.ts'
import { type ReadAs, readingEnd } from './reading-end.ts'

export interface CheckOptions {
  readonly createMissing: boolean
  /** Refuses records of one key with other figures, instead of taking the last. */
  readonly refusesDoubled?: boolean
  /** Lines that are refused, because an earlier reading found that their keys have different figures. */
  readonly doubled?: DoubledLines | undefined
  /** Called with each line that is refused, and why. */
  readonly refused?: ((line: ImportLine, faults: readonly LineError[]) => void) | undefined
}

const maxStatedFaults = 100
const noSite = (code: 'unknown' | 'ambiguous'): LineError => ({ field: 'site', code })

export class ImportCheck {
  readonly reach: References
  readonly spools = new ImportSpools()
  /** The first hundred errors, and one where reading ended early. */
  readonly faults: ImportError[] = []
  readonly accepted = new Map<ObservationKind, number>()
  hasOwn = false
  /** Whether the file as a whole cannot be read, or not to its end. */
  hasEnded = false
  lines = 0
  refused = 0
  readonly #options: CheckOptions
  readonly #doubled: DoubledKeys | undefined
  readonly #knownReviews: KnownReviews
  #onlySite: SiteRef | undefined
  #last: PlaceOf = { line: 0, index: 0 }

  constructor(reach: References, options: CheckOptions) {
    this.reach = reach
    this.#options = options
    this.#knownReviews = new KnownReviews(reach)
    this.#doubled = options.refusesDoubled && !options.doubled ? new DoubledKeys() : undefined
  }

  async open(): Promise<this> {
    this.#onlySite = await this.reach.onlySite()
    return this
  }

  /** Whether so much was refused that no more is read; a last fault then says so. */
  endsEarly(readAs: ReadAs): boolean {
    const end = readingEnd(readAs, this.lines, this.refused)
    if (end !== undefined) this.faults.push({ ...this.#last, line: this.#last.line + 1, index: this.lines, ...end })
    return end !== undefined
  }

  /** All lines of keys that have different figures, which are known only at the end. */
  doubledLines(): DoubledLines | undefined {
    return this.#doubled?.lines()
  }

  refuseDoubled(lines: DoubledLines): void {
    this.refused += lines.many
    this.faults.push(...lines.faults(Math.max(0, maxStatedFaults - this.faults.length)))
  }

  close(): void {
    this.spools.close()
    this.#doubled?.close()
  }

  async take(arrivals: readonly ImportLine[]): Promise<void> {
    const read = arrivals.map((arrival) => this.#read(arrival))
    await this.#load(read.filter((one) => 'values' in one))
    // Bad lines are refused only now, so that errors come in the order of lines.
    for (const one of read) {
      if ('values' in one) this.#accept(one)
      else this.#refuse(one, one.faults)
    }
  }

  #read(line: ImportLine): Item | Refusal {
    const { record, fault, found, isOwn = false, file } = line
    this.hasOwn ||= isOwn
    const from = { line: line.line, index: this.lines++, ...(file !== undefined && { file }) }
    this.#last = from
    if (fault) return { from, line, faults: [fault] }
    if (this.#options.doubled?.has(from)) return { from, line, faults: [{ field: '', code: 'doubled_key' }] }
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      return { from, line, faults: [{ field: '', code: 'not_json' }] }
    const given = record as Record<string, unknown>
    const kind = given.type
    if (!isKind(kind)) return { from, line, faults: [{ field: 'type', code: kind === undefined ? 'blank' : 'unknown_type' }] }
    const values = readIncoming(observations[kind].fields, given, this.#onlySite && 'site')
    return Array.isArray(values)
      ? { from, line, faults: values.map((fault) => withValue(fault, given[fault.field], found?.[fault.field])) }
      : { from, line, kind, given, values }
  }

  #refuse({ from, line }: Refusal | Item, faults: readonly LineError[]): void {
    this.refused++
    this.hasEnded ||= faults.some(({ code }) => endsFile(code))
    this.#options.refused?.(line, faults)
    for (const fault of faults) if (this.faults.length < maxStatedFaults) this.faults.push({ ...from, ...fault })
  }

  /** Loads what many lines refer to with a few statements. */
  async #load(items: readonly Item[]): Promise<void> {
    await this.reach.loadSites(distinct(items, ({ site }) => site as string | undefined))
    if (this.#options.createMissing) await this.reach.loadAccounts(distinct(items, ({ account }) => account as number | undefined))
    await this.reach.loadKeywords(distinct(items, (values) => (values.phrase === undefined ? undefined : this.#knownSubject(values))))
    await this.reach.loadPages(distinct(items, (values) => (values.page_url === undefined ? undefined : this.#knownSubject(values))))
    await this.#knownReviews.load(items.flatMap((item) => (isOfReport(item) ? (this.#onPage(item.values) ?? []) : [])))
  }

  #onPage(values: Values): ReviewOnPage | undefined {
    const page = this.#knownSubject(values)?.pages.get(pageKey((values.page_source ?? values.source) as string, values.page_url as string))
    return page && { page, values }
  }

  #knownSubject(values: Values): SubjectRef | undefined {
    const site = this.#site(values)
    return site === undefined || site === ambiguous ? undefined : site.subjects.get((values.competitor as string | undefined) ?? '')
  }

  #site(values: Values) {
    return values.site === undefined ? this.#onlySite : this.reach.site(values.site as string, values.account as number | undefined)
  }

  #accept(item: Item): void {
    const site = this.#site(item.values) ?? this.#createSite(item.values)
    const fault = site === undefined ? noSite('unknown') : site === ambiguous ? noSite('ambiguous') : this.#file(item, site)
    if (fault === undefined) this.#take(item)
    else this.#refuse(item, [withValue(fault, item.given[fault.field], item.line.found?.[fault.field])])
  }

  #take({ kind, values, line, from }: Item): void {
    this.accepted.set(kind, (this.accepted.get(kind) ?? 0) + 1)
    if (line.isBeside !== true) this.#doubled?.add(kind, values, from)
  }

  #createSite(values: Values): SiteRef | undefined {
    if (!this.#options.createMissing || this.reach.target.siteId !== undefined) return undefined
    const account = this.reach.accountFor(values.account as number | undefined)
    if (account === undefined) return undefined
    const domain = values.site as string
    if (!this.reach.isFree(domain)) return undefined
    const site = this.reach.newSite(account, domain, (values.business as string | undefined) ?? domain)
    this.spools.sites.add(site.index)
    return site
  }

  /** Sets the record aside, or returns an error if it refers to something unknown. */
  #file({ kind, values, line }: Item, site: SiteRef): LineError | undefined {
    site.isUsed = true
    if (kind === 'site') return undefined
    if (kind === 'location') return this.#fileLocation(site, values)
    const isFirst = kind === 'competitor' && !site.subjects.has(values.competitor as string)
    const subject = this.#subject(site, kind, values)
    if (subject === undefined) return { field: 'competitor', code: 'unknown' }
    if (kind === 'keyword') return this.#fileKeyword(subject, values)
    if (isSeriesRecord(kind)) return fileSeries(this.#filing(kind, subject, values, line.plain), kind, values)
    if (kind === 'period')
      return filePeriod(this.spools, subject.index, values, () => this.#keyword(subject, values, this.#options.createMissing))
    if (kind === 'page') return this.#filePage(subject, values)
    if (kind === 'review') return this.#fileReview(subject, values, line.isReport)
    this.spools.addRow(kind, kind === 'competitor' ? site.index : subject.index, values, isFirst)
    return undefined
  }

  /** A competitor must be declared by a record of its own; the site itself need not be. */
  #subject(site: SiteRef, kind: ObservationKind, values: Values): SubjectRef | undefined {
    const domain = (values.competitor as string | undefined) ?? ''
    const known = site.subjects.get(domain)
    if (known !== undefined) return Object.assign(known, { isUsed: true })
    if (domain !== '' && kind !== 'competitor' && !this.#options.createMissing) return undefined
    const subject = this.reach.addSubject(site, domain)
    this.spools.subjects.add({ subject: subject.index, created_at: kind === 'competitor' ? values.created_at : undefined })
    return subject
  }

  #keyword(subject: SubjectRef, values: Values, isDeclared: boolean): number | undefined {
    const phrase = values.phrase as string
    const known = subject.keywords.get(phrase)
    if (known !== undefined || !isDeclared) return known
    const index = this.reach.addKeyword(subject, phrase)
    const { search_volume = null, tags = null } = values
    this.spools.keywords.add({ subject: subject.index, phrase, keyword: index, search_volume, tags })
    return index
  }

  /** A record that only says that the keyword exists needs no further storing. */
  #fileKeyword(subject: SubjectRef, values: Values): undefined {
    const isFirst = !subject.keywords.has(values.phrase as string)
    const index = this.#keyword(subject, values, true) as number
    if (this.reach.keywordIds[index] !== 0 || hasFacts(values)) this.spools.addRow('keyword', subject.index, values, isFirst)
  }

  #filing(kind: SeriesRecord, subject: SubjectRef, values: Values, plain: PlainWish | undefined) {
    const owners = {
      keyword_id: () => this.#keyword(subject, values, this.#options.createMissing),
      page_id: () => this.#page(subject, values)?.index,
      subject_id: () => subject.index,
    }
    return { reach: this.reach, spools: this.spools, subject, plain, owner: owners[seriesOf(kind)[0].owner] }
  }

  #fileLocation(site: SiteRef, values: Values): undefined {
    site.hasLocation = true
    this.spools.addRow('location', site.index, values)
  }

  #filePage(subject: SubjectRef, values: Values): undefined {
    const { source, page_url } = values as Record<string, string>
    if (!subject.pages.has(pageKey(source as string, page_url as string))) this.#newPage(subject, source as string, page_url as string)
    this.spools.addRow('page', subject.index, values)
  }

  #newPage(subject: SubjectRef, source: string, page_url: string): PageRef {
    if (!subject.site.hasLocation) this.#fileLocation(subject.site, {})
    return this.reach.addPage(subject, source, page_url)
  }

  #fileReview(subject: SubjectRef, values: Values, isReport = false): LineError | undefined {
    const page = this.#page(subject, values)
    if (page === undefined) return { field: 'page_url', code: 'unknown' }
    if (isReport && this.#knownReviews.isUnderOtherId({ page, values })) return { field: '', code: 'known_review' }
    this.spools.addRow('review', page.index, values)
    return undefined
  }

  #page(subject: SubjectRef, values: Values): PageRef | undefined {
    const page_url = values.page_url as string
    const source = (values.page_source ?? values.source) as string
    const known = subject.pages.get(pageKey(source, page_url))
    if (known !== undefined) known.isUsed = true
    if (known !== undefined || !this.#options.createMissing) return known
    this.spools.addRow('page', subject.index, { source, page_url })
    return this.#newPage(subject, source, page_url)
  }
}
