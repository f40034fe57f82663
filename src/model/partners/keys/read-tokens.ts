/** Tokens that a key makes for the pages of a portal: each reads one account or site, and ends by itself, by its revocation, or with the key. */

import { complete, type Draft } from '../../../fields/read.ts'
import { type FieldError, notFound, refuse } from '../../../lib/failures.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import { type NewReadToken, newReadToken, type ReadTokenRecord, readToken } from '../../../resources/figures/read-token.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import { type ListPage, page } from '../../core/paging.ts'
import { accountsWithin, sitesWithin } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { makePublicPart, makeToken } from './key-format.ts'
import { hashKey } from './keys.ts'

type Db = App['store']['db']

const usualMinutes = 60
/** Of one key, that live at the same time. */
const mostTokens = 10_000

const columns = Object.keys(readToken) as (keyof ReadTokenRecord)[]

export async function issueToken(caller: PartnerCaller, draft: Draft<NewReadToken>): Promise<ReadTokenRecord & { token: string }> {
  const place = await placeOf(caller, draft.values)
  const { minutes = usualMinutes } = complete(newReadToken, draft, place.faults)
  const { app, partnerId, keyId } = caller
  return change(caller, async (tx) => {
    await refuseMany(tx, caller)
    const public_part = makePublicPart()
    const token = makeToken(public_part)
    const now = app.clock.now()
    const row = { account_id: place.accountId, site_id: place.siteId, created_at: now, expires_at: secondsAfter(now, minutes * 60) }
    const record = await tx
      .insertInto('read_tokens')
      .values({ ...row, partner_id: partnerId, key_id: keyId, public_part, token_hash: hashKey(app, token), revoked_at: null })
      .returning(columns)
      .executeTakeFirstOrThrow()
    await audit(tx, caller, 'token.issue', record, { after: record })
    return { token, ...record }
  })
}

/** Those that the key has made, until some time after their end. */
export function listTokens(caller: PartnerCaller, after?: string): Promise<ListPage<ReadTokenRecord>> {
  return page(ownTokens(caller, caller.app.store.db), after)
}

export async function findToken(caller: PartnerCaller, id: number): Promise<ReadTokenRecord> {
  return (await ownTokens(caller, caller.app.store.db).where('id', '=', id).executeTakeFirst()) ?? notFound('token')
}

/** The next request with it is refused. A repetition changes nothing and records nothing. */
export function revokeToken(caller: PartnerCaller, id: number): Promise<ReadTokenRecord> {
  return change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'read_tokens', id)
    const before = (await ownTokens(caller, tx).where('id', '=', id).executeTakeFirst()) ?? notFound('token')
    if (before.revoked_at !== null) return before
    const ended = tx.updateTable('read_tokens').set({ revoked_at: caller.app.clock.now() }).where('id', '=', id)
    const after = await ended.returning(columns).executeTakeFirstOrThrow()
    await audit(tx, caller, 'token.revoke', after, { before, after })
    return after
  })
}

/** Tokens that ended a day ago, some at a time; the rates by which they were limited go too. */
export async function forgetTokens(tx: Db, before: string, most: number): Promise<number> {
  const ended = await tx.selectFrom('read_tokens').select('id').where('expires_at', '<', before).limit(most).execute()
  if (ended.length === 0) return 0
  const ids = ended.map(({ id }) => id)
  const rates = ids.map((id) => `${tokenParty(id)} reads`)
  await tx.deleteFrom('rate_buckets').where('name', 'in', rates).execute()
  await tx.deleteFrom('read_tokens').where('id', 'in', ids).execute()
  return ids.length
}

/** By which its requests are counted, apart from those of the partner. */
export function tokenParty(id: number): string {
  return `token ${id}`
}

function ownTokens({ partnerId, keyId }: PartnerCaller, db: Db) {
  return db.selectFrom('read_tokens').select(columns).where('partner_id', '=', partnerId).where('key_id', '=', keyId)
}

interface Place {
  readonly accountId: number
  readonly siteId: number | null
  readonly faults: readonly FieldError[]
}

/** A site of another account than the named one does not exist. */
async function placeOf(caller: PartnerCaller, { site_id, account_id }: Partial<NewReadToken>): Promise<Place> {
  const missing = (field: string, code: FieldError['code']): Place => ({ accountId: 0, siteId: null, faults: [{ field, code }] })
  const accounts = accountsWithin(caller)
    .select('accounts.id')
    .where('accounts.id', '=', account_id ?? 0)
  if (account_id !== undefined && (await accounts.executeTakeFirst()) === undefined) return missing('account_id', 'does_not_exist')
  if (site_id === undefined)
    return account_id === undefined ? missing('site_id', 'blank') : { accountId: account_id, siteId: null, faults: [] }
  const sites = sitesWithin(caller).select('sites.account_id').where('sites.id', '=', site_id)
  const site = await (account_id === undefined ? sites : sites.where('sites.account_id', '=', account_id)).executeTakeFirst()
  return site === undefined ? missing('site_id', 'does_not_exist') : { accountId: site.account_id, siteId: site_id, faults: [] }
}

async function refuseMany(tx: Db, { app, keyId }: PartnerCaller): Promise<void> {
  await app.store.lock(tx, 'keys', keyId)
  const { count } = await tx
    .selectFrom('read_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('key_id', '=', keyId)
    .where('expires_at', '>', app.clock.now())
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostTokens)
    refuse('conflict', `This key has made ${mostTokens} tokens that are still valid: revoke some, or let them live shorter`)
}
