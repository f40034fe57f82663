/** Lets all sources rest: two installations must not fetch the same. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'

export async function restSources(tx: Kysely<Tables>, reason: string): Promise<void> {
  await tx.updateTable('data_sources').set({ state: 'resting', reason }).where('state', '=', 'active').execute()
}
