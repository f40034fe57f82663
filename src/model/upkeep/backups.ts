/** Backups of the embedded database: one complete and checked file. The server secret is included only under a passphrase. */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { makeFolder } from '../../lib/folders.ts'
import { proofOf } from '../../lib/secrets.ts'
import { isoTime } from '../../lib/time/clock.ts'
import { restingReasons } from '../../resources/imports/source.ts'
import { check, endSessionsIn, factIn, proofIn, restoreFile, restSourcesIn, setFactIn, takeOver } from '../../store/file-backup.ts'
import { schemaState } from '../../store/migrate.ts'
import type { Store } from '../../store/store.ts'
import { installationName, renewMarker } from '../core/installation.ts'
import { secretPath, secretsIn } from '../core/secrets/secret-file.ts'
import { lastBackupName, setStoredValue } from '../core/stored-values.ts'
import { type Erasure, journalName, journalPath, readErasures } from '../people/erasures.ts'

const sealedName = 'sealed_server_secret'
const leastCharacters = 12
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

const takenName = 'backup_taken_at'
const kept = /^marquee-\d{8}T\d{6}Z\.db$/

export interface RestoreWishes {
  readonly askPassphrase: () => Promise<string>
  readonly endsSessions: boolean
}

export interface Restored {
  /** The path of the previous database. */
  readonly aside: string | null
  /** When the backup was taken. */
  readonly taken_at: string | null
  /** What is missing before the service can start, as a sentence. */
  readonly warning: string | null
}

export async function backUp(store: Store, settings: Settings, file: string, passphrase?: string): Promise<void> {
  const copy = store.engine.backUp ?? elsewhere()
  if (passphrase !== undefined && passphrase.length < leastCharacters)
    refuse('conflict', `The passphrase must have at least ${leastCharacters} characters.`)
  if (existsSync(file)) refuse('conflict', `There is a file ${file} already.`)
  const draft = `${file}.unfinished`
  rmSync(draft, { force: true })
  const takenAt = isoTime(Date.now())
  await copy(draft)
  setFactIn(draft, takenName, takenAt)
  if (passphrase !== undefined) setFactIn(draft, sealedName, seal(readFileSync(secretPath(settings), 'utf8').trim(), passphrase))
  check(draft)
  renameSync(draft, file)
  keepJournal(settings, dirname(file))
}

/** Records the time of a successful backup by the operator, which the metrics and the doctor report. */
export async function noteBackup(store: Store): Promise<void> {
  await store.write((tx) => setStoredValue(tx, lastBackupName, isoTime(Date.now())))
}

/** The name of the next backup in a folder. */
export function nextBackup(folder: string): string {
  return join(folder, `marquee-${stamp()}.db`)
}

/** Deletes all but the newest backups in a folder; returns their names. */
export function removeOldBackups(folder: string, keep: number): readonly string[] {
  const names = readdirSync(folder).filter((name) => kept.test(name))
  const old = names.toSorted().slice(0, Math.max(0, names.length - keep))
  for (const name of old) rmSync(join(folder, name))
  return old
}

/** Copies the journal of erasures with the backup, so that a restore can erase people again. */
function keepJournal(settings: Settings, folder: string): void {
  const journal = journalPath(settings)
  if (!existsSync(journal) || resolve(dirname(journal)) === resolve(folder)) return
  copyFileSync(journal, join(folder, journalName))
}

/** Backs up before migrations if the database is not empty. */
export async function backUpBeforeMigrating(store: Store, settings: Settings): Promise<string | null> {
  const { state, pending } = await schemaState(store)
  const isEmpty = !(await store.engine.tableNames(store.db)).includes('schema_migrations')
  if (store.engine.backUp === null || state !== 'behind' || isEmpty) return null
  const file = join(settings.dataDir, 'backups', `before-${pending[0]}-${stamp()}.db`)
  await backUp(store, settings, file)
  return file
}

export async function restore(settings: Settings, file: string, { askPassphrase, endsSessions }: RestoreWishes): Promise<Restored> {
  if (settings.databaseUrl !== undefined) elsewhere()
  const sealed = factIn(file, sealedName)
  const secret = sealed === undefined ? null : open(sealed, await askPassphrase())
  if (secret !== null) refuseOtherSecret(settings, secret)
  const aside = restoreFile(file, settings.dataDir, stamp(), (draft) => {
    if (sealed !== undefined) setFactIn(draft, sealedName, null)
    if (endsSessions) endSessionsIn(draft)
    restSourcesIn(draft, restingReasons.restored)
    if (secret !== null) keepSecret(settings, secret)
  })
  const database = join(settings.dataDir, 'marquee.db')
  const installation = factIn(database, installationName)
  const taken_at = factIn(database, takenName) ?? null
  return { aside, taken_at, warning: secretFault(settings) ?? renewMarker(settings, installation) }
}

/** Erasures since the backup was taken, from the journals beside the database and beside the backup. */
export function erasedSince(settings: Settings, backup: string, takenAt: string | null): readonly Erasure[] {
  const journals = [journalPath(settings), join(dirname(backup), journalName)]
  return readErasures(journals).filter(({ at }) => takenAt === null || at >= takenAt)
}

/** Checks that the copy was made with the current secret; returns a sentence if not. */
function secretFault(settings: Settings): string | null {
  const path = secretPath(settings)
  if (!existsSync(path)) return `There is no server secret in ${path}: put the one there that this backup was made with.`
  const known = proofIn(join(settings.dataDir, 'marquee.db'))
  const isHere = secretsIn(readFileSync(path, 'utf8'), path).some((secret) => proofOf(secret) === known)
  return isHere ? null : `The server secret in ${path} is not the one this backup was made with.`
}

function refuseOtherSecret(settings: Settings, secret: string): void {
  const path = secretPath(settings)
  if (!existsSync(path)) return
  const here = readFileSync(path, 'utf8').split('\n')
  if (!secret.split('\n').every((line) => here.includes(line)))
    refuse('conflict', `There is another server secret in ${path}: move it away first.`)
}

function keepSecret(settings: Settings, secret: string): void {
  const path = secretPath(settings)
  if (existsSync(path)) return
  makeFolder(dirname(path))
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  takeOver(path, settings.dataDir)
}

function seal(secret: string, passphrase: string): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase.normalize('NFKC'), salt, 32, cost), nonce)
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return [salt, nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64')).join('.')
}

function open(sealed: string, passphrase: string): string {
  const [salt, nonce, tag, body] = sealed.split('.').map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer, Buffer, Buffer]
  const decipher = createDecipheriv('aes-256-gcm', scryptSync(passphrase.normalize('NFKC'), salt, 32, cost), nonce).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString()
  } catch {
    return refuse('conflict', 'The passphrase is not the one this backup was made with.')
  }
}

function stamp(): string {
  return isoTime(Date.now()).replaceAll(/[-:]/g, '')
}

function elsewhere(): never {
  return refuse(
    'conflict',
    "Marquee backs up the file it keeps itself; for a database server use the server's tools, as docs/operating.md says.",
  )
}
