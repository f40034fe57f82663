/** The people of a test partner, as whom the admins of its partner look around: by links that log in once. */

import { notFound } from '../../lib/failures.ts'
import { audit } from '../core/audit.ts'
import type { StaffCaller } from '../core/caller.ts'
import { change } from '../core/transaction.ts'
import { findOwnTestPartner } from '../partners/test-partners/test-partners.ts'
import { createLoginLink, type LoginLink } from './login-links.ts'

const mostPeople = 20

export interface TestPerson {
  readonly id: number
  readonly login: string
  readonly account: string
  /** Null for whoever is no staff of the test partner. */
  readonly role: 'admin' | 'member' | null
}

/** Staff first; there are none while it is empty. */
export async function listTestPeople(staff: StaffCaller): Promise<TestPerson[]> {
  const test = await findOwnTestPartner(staff)
  if (test === null) return []
  return staff.app.store.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.id', 'users.login', 'accounts.name as account', 'staff.role'])
    .where('accounts.partner_id', '=', test.partner_id)
    .where('users.state', 'not in', ['suspended', 'deleted'])
    .orderBy((user) => user.case().when('staff.user_id', 'is', null).then(1).else(0).end())
    .orderBy('users.id')
    .limit(mostPeople)
    .execute()
}

/** As the operator, who makes links for staff too; who asked for it is recorded with their own partner. */
export async function createTestLink(staff: StaffCaller, userId: number): Promise<LoginLink> {
  const person = (await listTestPeople(staff)).find(({ id }) => id === userId) ?? notFound('user')
  const link = await createLoginLink({ kind: 'operator', app: staff.app, requestId: staff.requestId }, person.id)
  await change(staff, (tx) => audit(tx, staff, 'partner.test', { id: staff.partnerId }, { after: { login_link: person.login } }))
  return link
}
