/** Recognizes the installation a database belongs to, so that a lost folder or an unmounted disk is reported instead of becoming a new, empty service. */

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Settings } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { basePath, basePathSentence } from '../../lib/network/base-path.ts'
import { databaseFile, type Store } from '../../store/store.ts'
import { secretPath } from './secrets/secret-file.ts'
import { keepStoredValue, readStoredValue } from './stored-values.ts'

export const installationName = 'installation'

/** Refuses if the database file does not exist, and says what to do. On a database server, the tables are checked instead. */
export function refuseMissingDatabase(settings: Settings): void {
  const file = databaseFile(settings)
  if (file === null || existsSync(file)) return
  refuse('not_found', `There is no database in ${resolve(settings.dataDir)}. ${adviceOn(settings)}`)
}

/** Refuses to create a new database where one existed before. */
export function refuseSecondDatabase(settings: Settings): void {
  const file = databaseFile(settings)
  if (file === null || existsSync(file)) return
  if (hadDatabase(settings)) refuse('conflict', `No new database is made in ${resolve(settings.dataDir)}. ${adviceOn(settings)}`)
}

/** Refuses to create the schema in a database whose texts are not in UTF-8; one that has it goes on, with a warning. */
export async function refuseOtherEncoding({ engine }: Store): Promise<void> {
  const other = await engine.otherEncoding()
  if (other === null) return
  refuse(
    'conflict',
    `The database ${engine.place} is in ${other.name}, and Marquee keeps its texts in UTF8. Run ${other.createOther} and name the database that it makes instead.`,
  )
}

/** A new installation must not have a path in BASE_URL. */
export function refuseBasePath(settings: Pick<Settings, 'baseUrl'>): void {
  if (basePath(settings) !== null) refuse('conflict', basePathSentence(settings))
}

/** Refuses the first start with such a path. An installation with partners goes on with its API; without one nobody uses it, so that nothing is lost. */
export async function refuseNewWithBasePath(settings: Pick<Settings, 'baseUrl'>, { db }: Store): Promise<void> {
  const partner = await db.selectFrom('partners').select('id').limit(1).executeTakeFirst()
  if (partner === undefined) refuseBasePath(settings)
}

/** Gives a new database the id of its installation; the first process decides. */
export async function nameInstallation(store: Store): Promise<string> {
  await store.write((tx) => keepStoredValue(tx, installationName, randomUUID()))
  return (await readStoredValue(store.db, installationName)) ?? ''
}

/** Refuses a database other than the one that the marker beside the data folder names. */
export async function refuseForeignDatabase(settings: Settings, store: Store): Promise<void> {
  const marked = markedInstallation(settings)
  if (marked === undefined || marked === (await readStoredValue(store.db, installationName))) return
  refuse(
    'unavailable',
    `The database in ${resolve(settings.dataDir)} is of another installation than ${markerPath(settings)} says. If it is the right one, delete that file; if not, mount or restore the right one.`,
  )
}

/** The marker is a file beside the data folder; if the folder is a mount point, the marker is on another disk than the data. */
export function markerPath(settings: Settings): string {
  return `${resolve(settings.dataDir)}.installation`
}

export interface Marker {
  write(installation: string): void
}

/** Opened before the process switches its user, because the parent folder usually belongs to root; null if it cannot be written. */
export function openMarker(settings: Settings): Marker | null {
  if (databaseFile(settings) === null) return null
  try {
    const file = openSync(markerPath(settings), 'a', 0o644)
    return {
      write(installation) {
        if (markedInstallation(settings) === undefined) writeSync(file, `${installation}\n`)
        fsyncSync(file)
        closeSync(file)
      },
    }
  } catch {
    return null
  }
}

/** An empty marker comes from a start that was interrupted, and counts as none. */
export function markedInstallation(settings: Settings): string | undefined {
  if (databaseFile(settings) === null || !existsSync(markerPath(settings))) return undefined
  return readFileSync(markerPath(settings), 'utf8').trim() || undefined
}

/** After a restore, writes the installation of the backup into the marker; returns a sentence if that fails. */
export function renewMarker(settings: Settings, installation: string | undefined): string | null {
  const marked = markedInstallation(settings)
  if (marked === undefined || installation === undefined || marked === installation) return null
  try {
    writeFileSync(markerPath(settings), `${installation}\n`)
    return null
  } catch {
    return `The backup is of another installation than ${markerPath(settings)} says: delete that file as root.`
  }
}

function adviceOn(settings: Settings): string {
  if (markedInstallation(settings) !== undefined)
    return `A database was here, as ${markerPath(settings)} says: mount its disk or run marquee restore. To begin anew, delete that file.`
  if (hadDatabase(settings))
    return `The server secret ${secretPath(settings)} is there, so a database was: put it back or run marquee restore. To begin anew, move the secret away.`
  return 'If this is the right folder, run marquee migrate --init to make a new one; if not, set DATA_DIR or name your settings file with --env-file.'
}

function hadDatabase(settings: Settings): boolean {
  return markedInstallation(settings) !== undefined || (settings.secretFile === undefined && existsSync(secretPath(settings)))
}
