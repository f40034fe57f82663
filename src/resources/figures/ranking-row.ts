/** Ranking row: one measured place, flat, for tables of other tools. */

import { integer, moment, type RecordOf, string } from '../../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const rankingRow = {
  keyword_id:    integer('the keyword'),
  phrase:        string(),
  tags:          string('separated by commas; null: none', { nullable: true }),
  search_engine: string(),
  locale:        string(),
  device:        string('empty: none is told'),
  location:      string('empty: none is told'),
  ranked_at:     moment('UTC, `YYYY-MM-DD HH:MM:SS`'),
  rank:          integer('null: looked for and not found', { nullable: true }),
}

export type RankingRowRecord = RecordOf<typeof rankingRow>
