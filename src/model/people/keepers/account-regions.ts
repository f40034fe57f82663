/** How dates and numbers are written for the people of an account who have chosen nothing themselves: set by those who keep it, or by staff at the desk. */

import { complete, draftOf } from '../../../fields/read.ts'
import { refuse } from '../../../lib/failures.ts'
import { changedCustomer } from '../../../resources/account.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { change, refuseMeanwhile } from '../../core/transaction.ts'
import { keeperOf } from './keepers.ts'

/** Blank: nobody chooses for them. A repetition changes nothing and records nothing. */
export async function chooseRegion(person: PersonCaller, accountId: number, wanted: string, was: string): Promise<void> {
  const shape = { region: changedCustomer.region }
  const region = complete(shape, draftOf(shape, { region: wanted })).region || null
  await change(person, async (tx) => {
    await person.app.store.lock(tx, 'accounts', accountId)
    const { account, keeps } = await keeperOf(person, accountId, tx)
    if (keeps === 'nothing') refuse('forbidden', 'The owner of the account does that.')
    if ((account.region ?? '') !== was) refuseMeanwhile()
    if (account.region === region) return
    await tx.updateTable('accounts').set({ region, updated_at: person.app.clock.now() }).where('id', '=', accountId).execute()
    const detail = { before: { region: account.region }, after: { region } }
    await audit(tx, person, 'account.change', { id: accountId, account_id: accountId }, detail)
  })
}
