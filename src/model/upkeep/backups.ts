/** Backups of the embedded database: one file, whole and checked; the server secret goes along only under a passphrase. */

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config.ts'
import { isoTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/failures.ts'
import { makeFolder } from '../../lib/folders.ts'
import { sameText, secretsFrom } from '../../lib/secrets.ts'
import { check, factIn, restoreFile, setFactIn } from '../../store/file-backup.ts'
import { schemaState } from '../../store/migrate.ts'
import type { Store } from '../../store/store.ts'
import { checkName, secretPath } from '../core/server-secret.ts'

const sealedName = 'sealed_server_secret'
const leastCharacters = 12
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export interface Restored {
  /** Where the database lies that was there before. */
  readonly aside: string | null
  /** What is missing before the service can start, as a sentence. */
  readonly warning: string | null
}

export async function backUp({ engine }: Store, settings: Settings, file: string, passphrase?: string): Promise<void> {
  const copy = engine.backUp ?? elsewhere()
  if (passphrase !== undefined && passphrase.length < leastCharacters)
    refuse('conflict', `The passphrase must have at least ${leastCharacters} characters.`)
  await copy(file)
  if (passphrase === undefined) return
  setFactIn(file, sealedName, seal(readFileSync(secretPath(settings), 'utf8').trim(), passphrase))
  check(file)
}

/** Before the schema is brought forward, where there is something to lose. */
export async function backUpBeforeMigrating(store: Store, settings: Settings): Promise<string | null> {
  const { state, pending } = await schemaState(store)
  const isEmpty = !(await store.engine.tableNames(store.db)).includes('schema_migrations')
  if (store.engine.backUp === null || state !== 'behind' || isEmpty) return null
  const file = join(settings.dataDir, 'backups', `before-${pending[0]}-${stamp()}.db`)
  await backUp(store, settings, file)
  return file
}

export async function restore(settings: Settings, file: string, askPassphrase: () => Promise<string>): Promise<Restored> {
  if (settings.databaseUrl !== undefined) elsewhere()
  const sealed = factIn(file, sealedName)
  const secret = sealed === undefined ? null : open(sealed, await askPassphrase())
  if (secret !== null) refuseOtherSecret(settings, secret)
  const aside = restoreFile(file, settings.dataDir, stamp())
  setFactIn(join(settings.dataDir, 'marquee.db'), sealedName, null)
  if (secret !== null) keepSecret(settings, secret)
  return { aside, warning: secretFault(settings) }
}

/** Whether the copy was made with the secret that lies here. */
function secretFault(settings: Settings): string | null {
  const path = secretPath(settings)
  if (!existsSync(path)) return `There is no server secret in ${path}: put the one there that this backup was made with.`
  const proof = secretsFrom(Buffer.from(readFileSync(path, 'utf8').trim())).hmac('check', 'marquee')
  const known = factIn(join(settings.dataDir, 'marquee.db'), checkName) ?? ''
  return sameText(known, proof) ? null : `The server secret in ${path} is not the one this backup was made with.`
}

function refuseOtherSecret(settings: Settings, secret: string): void {
  const path = secretPath(settings)
  if (existsSync(path) && readFileSync(path, 'utf8').trim() !== secret)
    refuse('conflict', `There is another server secret in ${path}: move it away first.`)
}

function keepSecret(settings: Settings, secret: string): void {
  const path = secretPath(settings)
  if (existsSync(path)) return
  makeFolder(dirname(path))
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
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
