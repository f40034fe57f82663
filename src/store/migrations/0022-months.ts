/** Packed months are partitions on PostgreSQL, one for each month, so that a month can be rewritten in order and removed whole. */

import type { Migration } from '../schema.ts'

/** Earlier versions cannot make a month that is missing, so they must be stopped. */
export const months: Migration = {
  name: '0022-months',
  rewrites: 'ranking_months',
  async up({ partitionByMonth }) {
    for (const table of ['ranking_months', 'ranked_url_months', 'click_count_months', 'review_count_months'] as const)
      await partitionByMonth(table)
  },
}
