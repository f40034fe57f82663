/** `marquee user`: the people who can log in. */

import { draftOf } from '../../fields/read.ts'
import { allPages } from '../../model/core/paging.ts'
import { deleteUser, setPassword as setUserPassword, suspendUser, unsuspendUser } from '../../model/people/user-states.ts'
import { createOwner, createUser, findUser, listUsers } from '../../model/people/users.ts'
import { newUser } from '../../resources/user.ts'
import type { Desk, Output } from '../command.ts'
import { userRecord } from '../records.ts'
import { choosePassword } from './password.ts'

export async function create(desk: Desk): Promise<Output> {
  const { caller, text, number, has } = desk
  const chosen = await choosePassword(desk)
  const draft = draftOf(newUser, { email: text('email'), login: text('login'), account_id: number('account'), password: chosen.password })
  const user = has('owner') ? await createOwner(caller, draft) : await createUser(caller, draft)
  return { document: { user: userRecord(user), ...chosen.toShow } }
}

export async function list({ caller, number }: Desk): Promise<Output> {
  const account_id = number('account')
  const users = await allPages((after) => listUsers(caller, after, account_id === undefined ? {} : { account_id }))
  return { document: { users: users.map(userRecord) }, columns: ['id', 'account_id', 'login', 'email', 'state', 'last_login_at'] }
}

export async function show({ caller, id }: Desk): Promise<Output> {
  return { document: { user: userRecord(await findUser(caller, id)) } }
}

export async function suspend(desk: Desk): Promise<Output> {
  await suspendUser(desk.caller, desk.id)
  return show(desk)
}

export async function unsuspend(desk: Desk): Promise<Output> {
  await unsuspendUser(desk.caller, desk.id)
  return show(desk)
}

export async function remove({ caller, id }: Desk): Promise<Output> {
  await deleteUser(caller, id)
  return { document: { deleted: { id } } }
}

export async function setPassword(desk: Desk): Promise<Output> {
  const { password, toShow } = await choosePassword(desk)
  await setUserPassword(desk.caller, desk.id, password)
  return { document: { user: { id: desk.id }, ...toShow }, note: 'The password is changed; open sessions are ended.' }
}
