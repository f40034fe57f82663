/** Authenticates a request by its key, reading the current state of the database, so that a revoked key is refused with the very next request. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { Failure, type LoggedReason, refuse } from '../../lib/failures.ts'
import { memo, memoByObject } from '../../lib/memo.ts'
import { numberOf } from '../../lib/secrets.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { type App, perApp, perSecret } from '../core/app.ts'
import type { KeyScope, PartnerCaller } from '../core/caller.ts'
import { isKey } from './keys/key-format.ts'
import { noteUse } from './keys/key-last-used.ts'
import { hashKey, idsIn, isLive, moveKey } from './keys/keys.ts'
import { defaultLimits } from './partners.ts'

interface Credentials {
  readonly key: string
  /** Null if the key came without its password. */
  readonly password: string | null
}

/** Credentials with their hashes under the current server secret. */
interface Hashed extends Credentials {
  readonly key_hash: string
  readonly password_hash: string | null
}

const maxHeaderLength = 1024
const refusalMilliseconds = 2

/** Gives the same refusal for an unknown, revoked, expired or suspended key and for a wrong password, so that a client cannot tell them apart. */
export async function authenticate(app: App, authorization: string | undefined, requestId: string): Promise<PartnerCaller> {
  if (authorization === undefined || authorization.length > maxHeaderLength) return refuseKey({ reason: 'no key was sent' })
  const given = hashedUnder(app)(authorization) ?? (await refuseKey({ reason: 'what was sent is no key' }))
  const [known] = await keyByHash(app)({ key_hash: given.key_hash })
  const found = known ?? (await findByName(app, given))
  const reason = reasonAgainst(app, found, given)
  if (reason !== null) return refuseKnown(app, reason, { key: found.public_part, partner_id: found.partner_id })
  if (isBehind(app, found, given)) moveKey(app, found, given.key, given.password)
  noteUse(app, found.id)
  return { ...callerOf(found), app, requestId, hasPassword: given.password !== null }
}

/** What a request with this key may do; rows that are cached give it once. */
const callerOf = memoByObject((found: Found): Omit<PartnerCaller, 'app' | 'requestId' | 'hasPassword'> => {
  return {
    kind: 'partner',
    partnerId: found.partner_id,
    accountId: found.account_id ?? refuse('unauthorized'),
    accountIds: found.account_ids === null ? null : idsIn(found.account_ids),
    keyId: found.id,
    keyName: found.public_part,
    scopes: found.scopes.split(' ') as KeyScope[],
    mayReadWithKeyAlone: found.key_alone === 1,
    names: found.names,
    series: found.series,
    mayWriteDirectly: found.writes_directly === 1,
    limits: {
      readsPerMinute: found.reads_per_minute ?? defaultLimits.readsPerMinute,
      writesPerMinute: found.writes_per_minute ?? defaultLimits.writesPerMinute,
      takenPerHour: found.taken_per_hour ?? defaultLimits.takenPerHour,
    },
  }
})

/** A known key is refused after the same reads as an unknown one, which is searched for by its public part and not found, so that the time does not tell them apart. */
async function refuseKnown(app: App, reason: string, known: Omit<LoggedReason, 'reason'>): Promise<never> {
  await keyByName(app)({ public_part: nobodysPart })
  return refuseKey({ reason, ...known })
}

/** For a key that came alone where its password is needed: it is refused like any other key. */
export function refuseWithoutPassword({ app, keyName, partnerId }: PartnerCaller): Promise<never> {
  return refuseKnown(app, 'the password is missing', { key: keyName, partner_id: partnerId })
}

/** The timer starts at the time of the loop's turn and fires on a tick of the clock, so that the microseconds by which the reasons differ are not in the time of the answer. */
export async function refuseKey(logged: LoggedReason): Promise<never> {
  await sleep(refusalMilliseconds)
  throw new Failure('unauthorized', { logged })
}

type Found = Awaited<ReturnType<ReturnType<typeof keyByHash>>>[number]

