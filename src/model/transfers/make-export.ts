/** Makes the export of a partner in a reader thread: one account after the other, each as an export of its own and from one snapshot. */

import type { Kysely } from 'kysely'
import type { Maker } from '../../readers/serve.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { cursorOf } from '../core/paging.ts'
import { accountsOf } from '../core/tenancy.ts'
import { exportAccount } from '../imports/export/export.ts'
import { accountParts, exportExternalIds, type Part, siteParts } from './account-parts.ts'
import { headOf, linesTo, withoutSites } from './export-accounts.ts'
import type { AskedExport } from './open-export.ts'

type Db = Kysely<Tables>
type Take = (text: string) => Promise<void>

export const makeExport: Maker<AskedExport, null> = async (asked, making) => {
  const output = making.write(asked.coding)
  const take: Take = async (text) => {
    output.chunks.addText(text)
    await output.pause()
  }
  for (let after: number | undefined = asked.after; after !== undefined; )
    after = await making.database.snapshot((db) => exportNext(db, asked, after as number, take))
}

/** Returns the account that was exported; undefined if there was none left. */
async function exportNext(db: Db, asked: AskedExport, after: number, take: Take): Promise<number | undefined> {
  const { partnerId, siteId, now } = asked
  const account = await accountsAsked(db, asked).where('id', '>', after).orderBy('id').limit(1).executeTakeFirst()
  if (account === undefined) return undefined
  const of = { partnerId, accountId: account.id, siteId }
  const write = linesTo(take)
  const isWhole = asked.accountId === undefined && asked.accountIds === null
  const partner = await db.selectFrom('partners').select('account_id').where('id', '=', partnerId).executeTakeFirstOrThrow()
  const head = await headOf(db, { now, accounts: 1, partnerAccountId: isWhole ? partner.account_id : null })
  await write('export', [{ ...head, account_id: account.id }])
  for (const part of siteId === undefined ? accountParts(abilitiesAmong(asked)) : siteParts) await part(db, of, write)
  await exportExternalIds(db, of, write)
  await exportAccount(db, account.id, { account: account.id }, withoutSites(write), siteId)
  await write('end', [{ account_id: account.id, after: cursorOf(account.id) }])
  return account.id
}

function accountsAsked(db: Db, { partnerId, accountIds, accountId }: AskedExport) {
  const all = accountsOf(partnerId, db).select('id')
  const reached = accountIds === null ? all : all.where('id', 'in', accountIds)
  return accountId === undefined ? reached : reached.where('id', '=', accountId)
}

/** An ability comes with the later one of the accounts of its user and of what it is on, so that both are there when it is read. */
function abilitiesAmong(asked: AskedExport): Part {
  return async (db, { accountId }, put) => {
    for (const [scopeType, table, account] of scopes) {
      const abilities = db
        .selectFrom('abilities')
        .innerJoin('users', 'users.id', 'abilities.user_id')
        .innerJoin(table as 'sites', `${table as 'sites'}.id`, 'abilities.scope_id')
        .select(['abilities.user_id', 'abilities.key', 'abilities.scope_type', 'abilities.scope_id'])
        .where('abilities.scope_type', '=', scopeType)
        .where('users.state', '!=', 'deleted')
        .where(({ eb, and, or }) => {
          const of = account as 'sites.account_id'
          const own = and([eb('users.account_id', '=', accountId), eb(of, asked.accountId === undefined ? '<=' : '=', accountId)])
          const earlier = and([eb(of, '=', accountId), eb('users.account_id', '<', accountId)])
          return asked.accountId === undefined ? or([own, earlier]) : own
        })
        .$if(asked.accountIds !== null, (some) =>
          some.where('users.account_id', 'in', asked.accountIds ?? []).where(account as 'sites.account_id', 'in', asked.accountIds ?? []),
        )
      await put('ability', await abilities.orderBy('abilities.user_id').orderBy('abilities.scope_id').execute())
    }
  }
}

const scopes = [
  ['Account', 'accounts', 'accounts.id'],
  ['Business', 'businesses', 'businesses.account_id'],
  ['Site', 'sites', 'sites.account_id'],
] as const
