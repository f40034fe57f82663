/** Accounts and sites in the partner's reach, listed: every id can be discovered. */

import { listAccounts } from '../../model/partners/accounts.ts'
import { listSites } from '../../model/partners/sites.ts'
import type { Call } from '../endpoint.ts'
import type { inPages } from '../parameters.ts'

export function index({ caller, query }: Call<typeof inPages>) {
  return listAccounts(caller, query.after)
}

export function sites({ caller, query }: Call<typeof inPages>) {
  return listSites(caller, query.after)
}
