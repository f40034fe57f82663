/** `marquee migrate`: brings the database to the schema of this version. */

import { backUpBeforeMigrating } from '../../model/upkeep/backups.ts'
import { migrate as bringForward } from '../../store/migrate.ts'
import { openStore } from '../../store/store.ts'
import type { Given, Output } from '../command.ts'

export async function migrate({ settings }: Given): Promise<Output> {
  const store = openStore(settings)
  try {
    const backup = await backUpBeforeMigrating(store, settings)
    const taken = await bringForward(store)
    return {
      document: { migrations: taken.map((name) => ({ name })), ...(backup !== null && { backup: { file: backup } }) },
      note: taken.length === 0 ? 'The schema was current.' : 'The schema is current now.',
    }
  } finally {
    await store.close()
  }
}
