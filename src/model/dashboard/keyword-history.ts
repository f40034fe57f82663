/** One keyword on one engine and locale: its places day by day, beside those of the site's competitors. */

import { dayNumber, dayText } from '../../lib/days.ts'
import { notFound } from '../../lib/failures.ts'
import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import type { Period } from './positions.ts'
import { eachRanking, readSources, type Source } from './ranking-series.ts'
import { readRankedSubjects } from './search.ts'

export interface DayPlace {
  readonly day: string
  /** 0: looked for and not found. */
  readonly rank: number
}

export interface KeywordHistory {
  readonly phrase: string
  readonly engine: string
  readonly locale: string
  readonly own: readonly DayPlace[]
  readonly rivals: readonly { readonly domain: string; readonly places: readonly DayPlace[] }[]
}

interface Named {
  readonly keywordId: number
  readonly engine: string
  readonly locale: string
}

export async function keywordHistory(person: ReaderCaller, site: ShownSite, named: Named, period: Period): Promise<KeywordHistory> {
  const { db } = person.app.store
  const { own, rivals } = await readRankedSubjects(db, site)
  const keywords = db
    .selectFrom('keywords')
    .select('phrase')
    .where('account_id', '=', site.account_id)
    .where('id', '=', named.keywordId)
    .where('subject_id', '=', own ?? -1)
  const { phrase } = (await keywords.executeTakeFirst()) ?? notFound('page')
  const sources = (await readSources(db, site.account_id)).filter((source) => isNamed(source, named))
  const places = new Map<number, DayPlace[]>()
  const subjectIds = [own ?? -1, ...rivals.map((rival) => rival.id)]
  const reach = { accountId: site.account_id, subjectIds, from: period.from, to: period.to, isWanted: () => true }
  await eachRanking(db, reach, sources, (keyword, _, ranks) => {
    if (keyword.phrase === phrase) places.set(keyword.subject_id, placesFrom(period.from, ranks))
  })
  return {
    phrase,
    engine: named.engine,
    locale: named.locale,
    own: places.get(own ?? -1) ?? [],
    rivals: rivals.map(({ id, domain }) => ({ domain, places: places.get(id) ?? [] })),
  }
}

function isNamed(source: Source, { engine, locale }: Named): boolean {
  return source.engine === engine && source.locale === locale
}

function placesFrom(from: string, ranks: Int16Array): DayPlace[] {
  const first = dayNumber(from)
  return [...ranks].flatMap((rank, index) => (rank < 0 ? [] : [{ day: dayText(first + index), rank }]))
}
