/** Rotation of the server secret: a new one is announced and then becomes current; values made with the old one stay valid until it retires. */

import type { Kysely } from 'kysely'
import { notFound, refuse } from '../../lib/failures.ts'
import { numberOf, proofOf } from '../../lib/secrets.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { ServerSecretRow } from '../../store/rows/processes.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { countSealed, sealAgain } from '../core/secrets/sealed-values.ts'
import { addSecret, readSecretFile, secretPath } from '../core/secrets/secret-file.ts'
import { type SecretState, secretRows, secretState } from '../core/secrets/server-secret.ts'
import { change } from '../core/transaction.ts'

export interface RotationWishes {
  /** The seconds until the new secret becomes current. Every process polls for it and must know it by then. */
  readonly startsInSeconds?: number
  /** How many days values made with the old secret stay valid after that. */
  readonly graceDays?: number
}

export interface SecretShown extends Omit<ServerSecretRow, 'proof'> {
  readonly state: SecretState
  /** How many keys and sessions depend on this secret. */
  readonly keys: number
  readonly sessions: number
}

/** A key that has not been used, or not with its password, since the rotation. */
export interface IdleKey {
  readonly public_part: string
  readonly partner_id: number
  readonly label: string
  readonly last_used_at: string | null
  readonly secret: number
  readonly deadline: string | null
}

/** The parts of the app that are needed to examine keys. */
type Rotating = Pick<App, 'store' | 'clock' | 'secrets'>

const usualStartSeconds = 15
const usualGraceDays = 30
const secondsPerDay = 86_400
const mostInUse = 4

/** Writes the file first, then the database; a secret that is only in the file is used by the next attempt. */
export async function rotateSecret(caller: OperatorCaller, wishes: RotationWishes = {}): Promise<SecretShown> {
  const { app } = caller
  refuseSecondRotation(app, await secretRows(app.store.db))
  const proof = proofOf(await secretToUse(app))
  const id = await change(caller, async (tx) => {
    await app.store.lock(tx, 'server_secrets', app.secrets.current.id)
    const rows = await secretRows(tx)
    refuseSecondRotation(app, rows)
    return announce(tx, caller, rows, proof, wishes)
  })
  await app.secrets.refresh()
  return (await listSecrets(caller)).find((secret) => secret.id === id) ?? notFound('secret')
}

/** All secrets there ever were, the newest first. */
export async function listSecrets({ app }: OperatorCaller): Promise<SecretShown[]> {
  const { db } = app.store
  const [rows, keys] = [await secretRows(db), await usableKeys(app)]
  const sessions = await db.selectFrom('sessions').select('password_mark').execute()
  const now = app.clock.now()
  const shown = rows.map((row) => ({
    id: row.id,
    state: secretState(row, rows, now),
    made_at: row.made_at,
    starts_at: row.starts_at,
    retires_at: row.retires_at,
    keys: keys.filter((key) => oldestOf(key) === row.id).length,
    sessions: sessions.filter(({ password_mark }) => numberOf(password_mark) === row.id).length,
  }))
  return shown.toReversed()
}

/** Keys that move to the current secret when they are next used, and are refused after their deadline. */
export async function listIdleKeys({ app }: { readonly app: Rotating }): Promise<IdleKey[]> {
  const deadlines = new Map((await secretRows(app.store.db)).map(({ id, retires_at }) => [id, retires_at]))
  const idle = (await usableKeys(app)).filter((key) => oldestOf(key) < app.secrets.current.id)
  return idle.map((key) => {
    const { key_hash: _key, password_hash: _password, ...shown } = key
    return { ...shown, secret: oldestOf(key), deadline: deadlines.get(oldestOf(key)) ?? null }
  })
}

/** Values made with the secret are refused from now on; a repetition changes nothing. */
export async function retireSecret(caller: OperatorCaller, id: number, isForced: boolean): Promise<SecretShown> {
  const secret = (await listSecrets(caller)).find((each) => each.id === id) ?? notFound('secret')
  if (secret.state === 'retired') return secret
  if (secret.state !== 'retiring') refuse('conflict', `The server secret ${id} is ${secret.state}: rotate it first.`)
  if (secret.keys > 0 && !isForced)
    refuse(
      'conflict',
      `Keys that have not been used since the rotation: ${secret.keys}. They would be refused; --force retires the secret all the same.`,
    )
  await sealAgain(caller.app)
  const needing = (await countSealed(caller.app)).needing.get(id) ?? 0
  if (needing > 0)
    refuse(
      'conflict',
      `Encrypted values that still need it and cannot be read, so that they are not encrypted anew: ${needing}. See \`marquee doctor\`.`,
    )
  const retires_at = caller.app.clock.now()
  await change(caller, async (tx) => {
    await tx.updateTable('server_secrets').set({ retires_at }).where('id', '=', id).execute()
    const [before, after] = [{ retires_at: secret.retires_at }, { retires_at, keys: secret.keys, sessions: secret.sessions }]
    await audit(tx, caller, 'secret.retire', { id }, { before, after })
  })
  return { ...secret, state: 'retired', retires_at }
}

function refuseSecondRotation({ clock }: App, rows: readonly ServerSecretRow[]): void {
  const states = rows.map((row) => secretState(row, rows, clock.now()))
  const announced = rows[states.indexOf('announced')]
  if (announced !== undefined)
    refuse('conflict', `A rotation is under way: the server secret ${announced.id} takes over at ${announced.starts_at}.`)
  if (states.filter((state) => state !== 'retired').length >= mostInUse)
    refuse('conflict', `There are ${mostInUse} server secrets in use already: retire one with \`marquee secret retire\` first.`)
}

/** The newest secret of the file, if the database does not know it yet: a rotation was interrupted, or the operator added it. */
async function secretToUse({ settings, store }: App): Promise<Uint8Array> {
  const path = secretPath(settings)
  const file = readSecretFile(path) ?? refuse('unavailable', `There is no server secret in ${path}.`)
  const known = (await secretRows(store.db)).map(({ proof }) => proof)
  const newest = file.at(-1) as Uint8Array
  return known.includes(proofOf(newest)) ? addSecret(path, file) : newest
}

async function announce(
  tx: Kysely<Tables>,
  caller: OperatorCaller,
  rows: readonly ServerSecretRow[],
  proof: string,
  { startsInSeconds = usualStartSeconds, graceDays = usualGraceDays }: RotationWishes,
): Promise<number> {
  const made_at = caller.app.clock.now()
  const id = Math.max(...rows.map((row) => row.id)) + 1
  const starts_at = secondsAfter(made_at, startsInSeconds)
  const retires_at = secondsAfter(starts_at, graceDays * secondsPerDay)
  await tx.updateTable('server_secrets').set({ retires_at }).where('retires_at', 'is', null).execute()
  await tx.insertInto('server_secrets').values({ id, proof, made_at, starts_at, retires_at: null }).execute()
  await audit(tx, caller, 'secret.rotate', { id }, { after: { starts_at, old_retires_at: retires_at } })
  return id
}

/** The older of the secrets on which the key and its password depend. */
function oldestOf({ key_hash, password_hash }: { key_hash: string; password_hash: string }): number {
  return Math.min(numberOf(key_hash), numberOf(password_hash))
}

function usableKeys({ store, clock }: Pick<App, 'store' | 'clock'>) {
  return store.db
    .selectFrom('keys')
    .select(['public_part', 'partner_id', 'label', 'last_used_at', 'key_hash', 'password_hash'])
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', clock.now())]))
    .orderBy('id')
    .execute()
}
