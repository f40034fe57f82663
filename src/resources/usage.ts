/** Usage: what a partner requested and sent, day by day, and the current limits. */

import { date, integer, list, type RecordOf } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const usageDay = {
  date:         date('the day, in UTC'),
  requests:     integer('requests that were answered, the refused ones too'),
  refused:      integer('those of them that were refused: answered with 4xx'),
  rate_limited: integer('those of the refused that came too fast: answered with 429'),
  records:      integer('measured records that were taken in, the unchanged ones too'),
}

// biome-ignore format: a table reads by its columns
export const usage = {
  reads_per_minute:  integer('how many reads a minute all keys of the partner have together; null: no limit', { nullable: true }),
  writes_per_minute: integer('how many writes a minute all keys of the partner have together; null: no limit', { nullable: true }),
  days:              list('day', usageDay),
}

export type UsageDay = RecordOf<typeof usageDay>

export type Usage = Omit<RecordOf<typeof usage>, 'days'> & { readonly days: readonly UsageDay[] }
