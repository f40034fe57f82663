/** The partner's own ids of accounts, users, businesses and sites: read and set. */

import { readDraft } from '../../fields/read.ts'
import { type ExternalKind, readExternalId, setExternalId } from '../../model/core/external-ids.ts'
import { findAccount } from '../../model/partners/accounts.ts'
import { findBusiness } from '../../model/partners/businesses.ts'
import { findSite } from '../../model/partners/sites.ts'
import { findUser } from '../../model/people/users.ts'
import { newExternalId } from '../../resources/external-id.ts'
import type { Call } from '../endpoint.ts'

const find = { account: findAccount, user: findUser, business: findBusiness, site: findSite } as const

/** A record out of reach is not found, whatever its external id. */
export function show(kind: ExternalKind) {
  return async ({ caller, ids: [id] }: Call) => {
    await find[kind](caller, id)
    return readExternalId(caller, kind, id)
  }
}

export function set(kind: ExternalKind) {
  return async ({ caller, ids: [id], body }: Call) => {
    await find[kind](caller, id)
    return setExternalId(caller, kind, id, readDraft(newExternalId, body))
  }
}
