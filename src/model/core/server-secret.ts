/** The server secret: kept in a file of its own, and proven against the store before anything is served. */

import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingError, type Settings } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { makeFolder } from '../../lib/folders.ts'
import { type Secrets, sameText, secretsFrom } from '../../lib/secrets.ts'
import type { Store } from '../../store/store.ts'
import { keepStoredValue, readStoredValue } from './stored-values.ts'

const minLength = 32
export const checkName = 'server_secret_check'

export async function openSecrets(settings: Settings, store: Store): Promise<Secrets> {
  const known = await readStoredValue(store.db, checkName)
  const secrets = secretsFrom(readOrMake(settings, known !== undefined))
  const proof = secrets.hmac('check', 'marquee')
  if (!sameText(known ?? (await keepCheckValue(store, proof)), proof)) {
    refuse(
      'unavailable',
      `The server secret in ${secretPath(settings)} is not the one this database was made with: no key would be recognised.`,
    )
  }
  return secrets
}

/** Beside the embedded database unless said otherwise; a shared database has no such place, so it must be said. */
export function secretPath(settings: Settings): string {
  if (settings.secretFile !== undefined) return settings.secretFile
  if (settings.databaseUrl === undefined) return join(settings.dataDir, 'secret')
  throw new SettingError('MARQUEE_SECRET_FILE must be set when DATABASE_URL is: it names the file of the server secret.')
}

function readOrMake(settings: Settings, isKnown: boolean): Uint8Array {
  const path = secretPath(settings)
  const text = read(path) ?? (isKnown || settings.secretFile !== undefined ? missing(path, isKnown) : make(path))
  if (text.length < minLength)
    refuse('unavailable', `The server secret in ${path} is too short: it needs at least ${minLength} characters.`)
  return Buffer.from(text)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return refuse('unavailable', `The server secret in ${path} cannot be read.`)
  }
}

function missing(path: string, isKnown: boolean): never {
  const advice = isKnown
    ? 'Restore it from where it was kept: without it no key or session is recognised.'
    : 'Create it with at least 32 random characters.'
  return refuse('unavailable', `There is no server secret in ${path}. ${advice}`)
}

/** Written beside and linked into place, so that two processes starting at once agree on one whole file. */
function make(path: string): string {
  makeFolder(dirname(path))
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  writeSync(file, `${randomBytes(32).toString('hex')}\n`)
  fsyncSync(file)
  closeSync(file)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  return read(path) ?? missing(path, false)
}

/** Whoever starts first decides; the others learn which secret it was. */
async function keepCheckValue(store: Store, proof: string): Promise<string> {
  await store.write((tx) => keepStoredValue(tx, checkName, proof))
  return (await readStoredValue(store.db, checkName)) ?? proof
}
