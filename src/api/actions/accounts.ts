/** Accounts and sites in the partner's reach, listed: every id can be discovered. */

import { listAccounts } from '../../model/partners/accounts.ts'
import { listSites } from '../../model/partners/sites.ts'
import type { Call } from '../endpoint.ts'
import { single } from '../query.ts'

export function index({ caller, query }: Call) {
  return listAccounts(caller, single(query, 'after'))
}

export function sites({ caller, query }: Call) {
  return listSites(caller, single(query, 'after'))
}
