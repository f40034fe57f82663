/** `marquee migrate`: migrates the database to the schema of this version; creates a new database only with `--init`. */

import type { Settings } from '../../../config.ts'
import { openApp, refuseEmptyDatabase } from '../../../model/core/app.ts'
import {
  nameInstallation,
  openMarker,
  refuseBasePath,
  refuseMissingDatabase,
  refuseSecondDatabase,
} from '../../../model/core/installation.ts'
import { backUpBeforeMigrating } from '../../../model/upkeep/backups.ts'
import { type PlannedStep, planSteps } from '../../../store/layout/plan-steps.ts'
import { migrate as bringForward, refuseBeyondRebuild, schemaState } from '../../../store/migrate.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { type CommandInput, type Output, UsageError } from '../../command.ts'
import { runAsOwner } from '../../owner.ts'

export async function migrate({ settings, has }: CommandInput): Promise<Output> {
  if (has('init') && has('plan')) throw new UsageError('Say either --init or --plan.')
  return has('init') ? init(settings) : has('plan') ? plan(settings) : upgrade(settings)
}

async function plan(settings: Settings): Promise<Output> {
  runAsOwner(settings)
  refuseMissingDatabase(settings)
  const store = openStore(settings)
  try {
    await refuseEmptyDatabase(store, await schemaState(store))
    const steps = await planSteps(store)
    const backup = backupSeconds(store)
    const seconds = steps.reduce((sum, { expected_seconds }) => sum + expected_seconds, backup)
    return { document: { steps, backup_seconds: backup, expected_seconds: seconds }, note: adviceOn(steps, settings, seconds) }
  } finally {
    await store.close()
  }
}

/** If Marquee makes the backup itself, its duration is part of the downtime. */
function backupSeconds({ engine }: Store): number {
  return engine.backUp === null ? 0 : 1 + Math.ceil((engine.gauges().database_bytes ?? 0) / backupBytesPerSecond)
}

const backupBytesPerSecond = 50_000_000

function adviceOn(steps: readonly PlannedStep[], { databaseUrl }: Settings, seconds: number): string {
  if (steps.length === 0) return 'The schema is current: there is nothing to do.'
  if (databaseUrl === undefined)
    return `Stop the service, run marquee migrate, start the new version: a stop of about ${seconds} seconds, the backup included.`
  return steps.every(({ old_version }) => old_version === 'goes on')
    ? 'Run marquee migrate while the old processes run, then replace them one by one.'
    : 'Stop the old processes, run marquee migrate, start the new ones: they do not work beside every one of these steps.'
}

async function upgrade(settings: Settings): Promise<Output> {
  runAsOwner(settings)
  refuseMissingDatabase(settings)
  const store = openStore(settings)
  try {
    await refuseEmptyDatabase(store, await schemaState(store))
    // Comes before the backup too, so that nothing at all is written.
    await refuseBeyondRebuild(store)
    const backup = await backUpBeforeMigrating(store, settings)
    const taken = await bringForward(store)
    return {
      document: { migrations: taken.map((name) => ({ name })), ...(backup !== null && { backup: { file: backup } }) },
      note: `The schema ${taken.length === 0 ? 'was current' : 'is current now'}.${await encodingNote(store)}`,
    }
  } finally {
    await store.close()
  }
}

async function encodingNote({ engine }: Store): Promise<string> {
  const other = await engine.otherEncoding()
  return other === null
    ? ''
    : ` Its texts are in ${other.name} and not in UTF8, so that some are refused: marquee doctor prints the way out.`
}

/** May be repeated: an existing database is not changed. */
async function init(settings: Settings): Promise<Output> {
  refuseBasePath(settings)
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
