/** `marquee migrate`: brings the database to the schema of this version; only with `--init` does it make a new one. */

import type { Settings } from '../../../config.ts'
import { openApp, refuseEmptyDatabase } from '../../../model/core/app.ts'
import { nameInstallation, openMarker, refuseMissingDatabase, refuseSecondDatabase } from '../../../model/core/installation.ts'
import { backUpBeforeMigrating } from '../../../model/upkeep/backups.ts'
import { migrate as bringForward, schemaState } from '../../../store/migrate.ts'
import { openStore } from '../../../store/store.ts'
import type { Given, Output } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'

export const migrateOptions = { '--init': 'make a new database and its server secret where there is none' }

export async function migrate({ settings, has }: Given): Promise<Output> {
  return has('init') ? init(settings) : upgrade(settings)
}

async function upgrade(settings: Settings): Promise<Output> {
  runAsOwner(settings)
  refuseMissingDatabase(settings)
  const store = openStore(settings)
  try {
    refuseEmptyDatabase(store, await schemaState(store))
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

/** May be repeated: a database that is there already stays as it is. */
async function init(settings: Settings): Promise<Output> {
  refuseSecondDatabase(settings)
  const marker = openMarker(settings)
  runAsOwner(settings)
  const app = await openApp(settings, { schema: 'bring up' })
  try {
    const installation = await nameInstallation(app.store)
    marker?.write(installation)
    return { document: { database: { place: app.store.engine.place, installation } }, note: 'The database is ready. Start the service.' }
  } finally {
    await app.close()
  }
}
