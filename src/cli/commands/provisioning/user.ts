/** `marquee user`: people who can log in. */

import { draftOf } from '../../../fields/read.ts'
import { allPages } from '../../../model/core/paging.ts'
import { createLoginLink, logOutEverywhere } from '../../../model/people/login-links.ts'
import { resetSecondFactor } from '../../../model/people/second-factor/second-factors.ts'
import { deleteUser, setPassword as setUserPassword, suspendUser, unsuspendUser } from '../../../model/people/user-states.ts'
import { createOwner, createUser, findUser, listUsers } from '../../../model/people/users.ts'
import { newUser } from '../../../resources/user.ts'
import type { OperatorInput, Output } from '../../command.ts'
import { userRecord } from '../../records.ts'
import { choosePassword } from './password.ts'

export async function create(input: OperatorInput): Promise<Output> {
  const { caller, text, number, has } = input
  const chosen = await choosePassword(input)
  const given = { email: text('email'), login: text('login'), account_id: number('account'), name: text('name') }
  const draft = draftOf(newUser, { ...given, password: chosen.password })
  const user = has('owner') ? await createOwner(caller, draft) : await createUser(caller, draft)
  return { document: { user: userRecord(user), ...chosen.toShow } }
}

export async function list({ caller, number }: OperatorInput): Promise<Output> {
  const account_id = number('account')
  const users = await allPages((after) => listUsers(caller, after, account_id === undefined ? {} : { account_id }))
  return { document: { users: users.map(userRecord) }, columns: ['id', 'account_id', 'login', 'email', 'state', 'last_login_at'] }
}

export async function show({ caller, id }: OperatorInput): Promise<Output> {
  return { document: { user: userRecord(await findUser(caller, id)) } }
}

export async function suspend(input: OperatorInput): Promise<Output> {
  await suspendUser(input.caller, input.id)
  return show(input)
}

export async function unsuspend(input: OperatorInput): Promise<Output> {
  await unsuspendUser(input.caller, input.id)
  return show(input)
}

export async function remove({ caller, id }: OperatorInput): Promise<Output> {
  await deleteUser(caller, id)
  return { document: { deleted: { id } } }
}

export async function setPassword(input: OperatorInput): Promise<Output> {
  const { password, toShow } = await choosePassword(input)
  await setUserPassword(input.caller, input.id, password)
  return { document: { user: { id: input.id }, ...toShow }, note: 'The password is changed; open sessions are ended.' }
}

export async function loginLink({ caller, id }: OperatorInput): Promise<Output> {
  const document = { login_link: await createLoginLink(caller, id) }
  return { document, note: 'Give it to that person only: it lets in whoever opens it first, once, within 15 minutes.' }
}

export async function resetFactor({ caller, id }: OperatorInput): Promise<Output> {
  await resetSecondFactor(caller, id)
  return { document: { reset: { id } }, note: 'The person is logged out everywhere, and logs in with the password alone.' }
}

export async function logOut({ caller, id }: OperatorInput): Promise<Output> {
  await logOutEverywhere(caller, id)
  return { document: { logged_out: { id } } }
}
