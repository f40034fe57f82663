/** The checked records of an import, set aside by kind until all are checked. */

import type { Value } from '../../fields/incoming.ts'
import type { Values } from '../../fields/read-incoming.ts'
import { RowSpool, SeriesSpool } from './spool.ts'

export const rowKindNames = ['competitor', 'location', 'snapshot', 'backlink', 'page', 'review'] as const
export type RowKindName = (typeof rowKindNames)[number]

/** A record with the place of what it belongs to: in `sites`, `pages`, or else in `subjects` of the reach. */
export interface SpooledRow {
  readonly owner: number
  readonly values: Values
}

export class ImportSpools {
  readonly sites = new RowSpool<number>()
  readonly subjects = new RowSpool<{ subject: number; created_at: Value | undefined }>()
  readonly keywords = new RowSpool<{ subject: number; phrase: string; keyword: number }>()
  readonly rows = Object.fromEntries(rowKindNames.map((kind) => [kind, new RowSpool<SpooledRow>()])) as Record<
    RowKindName,
    RowSpool<SpooledRow>
  >
  /** Keyword, time, source, rank. */
  readonly rankings = new SeriesSpool(4)
  /** Page, time, source, count, sum of ratings, time of creation or 0. */
  readonly reviewCounts = new SeriesSpool(6)

  addRow(kind: RowKindName, owner: number, values: Values): void {
    this.rows[kind].add({ owner, values })
  }

  close(): void {
    for (const spool of [this.sites, this.subjects, this.keywords, this.rankings, this.reviewCounts, ...Object.values(this.rows)])
      spool.close()
  }
}
