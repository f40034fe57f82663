/**
 * Invitations to an account, by those who keep its people, be it at the desk: by mail, for seven days, used once, and only while whoever made them may still
 * make them. Making one is answered alike whether or not the address has a login; only its mail tells.
 */

import type { Kysely, Selectable } from 'kysely'
import { complete, draftOf } from '../../../fields/read.ts'
import { invalid, notFound, refuse } from '../../../lib/failures.ts'
import { sendsMail } from '../../../lib/network/smtp.ts'
import { secondsAfter } from '../../../lib/time/clock.ts'
import { newClient } from '../../../resources/user.ts'
import type { PersonInvitationRow } from '../../../store/rows/invitations.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { App } from '../../core/app.ts'
import { audit } from '../../core/audit.ts'
import type { PersonCaller } from '../../core/caller.ts'
import { change } from '../../core/transaction.ts'
import { foldEmail } from '../../mail/addresses.ts'
import { refusePestering } from '../../mail/pestering.ts'
import { queueMail } from '../../mail/queue.ts'
import type { SeenScope } from '../customers/clients.ts'
import { foldName } from '../users.ts'
import { covers, givenScope, type Keeper, keeperOf } from './keepers.ts'

type Db = Kysely<Tables>
export type PersonInvitation = Selectable<PersonInvitationRow>

const livesSeconds = 7 * 86_400
/** How long one that is over can still say why. */
const toldSeconds = 30 * 86_400
const mostWaiting = 100
const mostADay = 50
const tokenDigits = 40

/** What is queued with the mail; the token is computed when it is sent. */
export interface PersonInvitationPayload {
  readonly person_invitation_id: number
}

interface Wanted {
  readonly email: string
  readonly scope: SeenScope | null
  readonly isEditor: boolean
  /** The id of one that this one replaces, be it somebody else's. */
  readonly replaces?: number
}

/** Mails the invitation. The same to the same address again replaces the one that waits, whose link then no longer works. */
export async function invitePerson(
  person: PersonCaller,
  accountId: number,
  { scope, isEditor, replaces = 0, ...given }: Wanted,
): Promise<void> {
  const { app } = person
  if (!sendsMail(app.settings)) refuse('conflict', 'An invitation goes by mail only, and this service sends none.')
  const { email } = complete({ email: newClient.email }, draftOf({ email: newClient.email }, given))
  if (scope === null) invalid([{ field: 'sees', code: 'blank' }])
  if (person.post !== null) await refuseColleague(person, email)
  await change(person, async (tx) => {
    await app.store.lock(tx, 'accounts', accountId)
    const keeper = await keeperOf(person, accountId, tx)
    await refuseUnlessGiving(tx, keeper, { scope, isEditor })
    await keepInvitation(tx, keeper, { email, ...scope, is_editor: isEditor ? 1 : 0 }, replaces)
  })
}

/** Staff know each other, so that it says nothing new. */
async function refuseColleague({ app, partnerId }: PersonCaller, email: string): Promise<void> {
  const named = app.store.db.selectFrom('user_names').innerJoin('staff', 'staff.user_id', 'user_names.user_id').select('staff.user_id')
  const colleague = await named.where('name', '=', foldName(email)).where('partner_id', '=', partnerId).executeTakeFirst()
  if (colleague !== undefined) refuse('conflict', 'This is a colleague of yours, who needs no invitation to a customer.')
}

/** A scope that they do not see themselves is answered like one that is not there. */
async function refuseUnlessGiving(tx: Db, { account, keeps, sees }: Keeper, { scope, isEditor }: { scope: SeenScope; isEditor: boolean }) {
  if (keeps === 'nothing' || (isEditor && keeps !== 'everything')) refuse('forbidden', 'The owner of the account does that.')
  const held = await givenScope(tx, account.id, scope)
  if (held === undefined || !covers(sees, held)) invalid([{ field: 'sees', code: 'does_not_exist' }])
}

/** The link that was mailed before no longer works. */
export async function invitePersonAgain(person: PersonCaller, accountId: number, id: number): Promise<void> {
  const { email, scope_type, scope_id, is_editor } = await waitingInvitation(person, accountId, id)
  await invitePerson(person, accountId, { email, scope: { scope_type, scope_id }, isEditor: is_editor === 1, replaces: id })
}

export function withdrawPersonInvitation(person: PersonCaller, accountId: number, id: number): Promise<void> {
  return change(person, async (tx) => {
    await person.app.store.lock(tx, 'accounts', accountId)
    const { scope_type, scope_id } = await waitingInvitation(person, accountId, id, tx)
    await endInvitation(tx, id, 'withdrawn', person.userId)
    const before = { invitation_id: id, scope_type, scope_id }
    await audit(tx, person, 'account.withdraw_invitation', { id: accountId, account_id: accountId }, { before })
  })
}

