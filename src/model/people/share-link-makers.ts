/** Who made the share links of a site, and whether they may still share it. */

import { oneLine } from '../../lib/one-line.ts'
import type { PersonCaller } from '../core/caller.ts'
import { maySharePages, type ShareLink } from './share-links.ts'

export interface LinkMaker {
  readonly name: string
  readonly mayShare: boolean
}

/** Null for links that a program or the operator made. */
export type MadeLink = ShareLink & { readonly maker: LinkMaker | null }

/** For a person who may see the links. */
export async function withMakers(person: PersonCaller, siteId: number, links: readonly ShareLink[]): Promise<MadeLink[]> {
  const ids = [...new Set(links.flatMap(({ created_by }) => created_by ?? []))]
  const makers = new Map(await Promise.all(ids.map(async (id) => [id, await makerOf(person, siteId, id)] as const)))
  return links.map((link) => ({ ...link, maker: (link.created_by !== null && makers.get(link.created_by)) || null }))
}

async function makerOf({ app, requestId, partnerId }: PersonCaller, siteId: number, userId: number): Promise<LinkMaker> {
  const user = await app.store.db
    .selectFrom('users')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.account_id', 'users.login', 'users.name', 'users.state', 'staff.role', 'staff.customers', 'staff.partner_id'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (user === undefined || user.state === 'deleted') return { name: 'somebody who is gone', mayShare: false }
  const { role, customers, account_id: accountId } = user
  const post = role === null || customers === null || user.partner_id !== partnerId ? null : { role, customers }
  const maker: PersonCaller = { kind: 'person', app, requestId, partnerId, accountId, userId, post }
  return { name: oneLine(user.name || user.login), mayShare: user.state !== 'suspended' && (await maySharePages(maker, siteId)) }
}
