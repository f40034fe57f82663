/** Who sent a request: the partner behind its key, as the database has it now, so that a revoked key is refused by the very next request. */

import { Failure, type LoggedReason, refuse } from '../../lib/failures.ts'
import { memo } from '../../lib/memo.ts'
import type { Param } from '../../store/store.ts'
import { type App, perApp } from '../core/app.ts'
import type { KeyScope, PartnerCaller } from '../core/caller.ts'
import { isKey } from './key-format.ts'
import { noteUse } from './key-last-used.ts'
import { hashKey, isLive, type Key } from './keys.ts'
import { defaultLimits } from './partners.ts'

interface Hashes {
  /** The public part of the key. */
  readonly name: string
  readonly key: string
  /** Null when the key came alone. */
  readonly password: string | null
}

const maxHeaderLength = 1024

/** The same refusal for an unknown, revoked, expired or suspended key and for a wrong password: nothing is told apart. */
export async function authenticate(app: App, authorization: string | undefined, requestId: string): Promise<PartnerCaller> {
  if (authorization === undefined || authorization.length > maxHeaderLength) return refuseKey({ reason: 'no key was sent' })
  const given = hashesOf(app)(authorization) ?? refuseKey({ reason: 'what was sent is no key' })
  const [found] = await keyByHash(app)({ key_hash: given.key })
  if (found === undefined) return refuseKey({ reason: 'the key is unknown', key: given.name })
  const reason = reasonAgainst(found, given, app.clock.now())
  if (reason !== null) refuseKey({ reason, key: found.public_part, partner_id: found.partner_id })
  noteUse(app, found.id)
  return {
    kind: 'partner',
    app,
    requestId,
    partnerId: found.partner_id,
    accountId: found.account_id ?? refuse('unauthorized'),
    keyId: found.id,
    keyName: found.public_part,
    scopes: found.scopes.split(' ') as KeyScope[],
    hasPassword: given.password !== null,
    mayReadWithKeyAlone: found.key_alone === 1,
    names: found.names,
    limits: {
      readsPerMinute: found.reads_per_minute ?? defaultLimits.readsPerMinute,
      writesPerMinute: found.writes_per_minute ?? defaultLimits.writesPerMinute,
      takenPerHour: found.taken_per_hour ?? defaultLimits.takenPerHour,
    },
  }
}

function refuseKey(logged: LoggedReason): never {
  throw new Failure('unauthorized', { logged })
}

type Found = Pick<Key, 'expires_at' | 'revoked_at'> & { readonly state: string; readonly password_hash: string }

/** What speaks against a key that is known; for the log, because the answer is the same for all. */
function reasonAgainst({ state, expires_at, revoked_at, password_hash }: Found, { password }: Hashes, now: string): string | null {
  if (state !== 'active') return 'the partner is suspended'
  if (revoked_at !== null) return 'the key is revoked'
  if (!isLive({ expires_at, revoked_at }, now)) return 'the key has expired'
  // Keyed hashes on both sides: how far they agree tells nothing about the password.
  return password !== null && password !== password_hash ? 'the password is wrong' : null
}

const keyByHash = perApp(({ store }) =>
  store.cacheUntilCommit((db, param: Param<{ key_hash: string }>) =>
    db
      .selectFrom('keys')
      .innerJoin('partners', 'partners.id', 'keys.partner_id')
      .select(['keys.id', 'keys.partner_id', 'public_part', 'password_hash', 'scopes', 'expires_at', 'revoked_at'])
      .select(['state', 'account_id', 'key_alone', 'names', 'reads_per_minute', 'writes_per_minute', 'taken_per_hour'])
      .where('key_hash', '=', param('key_hash')),
  ),
)

/** Hashing costs more than the lookup. */
const hashesOf = perApp((app) =>
  memo({ most: 1_000, longest: maxHeaderLength }, (authorization): Hashes | null => {
    const { key, password } = readBasic(authorization)
    return isKey(key) ? { name: key.slice(3, 11), key: hashKey(app, key), password: password === '' ? null : hashKey(app, password) } : null
  }),
)

/** `Basic base64(KEY:PASSWORD)`; old clients send `KEY:` or `KEY`. */
function readBasic(authorization: string): { key: string; password: string } {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? { key: text, password: '' } : { key: text.slice(0, colon), password: text.slice(colon + 1) }
}
