/** Authenticates a request by a read token, from the current state of the database: the token, the key that made it, and the partner. */

import { refuse } from '../../../lib/failures.ts'
import type { Param } from '../../../store/store.ts'
import { type App, perApp } from '../../core/app.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import { refuseKey } from '../authenticate.ts'
import { defaultLimits } from '../partners.ts'
import { isToken } from './key-format.ts'
import { isLive } from './keys.ts'
import { originsIn } from './origins.ts'

/** How often one token reads in a minute, apart from the partner's own rate. */
const readsPerMinute = 600

/** Told apart by its prefix; undefined for every other kind of credentials. */
export function tokenIn(authorization: string | undefined): string | undefined {
  return /^bearer +(mqt_[\x21-\x7e]{1,200}) *$/i.exec(authorization ?? '')?.[1]
}

/** The same refusal for every token that is not valid, whatever the reason. */
export async function authenticateToken(app: App, token: string, requestId: string): Promise<PartnerCaller> {
  if (!isToken(token)) return refuseKey({ reason: 'what was sent is no token' })
  const public_part = token.slice(...publicRange)
  const [found] = await tokenByPart(app)({ public_part })
  if (found === undefined) return refuseKey({ reason: 'the token is unknown', key: public_part })
  const reason = reasonAgainst(app, found, token)
  if (reason !== null) return refuseKey({ reason, key: public_part, partner_id: found.partner_id })
  return {
    kind: 'partner',
    app,
    requestId,
    partnerId: found.partner_id,
    accountId: found.partner_account_id ?? refuse('unauthorized'),
    accountIds: [found.account_id],
    keyId: found.key_id,
    keyName: public_part,
    scopes: ['report'],
    hasPassword: true,
    mayReadWithKeyAlone: false,
    mayWriteDirectly: false,
    names: found.names,
    series: found.series,
    limits: { ...defaultLimits, readsPerMinute },
    token: { id: found.id, siteId: found.site_id, origins: originsIn(found.origins) },
  }
}

type Found = Awaited<ReturnType<ReturnType<typeof tokenByPart>>>[number]

/** Only for the log. */
function reasonAgainst({ secrets, clock }: App, found: Found, token: string): string | null {
  const now = clock.now()
  if (!secrets.knows(found.token_hash) || !secrets.isHmac(found.token_hash, 'lookup', token)) return 'the token is unknown'
  if (found.state !== 'active') return 'the partner is suspended'
  if (!isLive({ expires_at: found.expires_at, revoked_at: found.revoked_at }, now)) return 'the token has ended'
  const isKeyLive = isLive({ expires_at: found.key_expires_at, revoked_at: found.key_revoked_at }, now)
  return isKeyLive && found.scopes.split(' ').includes('report') ? null : 'the key of the token has ended'
}

const publicRange = [4, 12] as const

const tokenByPart = perApp(({ store }) =>
  store.cacheUntilCommit((db, param: Param<{ public_part: string }>) =>
    db
      .selectFrom('read_tokens')
      .innerJoin('keys', 'keys.id', 'read_tokens.key_id')
      .innerJoin('partners', 'partners.id', 'read_tokens.partner_id')
      .select(['read_tokens.id', 'read_tokens.partner_id', 'key_id', 'read_tokens.account_id', 'site_id', 'token_hash'])
      .select(['read_tokens.expires_at', 'read_tokens.revoked_at', 'scopes', 'keys.expires_at as key_expires_at'])
      .select(['keys.revoked_at as key_revoked_at', 'state', 'partners.account_id as partner_account_id', 'names', 'series', 'origins'])
      .where('read_tokens.public_part', '=', param('public_part')),
  ),
)