/** Those of an account that wait, as the desk lists them. */
export async function listInvited(person: PersonCaller, accountId: number): Promise<PersonInvitation[]> {
  return listPeopleInvitations(await keeperOf(person, accountId))
}

/** All of the account for its owner and for staff; an editor's own. */
export async function listPeopleInvitations(keeper: Keeper, db: Db = keeper.person.app.store.db): Promise<PersonInvitation[]> {
  const { person, account, keeps } = keeper
  if (keeps === 'nothing') return []
  const waiting = db
    .selectFrom('people_invitations')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('ended', 'is', null)
    .where('expires_at', '>', person.app.clock.now())
  const own = keeps === 'everything' ? waiting : waiting.where('invited_by', '=', person.userId)
  return own.orderBy('id').limit(mostWaiting).execute()
}

async function waitingInvitation(person: PersonCaller, accountId: number, id: number, db?: Db): Promise<PersonInvitation> {
  const keeper = await keeperOf(person, accountId, db)
  return (await listPeopleInvitations(keeper, db)).find((one) => one.id === id) ?? notFound('invitation')
}

export async function endInvitation(tx: Db, id: number, ended: 'used' | 'withdrawn', ended_by: number): Promise<void> {
  await tx.updateTable('people_invitations').set({ ended, ended_by }).where('id', '=', id).execute()
}

type Asked = Pick<PersonInvitation, 'email' | 'scope_type' | 'scope_id' | 'is_editor'>

async function keepInvitation(tx: Db, keeper: Keeper, { email, ...asked }: Asked, replaces: number): Promise<void> {
  const { account, person } = keeper
  const { app, userId } = person
  const name = foldName(email)
  const created_at = app.clock.now()
  await tx.deleteFrom('people_invitations').where('expires_at', '<', secondsAfter(created_at, -toldSeconds)).execute()
  const same = { account_id: account.id, invited_by: userId, name, scope_type: asked.scope_type, scope_id: asked.scope_id }
  await tx
    .updateTable('people_invitations')
    .set({ ended: 'replaced', ended_by: userId })
    .where((row) => row.or([row.and(same), row.and({ account_id: account.id, id: replaces })]))
    .where('ended', 'is', null)
    .execute()
  if ((await listPeopleInvitations({ ...keeper, keeps: 'everything' }, tx)).length >= mostWaiting)
    invalid([{ field: 'email', code: 'too_many', limit: mostWaiting }])
  const row = { ...same, email, is_editor: asked.is_editor, created_at, expires_at: secondsAfter(created_at, livesSeconds) }
  const { id } = await tx
    .insertInto('people_invitations')
    .values({ ...row, ended: null, ended_by: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await queueInvitationMail(tx, app, { id, account_id: account.id, email })
  // The address is not recorded, because it is personal and audit entries outlive the invitation.
  const after = { invitation_id: id, ...asked }
  await audit(tx, person, 'account.invite', { id: account.id, account_id: account.id }, { after })
}

async function queueInvitationMail(tx: Db, app: App, { id, account_id, email }: Pick<PersonInvitation, 'id' | 'account_id' | 'email'>) {
  const mail = { kind: 'invitation', account_id, recipient: foldEmail(email) } as const
  await refusePestering(tx, app, mail)
  const today = tx.selectFrom('mails').select('id').where('account_id', '=', account_id).where('kind', '=', 'invitation')
  const { length } = await today.where('created_at', '>', secondsAfter(app.clock.now(), -86_400)).execute()
  if (length >= mostADay) refuse('too_many_requests', `This account has invited ${length} people within a day: wait until tomorrow`)
  const payload: PersonInvitationPayload = { person_invitation_id: id }
  await queueMail(tx, app, { ...mail, key: `person-invitation:${id}`, payload })
}

/** Also from what is about the invitation: a database that is restored gives ids again. */
export function personInvitationToken({ secrets }: App, invitation: PersonInvitation): string {
  return `${invitation.id}.${secrets.hmac('session', signedOf(invitation), tokenDigits)}`
}

/** The invitation of a token, also one that is over. */
export async function personInvitationBehind(app: App, token: string, db: Db = app.store.db): Promise<PersonInvitation | undefined> {
  const [, id, value = ''] = /^(\d{1,15})\.(.+)$/.exec(token) ?? []
  if (id === undefined) return undefined
  const row = await readPersonInvitation(Number(id), db)
  return row !== undefined && app.secrets.isHmac(value, 'session', signedOf(row), tokenDigits) ? row : undefined
}

export function readPersonInvitation(id: number, db: Db): Promise<PersonInvitation | undefined> {
  return db.selectFrom('people_invitations').selectAll().where('id', '=', id).executeTakeFirst()
}

function signedOf({ id, account_id, name, created_at }: PersonInvitation): string {
  return `people-invitation:${id}:${account_id}:${name}:${created_at}`
}