/** Finds a key that was hashed under another server secret. */
async function findByName(app: App, given: Hashed): Promise<Found> {
  const public_part = given.key.slice(...publicRange)
  const [named] = await keyByName(app)({ public_part })
  if (named === undefined) return refuseKey({ reason: 'the key is unknown', key: public_part })
  if (!app.secrets.knows(named.key_hash)) await app.secrets.refresh()
  if (!app.secrets.knows(named.key_hash)) return refuse('unavailable')
  if (app.secrets.isHmac(named.key_hash, 'lookup', given.key)) return named
  const isRetired = !app.secrets.isInUse(named.key_hash)
  const reason = isRetired ? 'the key was last used under a server secret that is retired' : 'the key is unknown'
  return refuseKey({ reason, key: public_part, ...(isRetired && { partner_id: named.partner_id }) })
}

/** Why a known key is refused. Only for the log, because the answer is the same for all reasons. */
function reasonAgainst(app: App, found: Found, given: Hashed): string | null {
  const { state, expires_at, revoked_at } = found
  if (state !== 'active') return 'the partner is suspended'
  if (revoked_at !== null) return 'the key is revoked'
  if (!isLive({ expires_at, revoked_at }, app.clock.now())) return 'the key has expired'
  return isPassword(app, found, given) ? null : 'the password is wrong'
}

/** Compares keyed hashes, so that timing reveals nothing about the password. */
function isPassword({ secrets }: App, { password_hash }: Found, given: Hashed): boolean {
  if (given.password === null || given.password_hash === password_hash) return true
  const isSameSecret = numberOf(password_hash) === numberOf(given.password_hash ?? '')
  return !isSameSecret && secrets.isHmac(password_hash, 'lookup', given.password)
}

/** Whether the stored hashes were made under a server secret before the current one. */
function isBehind({ secrets }: App, { key_hash, password_hash }: Found, { password }: Credentials): boolean {
  const { id } = secrets.current
  return numberOf(key_hash) < id || (password !== null && numberOf(password_hash) < id)
}

const keyByHash = perApp(({ store }) =>
  store.cacheUntilCommit((db, param: Param<{ key_hash: string }>) => withPartner(db).where('key_hash', '=', param('key_hash'))),
)

const keyByName = perApp(({ store }) =>
  store.prepare((db, param: Param<{ public_part: string }>) => withPartner(db).where('public_part', '=', param('public_part'))),
)

function withPartner(db: Kysely<Tables>) {
  return db
    .selectFrom('keys')
    .innerJoin('partners', 'partners.id', 'keys.partner_id')
    .select(['keys.id', 'keys.partner_id', 'public_part', 'key_hash', 'password_hash', 'scopes', 'expires_at', 'revoked_at', 'account_ids'])
    .select(['state', 'account_id', 'key_alone', 'names', 'series', 'reads_per_minute', 'writes_per_minute', 'taken_per_hour'])
    .select('writes_directly')
}

const publicRange = [3, 11] as const
const nobodysPart = ''

/** Cached, because hashing costs more than the lookup. */
const hashedUnder = perSecret((app) => memo({ most: 1_000, longest: maxHeaderLength }, (text) => hashed(app, text)))

function hashed(app: App, authorization: string): Hashed | null {
  const { key, password: given } = credentialsIn(authorization)
  if (!isKey(key)) return null
  const password = given === '' ? null : given
  return { key, password, key_hash: hashKey(app, key), password_hash: password === null ? null : hashKey(app, password) }
}

/** Parses `Basic base64(KEY:PASSWORD)`, and `Bearer KEY:PASSWORD` of tools that know nothing else; old clients send `KEY:` or `KEY`. */
function credentialsIn(authorization: string): { key: string; password: string } {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization) ?? []
  const [, text = Buffer.from(encoded, 'base64').toString()] = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
  const colon = text.indexOf(':')
  return colon < 0 ? { key: text, password: '' } : { key: text.slice(0, colon), password: text.slice(colon + 1) }
}
