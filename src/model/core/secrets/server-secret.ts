/** The server secrets: stored in a file, numbered by the database, and verified against it before anything is served. */

import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Settings } from '../../../config.ts'
import { refuse } from '../../../lib/failures.ts'
import { type Keyring, type NumberedSecret, proofOf, type Secrets, secretsOn } from '../../../lib/secrets.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { ServerSecretRow } from '../../../store/rows/processes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Store } from '../../../store/store.ts'
import { makeSecretFile, readSecretFile, secretPath } from './secret-file.ts'

export interface ServerSecrets extends Secrets {
  /** Checks for the next step of a rotation; rejects if a secret in use is not in the file. */
  refresh(): Promise<void>
}

export type SecretState = 'announced' | 'current' | 'retiring' | 'retired'

/** `mayMake` is for whoever makes the database: a file that was named is made too, if it is missing. */
export async function openSecrets(settings: Settings, store: Store, clock: Clock, mayMake = false): Promise<ServerSecrets> {
  let rows = await secretRows(store.db)
  const file = readOrMake(settings, rows.length > 0, mayMake)
  if (rows.length === 0) rows = await keepFirst(store, file, clock.now())
  let ring = ringOf(settings, rows, file, clock.now())
  const refresh = async () => {
    const now = clock.now()
    const found = await secretRows(store.db)
    if (isDeepStrictEqual(found, rows) && isDeepStrictEqual(statesOf(found, now), statesOf(rows, ringMadeAt))) return
    ring = ringOf(settings, found, readOrMake(settings, true), now)
    ;[rows, ringMadeAt] = [found, now]
  }
  let ringMadeAt = clock.now()
  return Object.assign(
    secretsOn(() => ring),
    { refresh },
  )
}

/** Whether the database knows its secret; a database that was never opened does not. */
export async function isSecretKnown({ db }: Store): Promise<boolean> {
  return (await secretRows(db)).length > 0
}

export function secretRows(db: Kysely<Tables>): Promise<ServerSecretRow[]> {
  return db.selectFrom('server_secrets').selectAll().orderBy('id').execute()
}

/** The newest secret that has started is current; earlier ones retire at their time. */
export function secretState(row: ServerSecretRow, rows: readonly ServerSecretRow[], now: string): SecretState {
  const current = currentRow(rows, now)?.id ?? row.id
  if (row.id >= current) return row.id === current ? 'current' : 'announced'
  return row.retires_at !== null && row.retires_at <= now ? 'retired' : 'retiring'
}

function statesOf(rows: readonly ServerSecretRow[], now: string): readonly SecretState[] {
  return rows.map((row) => secretState(row, rows, now))
}

function currentRow(rows: readonly ServerSecretRow[], now: string): ServerSecretRow | undefined {
  return rows.findLast(({ starts_at }) => starts_at <= now) ?? rows[0]
}

function ringOf(settings: Settings, rows: readonly ServerSecretRow[], file: readonly Uint8Array[], now: string): Keyring {
  const bytesOf = new Map(file.map((bytes) => [proofOf(bytes), bytes]))
  const numbered = (state: SecretState): NumberedSecret[] =>
    rows
      .filter((row) => secretState(row, rows, now) === state)
      .flatMap((row) => numberedSecret(row, bytesOf) ?? (state === 'retired' ? [] : refuseMissing(settings, row, state)))
  const [current = refuse('unavailable')] = numbered('current')
  return {
    current,
    inUse: [current, ...numbered('announced'), ...numbered('retiring')],
    retired: numbered('retired'),
    unnumbered: file.filter((bytes) => !rows.some(({ proof }) => proof === proofOf(bytes))),
  }
}

function numberedSecret({ id, proof, starts_at }: ServerSecretRow, bytesOf: ReadonlyMap<string, Uint8Array>): NumberedSecret | undefined {
  const bytes = bytesOf.get(proof)
  return bytes === undefined ? undefined : { id, bytes, startsAt: starts_at }
}

function refuseMissing(settings: Settings, { id }: ServerSecretRow, state: SecretState): never {
  const path = secretPath(settings)
  return refuse(
    'unavailable',
    state === 'current'
      ? `The server secret in ${path} is not the one this database was made with: no key would be recognised.`
      : `The ${state} server secret ${id} is not in ${path}: copy the file from where \`marquee secret rotate\` was run.`,
  )
}

function readOrMake(settings: Settings, isKnown: boolean, mayMake = false): readonly Uint8Array[] {
  const path = secretPath(settings)
  const isMade = !isKnown && (mayMake || settings.secretFile === undefined)
  return readSecretFile(path) ?? (isMade ? makeSecretFile(path) : missing(path, isKnown))
}

function missing(path: string, isKnown: boolean): never {
  const advice = isKnown
    ? 'Restore it from where it was kept: without it no key or session is recognised.'
    : 'Run `marquee migrate --init`, which makes it.'
  return refuse('unavailable', `There is no server secret in ${path}. ${advice}`)
}

/** The first process to start decides; the others learn which secret it was. */
async function keepFirst(store: Store, file: readonly Uint8Array[], now: string): Promise<ServerSecretRow[]> {
  const proof = proofOf(file.at(-1) as Uint8Array)
  await store.write((tx) =>
    tx
      .insertInto('server_secrets')
      .values({ id: 1, proof, made_at: now, starts_at: now, retires_at: null })
      .onConflict((taken) => taken.doNothing())
      .execute(),
  )
  return secretRows(store.db)
}
