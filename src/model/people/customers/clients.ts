/** People of a customer: invited with what they may see, at the desk. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { complete, type Draft } from '../../../fields/read.ts'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import type { Ability } from '../../../resources/ability.ts'
import { type NewClient, newClient } from '../../../resources/user.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import { accountsWithin, businessesWithin, type Managing, sitesWithin, usersWithin } from '../../core/tenancy.ts'
import { change } from '../../core/transaction.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { refusePestering } from '../../mail/pestering.ts'
import { queueMail } from '../../mail/queue.ts'
import { updateAbilities } from '../abilities.ts'
import { countingTakenAnswers } from '../name-probing-limit.ts'
import { addEditor } from '../staff/editors.ts'
import { postOf } from '../staff/staff-rules.ts'
import { foldName, insertUser, nameExists, partyOf } from '../users.ts'

type Db = Kysely<Tables>
export type SeenScope = Pick<Ability, 'scope_type' | 'scope_id'>

/** What is queued with the mail; its link is made when it is sent. */
export interface WelcomePayload {
  readonly user_id: number
}

export interface InvitedClient {
  readonly id: number
  /** False for somebody who had a login already, to whom nothing is mailed. */
  readonly isNew: boolean
}

interface Granted {
  /** Null: nothing yet. */
  readonly scope: SeenScope | null
  readonly isEditor: boolean
}

/** Makes a login with a password that nobody knows, and mails a link to it; somebody of another customer of the caller's gets the access alone. */
export function inviteClient(caller: Managing, accountId: number, draft: Draft<NewClient>, granted: Granted): Promise<InvitedClient> {
  return countingTakenAnswers(caller, () => invite(caller, accountId, draft, granted))
}

async function invite(caller: Managing, accountId: number, draft: Draft<NewClient>, { scope, isEditor }: Granted): Promise<InvitedClient> {
  await ownAccount(caller, accountId)
  const known = draft.values.email === undefined ? undefined : await findByName(caller, draft.values.email)
  const isTaken = known === undefined && draft.values.email !== undefined && (await nameExists(caller, draft.values.email))
  const { email, contact = '' } = complete(newClient, draft, isTaken ? [{ field: 'email', code: 'taken' }] : [])
  if (scope !== null && !(await isOfAccount(caller, accountId, scope))) invalid([{ field: 'sees', code: 'does_not_exist' }])
  const abilities = scope === null ? [] : [{ key: 'show' as const, ...scope }]
  if (known === undefined) {
    const verifier = await unknownPassword(caller)
    const client = { account_id: accountId, email, name: contact, abilities }
    const id = await change(caller, async (tx) => {
      const made = await addClient(tx, caller, client, verifier)
      if (sendsMail(caller.app.settings)) await queueWelcome(tx, caller.app, { id: made, account_id: accountId, email })
      return made
    })
    if (isEditor) await addEditor(caller, accountId, id)
    return { id, isNew: true }
  }
  if ((await postOf(caller.app.store.db, known.id)) !== undefined)
    refuse('conflict', 'This is a colleague of yours, who needs no invitation to a customer.')
  await updateAbilities(caller, known.id, { entries: abilities, faults: [] }, 'merge')
  if (isEditor) await addEditor(caller, accountId, known.id)
  return { id: known.id, isNew: false }
}

/** Nobody knows it; the person opens the link of the mail, or asks for one. */
export function unknownPassword(caller: Managing): Promise<string> {
  return caller.app.passwords.hash(randomBytes(32).toString('base64'), partyOf(caller))
}

interface ClientRecord {
  readonly account_id: number
  readonly email: string
  readonly name: string
  readonly abilities: readonly Ability[]
}

export async function addClient(
  tx: Db,
  caller: Managing,
  { account_id, email, name, abilities }: ClientRecord,
  verifier: string,
): Promise<number> {
  const user = await insertUser(tx, caller.app, { account_id, email, login: email }, verifier)
  const { id: user_id } = user
  await audit(tx, caller, 'user.create', user, { after: user })
  if (name !== '') await tx.updateTable('users').set({ name }).where('id', '=', user_id).execute()
  if (abilities.length > 0) {
    await tx
      .insertInto('abilities')
      .values(abilities.map((ability) => ({ user_id, ...ability })))
      .execute()
    await audit(tx, caller, 'abilities.merge', { id: user_id }, { before: [], after: abilities })
  }
  return user_id
}

/** For somebody who has not logged in yet. */
export async function inviteAgain(caller: Managing, userId: number): Promise<void> {
  await change(caller, async (tx) => {
    await caller.app.store.lock(tx, 'users', userId)
    const users = usersWithin(caller, tx).select(['id', 'account_id', 'email', 'state'])
    const user = (await users.where('id', '=', userId).executeTakeFirst()) ?? notFound('user')
    if (user.state !== 'passive') refuse('conflict', 'This person has logged in already, and asks for a new password on the login page.')
    await queueWelcome(tx, caller.app, user)
    await audit(tx, caller, 'user.invite_again', user)
  })
}

/** Whom the mail invites, and to what. */
export async function readWelcomed({ store }: App, userId: number): Promise<{ login: string; name: string }> {
  const users = store.db.selectFrom('users').innerJoin('accounts', 'accounts.id', 'users.account_id')
  return (await users.select(['login', 'accounts.name']).where('users.id', '=', userId).executeTakeFirst()) ?? notFound('user')
}

export async function queueWelcome(
  tx: Db,
  app: App,
  { id, account_id, email }: { id: number; account_id: number; email: string },
): Promise<void> {
  const recipient = foldEmail(email)
  await refusePestering(tx, app, { kind: 'invitation', account_id, recipient })
  const payload: WelcomePayload = { user_id: id }
  await queueMail(tx, app, { key: `welcome:${id}:${app.clock.now()}`, kind: 'invitation', account_id, recipient, payload })
}

/** A user whom the caller reaches; also by their login. */
async function findByName(caller: Managing, email: string): Promise<{ id: number } | undefined> {
  return usersWithin(caller)
    .innerJoin('user_names', 'user_names.user_id', 'users.id')
    .select('users.id')
    .where('user_names.name', '=', foldName(email))
    .executeTakeFirst()
}

async function isOfAccount(caller: Managing, accountId: number, { scope_type, scope_id }: SeenScope): Promise<boolean> {
  if (scope_type === 'Account') return scope_id === accountId
  const rows = {
    Business: () => businessesWithin(caller).select('account_id').where('id', '=', scope_id).executeTakeFirst(),
    Site: () => sitesWithin(caller).select('account_id').where('id', '=', scope_id).executeTakeFirst(),
  }
  return (await rows[scope_type]())?.account_id === accountId
}

async function ownAccount(caller: Managing, id: number): Promise<void> {
  if (!(await accountsWithin(caller).select('accounts.id').where('accounts.id', '=', id).executeTakeFirst())) notFound('account')
}
