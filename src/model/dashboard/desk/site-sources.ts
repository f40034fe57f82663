/** From where the data of each site comes, when it came last, and the days on which it was missing: worked out with the stored figures of the site. */

import type { Kysely } from 'kysely'
import { dayNumber, dayText } from '../../../lib/time/days.ts'
import { monthOf, sourceAt, timeAt, wordsOf } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { series } from '../../../store/series.ts'
import type { StaffCaller } from '../../core/caller.ts'
import { keywordPieces } from '../../core/subject-pieces.ts'
import { accountsWithin } from '../../core/tenancy.ts'
import { NamedSources } from '../clicks.ts'
import type { DailyRanks } from '../daily-ranks.ts'
import { monthPieces } from '../month-pieces.ts'
import type { DaySpan } from '../positions.ts'
import type { Source } from '../ranking-series.ts'
import { readPages } from '../reputation/reputation.ts'
import { usualInterval } from '../slots.ts'

const kinds = ['positions', 'average positions', 'clicks', 'reviews', 'links'] as const

export interface SiteSource {
  readonly kind: (typeof kinds)[number]
  /** The engine with its locale, device and place, or who publishes the reviews; empty for links. */
  readonly name: string
  readonly last: string
  /** From the day after the last before a gap to the day before the next; the last one may reach to today. */
  readonly gaps: readonly (readonly [from: string, to: string])[]
}

const mostSources = 50
const mostGaps = 5
const secondsPerDay = 86_400

/** Collects the days on which something came, for the subjects of one account. */
export class SourceDays {
  readonly #first: number
  readonly #days: number
  readonly #found = new Map<number, Map<string, { readonly kind: SiteSource['kind']; readonly name: string; readonly days: Uint8Array }>>()
  readonly #lasts = new Map<number, SiteSource[]>()

  constructor({ from, to }: DaySpan) {
    this.#first = dayNumber(from)
    this.#days = dayNumber(to) - this.#first + 1
  }

  addRanks(subjectId: number, source: Source, { ranks }: DailyRanks): void {
    const days = this.#daysOf(subjectId, 'positions', sourceName(source))
    if (days === undefined) return
    for (let day = 0; day < days.length; day++) if ((ranks[day] as number) >= 0) days[day] = 1
  }

  addDay(subjectId: number, kind: SiteSource['kind'], name: string, day: number): void {
    const days = this.#daysOf(subjectId, kind, name)
    const at = day - this.#first
    if (days !== undefined && at >= 0 && at < days.length) days[at] = 1
  }

  /** Of what comes seldom only the last day is known. */
  addLast(subjectId: number, source: SiteSource): void {
    const known = this.#lasts.get(subjectId) ?? []
    if (known.length < mostSources) this.#lasts.set(subjectId, [...known, source])
  }

