/** Who made the share links of a site, and whether they may still share it. */

import type { Kysely } from 'kysely'
import { oneLine } from '../../lib/one-line.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { PersonCaller } from '../core/caller.ts'
import { maySharePages, type ShareLink } from './share-links.ts'

export interface LinkMaker {
  readonly name: string
  readonly mayShare: boolean
}

/** Null for links that a program or the operator made. */
export type MadeLink = ShareLink & { readonly maker: LinkMaker | null }

type Asking = Pick<PersonCaller, 'app' | 'requestId' | 'partnerId'>

/** For a person who may see the links. */
export async function withMakers(asking: Asking, siteId: number, links: readonly ShareLink[]): Promise<MadeLink[]> {
  const ids = [...new Set(links.flatMap(({ created_by }) => created_by ?? []))]
  const makers = new Map(await Promise.all(ids.map(async (id) => [id, await makerOf(asking.app.store.db, asking, siteId, id)] as const)))
  return links.map((link) => ({ ...link, maker: (link.created_by !== null && makers.get(link.created_by)) || null }))
}

export async function makerOf(db: Kysely<Tables>, asking: Asking, siteId: number, userId: number): Promise<LinkMaker> {
  const { name, person } = await readMaker(db, asking, userId)
  return { name, mayShare: person !== null && (await maySharePages(person, siteId, db)) }
}

/** `person` is null if they can share nothing any more. */
export async function readMaker(
  db: Kysely<Tables>,
  { app, requestId, partnerId }: Asking,
  userId: number,
): Promise<{ readonly name: string; readonly person: PersonCaller | null }> {
  const user = await db
    .selectFrom('users')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.account_id', 'users.login', 'users.name', 'users.state', 'staff.role', 'staff.customers', 'staff.partner_id'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (user === undefined || user.state === 'deleted') return { name: 'somebody who is gone', person: null }
  const { role, customers, account_id: accountId } = user
  const post = role === null || customers === null || user.partner_id !== partnerId ? null : { role, customers }
  const person: PersonCaller = { kind: 'person', app, requestId, partnerId, accountId, userId, post }
  return { name: oneLine(user.name || user.login), person: user.state === 'suspended' ? null : person }
}
