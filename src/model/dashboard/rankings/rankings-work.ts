/** Asks a reader thread for rankings as rows: all that was measured of a site's keywords, narrowed by the question and page by page. */

import { refuse } from '../../../lib/failures.ts'
import type { Closable } from '../../../lib/work/concurrency.ts'
import type { ReaderWork } from '../../../readers/messages.ts'
import { askReaders } from '../../../readers/pool.ts'
import type { RankingRowRecord } from '../../../resources/figures/ranking-row.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import type { ListPage } from '../../core/paging.ts'

export interface RankingFilters {
  readonly phrase?: string
  readonly tag?: string
  readonly search_engine?: string
  readonly locale?: string
  /** Empty: only those without a device. */
  readonly device?: string
  readonly location?: string
  readonly start_date?: string
  readonly end_date?: string
}

/** A row is named by its keyword, its time and the account's code of its source. */
export type RowPlace = readonly [keywordId: number, time: number, source: number]

interface AskedRankings {
  readonly caller: Omit<PartnerCaller, 'app' | 'repeat'>
  readonly siteId: number
  readonly filters: RankingFilters
  readonly after: RowPlace
  readonly limit: number
  readonly now: string
}

export const rankingsWork: ReaderWork<AskedRankings, ListPage<RankingRowRecord>> = { name: 'rankings', lane: 'long' }

interface WantedRankings {
  readonly siteId: number
  readonly filters: RankingFilters
  readonly after: string | undefined
  readonly limit: number
}

export async function readRankings(
  { app, repeat: _, ...caller }: PartnerCaller,
  { siteId, filters, after, limit }: WantedRankings,
  client?: Closable,
): Promise<ListPage<RankingRowRecord>> {
  const asked = { caller, siteId, filters, after: placeIn(after), limit, now: app.clock.now() }
  const work = await askReaders(app, rankingsWork, asked, { party: String(caller.partnerId), ...(client && { client }) })
  return work.begun()
}

export function cursorAt(place: RowPlace): string {
  return Buffer.from(`row:${place.join(':')}`).toString('base64url')
}

function placeIn(cursor: string | undefined): RowPlace {
  if (cursor === undefined) return [0, 0, 0]
  const [, keyword, time, source] = /^row:(\d{1,16}):(\d{1,11}):(\d{1,5})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const place = [Number(keyword), Number(time), Number(source)] as const
  return place.every(Number.isSafeInteger) ? place : refuse('bad_request', 'The cursor is not one this service gave out.')
}
