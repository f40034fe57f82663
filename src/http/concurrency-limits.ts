/** How much is worked on at once: provisioning before reports before imports, and no partner more than its share. */

import { type ConcurrencyLimit, limitConcurrency } from '../lib/concurrency.ts'

export type Priority = 'provision' | 'report' | 'ingest'

export type RequestLimits = ConcurrencyLimit<Priority>

/** Health is asked for outside of this: it always answers. */
// biome-ignore format: a table reads by its columns
export function openLimits(): RequestLimits {
  return limitConcurrency<Priority>({
    inside: 64,
    insidePerParty: 32,
    ranks: {
      provision: { inside: 64, waiting: 128, patienceSeconds: 3 },
      report:    { inside: 32, waiting: 64,  patienceSeconds: 10 },
      ingest:    { inside: 4,  waiting: 16,  patienceSeconds: 30 },
    },
  })
}
