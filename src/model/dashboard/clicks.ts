/** Clicks of keywords by day: the total of a day, or the sum over devices and places where a day has no total. */

import type { Kysely } from 'kysely'
import { dayText } from '../../lib/time/days.ts'
import type { Tracked } from '../../resources/tracked.ts'
import { clickCountLayout, decodeClickCount, firstAfter, firstFrom } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { trackedIn } from '../../store/series.ts'
import { padded } from '../imports/batches.ts'

interface Amounts {
  readonly clicks: number
  readonly impressions: number
}

export interface ClickDay extends Amounts {
  readonly day: string
  /** The clicks on each device that is told. */
  readonly devices: Readonly<Record<string, number>>
}

/** What clicks are asked for; null means all. */
export interface ClickChoice {
  readonly device: string | null
  readonly location: string | null
}

type Entry = Amounts & Tracked & { readonly locale: string }

/** The engines and places of clicks and pages by their code; only those that are met are read, because an account may have tens of thousands. */
export class NamedSources {
  readonly #db: Kysely<Tables>
  readonly #accountId: number
  readonly #known = new Map<number, Tracked & { readonly locale: string }>()

  constructor(db: Kysely<Tables>, accountId: number) {
    this.#db = db
    this.#accountId = accountId
  }

  async know(codes: Iterable<number>): Promise<void> {
    const unknown = [...codes].filter((code) => !this.#known.has(code))
    for (let from = 0; from < unknown.length; from += codesPerRead) {
      const some = padded(unknown.slice(from, from + codesPerRead))
      const sources = this.#db.selectFrom('sources').select(['code', 'engine', 'locale']).where('account_id', '=', this.#accountId)
      for (const { code, engine, locale } of await sources.where('code', 'in', some).execute())
        this.#known.set(code, { ...trackedIn(engine), locale })
    }
  }

  of(code: number): Tracked & { readonly locale: string } {
    return this.#known.get(code) ?? { engine: '', device: '', location: '', locale: '' }
  }
}

const codesPerRead = 500

/** Called with the number of each day and its clicks. */
export type OnDay = (day: number, clicks: number) => void

/** The clicks of one keyword, whose entries come in the order of time. */
export class Clicks {
  clicks = 0
  impressions = 0
  /** Whether a day without a total was summed over devices or places. */
  isSummed = false
  /** Whether any day was of the choice. */
  isCounted = false
  readonly #days: ClickDay[] = []
  readonly #keepsDays: boolean
  readonly #choice: ClickChoice
  readonly #counted: OnDay

  constructor(choice: ClickChoice, keepsDays: boolean, counted: OnDay = () => {}) {
    this.#choice = choice
    this.#counted = counted
    this.#keepsDays = keepsDays
  }

  /** A month of entries; those of a day never lie in two. */
  add(words: Uint32Array, sources: NamedSources, first: number, last: number): void {
    let [time, day]: [number, Entry[]] = [-1, []]
    const end = firstAfter(words, clickCountLayout, last)
    for (let at = firstFrom(words, clickCountLayout, first); at < end; at += clickCountLayout.words) {
      const { time: next, source, clicks, impressions } = decodeClickCount(words, at)
      if (next !== time) this.#addDay(time, day)
      if (next !== time) [time, day] = [next, []]
      const entry = { ...sources.of(source), clicks, impressions }
      if (isOfPlace(entry, this.#choice)) day.push(entry)
    }
    this.#addDay(time, day)
  }

  #addDay(time: number, entries: readonly Entry[]): void {
    if (entries.length === 0) return
    const figures = [...Map.groupBy(entries, ({ engine }) => engine).values()].map((some) => ofLocales(some))
    const { clicks, impressions, isSummed } = summed(figures)
    this.isCounted = true
    this.clicks += clicks
    this.impressions += impressions
    this.isSummed ||= isSummed
    this.#counted(time / 86_400, clicks)
    if (this.#keepsDays) this.#days.push({ day: dayText(time / 86_400), clicks, impressions, devices: devicesIn(entries) })
  }

  get days(): readonly ClickDay[] {
    return this.#days
  }
}

export function isOfPlace({ device, location }: Tracked, choice: ClickChoice): boolean {
  return (choice.device ?? device) === device && (choice.location ?? location) === location
}

type Figure = Amounts & { readonly isSummed: boolean }

/** Without a locale clicks are those of all locales. */
function ofLocales(entries: readonly Entry[]): Figure {
  const locales = Map.groupBy(entries, ({ locale }) => locale)
  const all = locales.get('')
  return all === undefined ? summed([...locales.values()].map(ofPlaces)) : ofPlaces(all)
}

/** Clicks without device and location are the total, which is never added to its parts; devices come before places. */
function ofPlaces(entries: readonly Entry[]): Figure {
  const everywhere = entries.filter(({ location }) => location === '')
  const total = everywhere.find(({ device }) => device === '')
  if (total !== undefined) return { ...total, isSummed: false }
  if (everywhere.length > 0) return partsOf(everywhere)
  const anyDevice = entries.filter(({ device }) => device === '')
  return partsOf(anyDevice.length > 0 ? anyDevice : entries)
}

function partsOf(entries: readonly Entry[]): Figure {
  return { ...summed(entries.map((entry) => ({ ...entry, isSummed: true }))), isSummed: true }
}

function summed(figures: readonly Figure[]): Figure {
  return {
    clicks: figures.reduce((sum, { clicks }) => sum + clicks, 0),
    impressions: figures.reduce((sum, { impressions }) => sum + impressions, 0),
    isSummed: figures.some(({ isSummed }) => isSummed),
  }
}

/** Of each device the clicks from everywhere, or else the sum over its places. */
function devicesIn(entries: readonly Entry[]): Record<string, number> {
  const devices = Map.groupBy(
    entries.filter(({ device }) => device !== ''),
    ({ device }) => device,
  )
  return Object.fromEntries(
    [...devices].map(([device, some]) => {
      const engines = [...Map.groupBy(some, ({ engine }) => engine).values()]
      const ofDevice = engines.map((each) => ofLocales(each.map((entry) => ({ ...entry, device: '' }))))
      return [device, summed(ofDevice).clicks]
    }),
  )
}