  of(subjectId: number): SiteSource[] {
    const found = [...(this.#found.get(subjectId)?.values() ?? [])].flatMap(({ kind, name, days }) => {
      const measured = [...days.keys()].filter((day) => days[day] === 1)
      const last = measured.at(-1)
      return last === undefined ? [] : [{ kind, name, last: dayText(this.#first + last), gaps: this.#gapsOf(measured) }]
    })
    return [...found, ...(this.#lasts.get(subjectId) ?? [])].toSorted(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.name < b.name ? -1 : 1),
    )
  }

  #daysOf(subjectId: number, kind: SiteSource['kind'], name: string): Uint8Array | undefined {
    const sources = this.#found.get(subjectId) ?? new Map()
    this.#found.set(subjectId, sources)
    const key = `${kind} ${name}`
    if (!sources.has(key) && sources.size < mostSources) sources.set(key, { kind, name, days: new Uint8Array(this.#days) })
    return sources.get(key)?.days
  }

  /** Where it took more than twice as long as it usually does. */
  #gapsOf(measured: readonly number[]): SiteSource['gaps'] {
    const reach = 2 * usualInterval(measured)
    const ends = [...measured.slice(1), this.#days]
    const gaps = measured.flatMap((day, at) => {
      const next = ends[at] ?? this.#days
      return next - day > reach ? [[dayText(this.#first + day + 1), dayText(this.#first + next - 1)] as const] : []
    })
    return gaps.slice(-mostGaps)
  }
}

function sourceName({ engine, locale, device, location }: Pick<Source, 'engine' | 'locale' | 'device' | 'location'>): string {
  return [engine, locale, device, location].filter((part) => part !== '').join(', ')
}

interface Subjects {
  readonly db: Kysely<Tables>
  readonly accountId: number
  readonly ids: readonly number[]
}

/** What positions do not tell: clicks, averages, reviews and links. */
export async function addOtherSources(days: SourceDays, subjects: Subjects, span: DaySpan): Promise<void> {
  await addDated(days, subjects, span, 'click_count', 'clicks')
  await addDated(days, subjects, span, 'average_position', 'average positions')
  await addReviews(days, subjects)
  await addLinks(days, subjects)
}

async function addDated(
  days: SourceDays,
  { db, accountId, ids }: Subjects,
  { from, to }: DaySpan,
  name: 'click_count' | 'average_position',
  kind: SiteSource['kind'],
): Promise<void> {
  const { table, layout } = series[name]
  const names = new NamedSources(db, accountId)
  const span = { table, accountId, from: monthOf(dayNumber(from) * secondsPerDay), before: (dayNumber(to) + 1) * secondsPerDay }
  for await (const keywords of keywordPieces(db, accountId, ids)) {
    const subjectOf = new Map(keywords.map(({ id, subject_id }) => [id, subject_id]))
    for await (const months of monthPieces(db, span, [...subjectOf.keys()]))
      for (const { owner, data } of months) {
        const words = wordsOf(data)
        const places = Array.from({ length: words.length / layout.words }, (_, at) => at * layout.words)
        await names.know(new Set(places.map((at) => sourceAt(words, at))))
        for (const at of places)
          days.addDay(
            subjectOf.get(owner) ?? 0,
            kind,
            sourceName(names.of(sourceAt(words, at))),
            Math.floor(timeAt(words, at) / secondsPerDay),
          )
      }
  }
}

async function addReviews(days: SourceDays, { db, accountId, ids }: Subjects): Promise<void> {
  const last = new Map<string, { readonly subject: number; readonly name: string; readonly last: string }>()
  await readPages(db, { account_id: accountId }, ids, ({ subject_id, source, last_updated }) => {
    const key = `${subject_id} ${source}`
    const known = last.get(key)
    if (known === undefined || known.last < last_updated) last.set(key, { subject: subject_id, name: source, last: last_updated })
  })
  for (const { subject, name, last: day } of last.values()) days.addLast(subject, { kind: 'reviews', name, last: day, gaps: [] })
}

async function addLinks(days: SourceDays, { db, accountId, ids }: Subjects): Promise<void> {
  if (ids.length === 0) return
  const links = db.selectFrom('backlinks').select(['subject_id', (eb) => eb.fn.max('found_on').as('last')])
  const found = await links.where('account_id', '=', accountId).where('subject_id', 'in', ids).groupBy('subject_id').execute()
  for (const { subject_id, last } of found) days.addLast(subject_id, { kind: 'links', name: '', last, gaps: [] })
}

const mostSites = 100

/** The sources of the sites of a customer, as they were when the figures were worked out last. */
export async function readSiteSources(caller: StaffCaller, accountId: number): Promise<{ domain: string; sources: SiteSource[] }[]> {
  const { db } = caller.app.store
  const own = accountsWithin(caller, db).select('accounts.id').where('accounts.id', '=', accountId)
  const sites = db.selectFrom('sites').leftJoin('site_figures', 'site_figures.site_id', 'sites.id').where('sites.account_id', 'in', own)
  const rows = await sites.select(['domain', 'site_figures.sources']).orderBy('domain').limit(mostSites).execute()
  return rows.map(({ domain, sources }) => ({ domain, sources: JSON.parse(sources ?? '[]') as SiteSource[] }))
}
