/** Shows or erases the personal data of one person: a user by email or login, or the author of reviews by name. */

import { type Kysely, sql, type Updateable } from 'kysely'
import type { Shape } from '../../fields/shape.ts'
import { notFound } from '../../lib/failures.ts'
import { batchesOf } from '../../lib/work/batches.ts'
import { user } from '../../resources/user.ts'
import type { Tables, UserRow } from '../../store/rows/tables.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { forgetExternalId } from '../core/external-ids.ts'
import { renewMeasuredVersions } from '../core/report-version.ts'
import { isErased, reviewerHash } from '../core/reviewer-hash.ts'
import { change } from '../core/transaction.ts'
import { eraseReviewerFromSteps } from '../intakes/intakes.ts'
import { eraseReviewerFromRefusedLines } from '../intakes/refused-lines.ts'
import { eraseReviewerFromTasks } from '../intakes/tasks.ts'
import { forgetMail, mailDataOf, mailedAddresses } from '../mail/forget-mail.ts'
import { addressHash, eraseFromSuppressions } from '../mail/suppressions.ts'
import { type Erasure, isErasedAddress, noteErasures, refuseWithoutJournal } from './erasures.ts'
import { invitationsMade } from './me/own-data.ts'
import { endSessions } from './sessions.ts'
import { eraseStaff } from './staff/staff.ts'
import { foldName } from './users.ts'

export async function exportUser({ app }: OperatorCaller, name: string) {
  return app.store.snapshot(async (db) => {
    const named = await userNamed(db, name)
    if (named === undefined) return mailDataOfStranger(app, name, db)
    const { user_id: id, email } = named
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const of = (table: 'abilities' | 'login_networks' | 'staff' | 'account_editors' | 'preferences' | 'email_changes') =>
      db.selectFrom(table).selectAll().where('user_id', '=', id).execute()
    const sessions = db
      .selectFrom('sessions')
      .select(['created_at', 'last_seen_at', 'expires_at', 'network', 'browser'])
      .where('user_id', '=', id)
    const deliveries = db.selectFrom('deliveries').select(['created_at', 'expires_at', 'files']).where('user_id', '=', id)
    const factors = db.selectFrom('second_factors').select(['created_at', 'confirmed_at']).where('user_id', '=', id)
    return {
      user,
      abilities: await of('abilities'),
      login_networks: await of('login_networks'),
      staff: await of('staff'),
      account_editors: await of('account_editors'),
      preferences: await of('preferences'),
      email_changes: await of('email_changes'),
      sessions: await sessions.execute(),
      second_factors: await factors.execute(),
      deliveries: await deliveries.execute(),
      ...(await mailDataOf(app, email, db)),
      invitations_made: await invitationsMade(db, id).execute(),
      audit: await entriesAbout(db, id),
    }
  })
}

export async function exportReviewer({ app }: OperatorCaller, name: string) {
  const reviews = await app.store.db.selectFrom('reviews').selectAll().where('user', '=', name).orderBy('id').execute()
  return reviews.length === 0 ? notFound('reviewer') : { reviews }
}

/** The user's row is kept without personal values, and the audit entries without their details. No partner's reports are mailed to the address any more. */
export async function eraseUser(caller: OperatorCaller, name: string): Promise<{ user_id: number } | { mails: number }> {
  refuseWithoutJournal(caller.app.settings)
  const { email, ...erased } = await change(caller, async (tx) => {
    const named = await userNamed(tx, name)
    if (named === undefined) return eraseStranger(tx, caller, name)
    await eraseUserIn(tx, caller, named.user_id, 'everywhere')
    return named
  })
  noteErasures(caller.app, [{ ...('user_id' in erased && erased), address: addressHash(caller.app, email) }])
  await caller.app.store.engine.truncateLog()
  return erased
}

/** Reports may be mailed to somebody who is no user. */
async function eraseStranger(tx: Kysely<Tables>, caller: OperatorCaller, email: string): Promise<{ email: string; mails: number }> {
  const { mails } = await mailDataOfStranger(caller.app, email, tx)
  await forgetMail(tx, caller, { email, partnerId: null })
  return { email, mails: mails.length }
}

async function mailDataOfStranger(app: App, email: string, db?: Kysely<Tables>) {
  const data = await mailDataOf(app, email, db)
  return Object.values(data).every((rows) => rows.length === 0) ? notFound('user') : data
}

/** Where the address is taken out of the reports by mail: other partners may write to somebody whom this one has deleted. */
type MailReach = 'at the partner' | 'everywhere'

export async function eraseUserIn(tx: Kysely<Tables>, caller: OperatorCaller, user_id: number, reach: MailReach): Promise<void> {
  const { account_id, partner_id, email, state, deleted_at } = await tx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('deleted_accounts', 'deleted_accounts.account_id', 'users.account_id')
    .select(['users.account_id', 'email', 'users.state', 'users.deleted_at'])
    .select((row) => row.fn.coalesce('accounts.partner_id', 'deleted_accounts.partner_id').as('partner_id'))
    .where('users.id', '=', user_id)
    .executeTakeFirstOrThrow()
  const now = caller.app.clock.now()
  await tx
    .updateTable('users')
    .set({ ...nobody(user_id), state: 'deleted', deleted_at: now, updated_at: now })
    .where('id', '=', user_id)
    .execute()
  await tx.updateTable('accounts').set({ owner_id: null }).where('owner_id', '=', user_id).execute()
  await forgetExternalId(tx, 'user', user_id)
  await endSessions(tx, user_id)
  await tx.deleteFrom('people_invitations').where('invited_by', '=', user_id).execute()
  await eraseStaff(tx, user_id, foldName(email), reach === 'everywhere' ? null : partner_id)
  for (const table of [
    'abilities',
    'account_editors',
    'user_passwords',
    'user_names',
    'login_networks',
    'second_factors',
    'recovery_codes',
    'preferences',
    'deliveries',
  ] as const) {
    await tx.deleteFrom(table).where('user_id', '=', user_id).execute()
  }
  const atPartner = { partnerId: partner_id, ...(deleted_at !== null && { until: deleted_at }) }
  await forgetMail(tx, caller, { email, ...(reach === 'everywhere' ? { partnerId: null } : atPartner) })
  await forgetAnswers(tx, partner_id, user_id)
  await eraseDetails(tx, user_id)
  // Whoever was deleted before is not told as deleted again.
  const detail = deleted_at === null ? { before: { state }, after: { state: 'deleted' } } : {}
  await audit(tx, caller, 'user.erase', { id: user_id, account_id, partner_id }, detail)
}

/** The figures of a review are kept; its author, address and text are not. */
export async function eraseReviewer(caller: OperatorCaller, name: string): Promise<{ reviews: number }> {
  refuseWithoutJournal(caller.app.settings)
  // Comes first: if the process is killed in between, the command can be repeated, because the reviews still have the name.
  await eraseReviewerFromSteps(caller.app, name)
  const lines = await eraseReviewerFromRefusedLines(caller.app, name)
  const files = await eraseReviewerFromTasks(caller.app, reviewerHash(caller.app, name))
  let found = await reviewsBy(caller.app, name)
  // A file still to be imported may contain the name; nobody knows before it is read.
  if (found.length + files + lines === 0) notFound('reviewer')
  await change(caller, (tx) => audit(tx, caller, 'reviewer.erase', { id: null }, { after: { reviews: found.length } }))
  let reviews = 0
  // Looks again, because an import may have stored another one meanwhile.
  for (; found.length > 0; found = await reviewsBy(caller.app, name)) {
    reviews += found.length
    for (const some of Map.groupBy(found, ({ account_id }) => account_id).values())
      for (const batch of batchesOf(some, reviewsPerWrite)) await eraseReviews(caller, batch)
  }
  noteErasures(caller.app, [{ reviewer: reviewerHash(caller.app, name) }])
  await caller.app.store.engine.truncateLog()
  return { reviews }
}

const reviewsPerWrite = 200

type FoundReview = { readonly id: number; readonly account_id: number }

/** Looks through all reviews, and therefore outside of any transaction that writes. */
function reviewsBy({ store }: App, name: string): Promise<FoundReview[]> {
  return store.db.selectFrom('reviews').select(['id', 'account_id']).where('user', '=', name).orderBy('account_id').orderBy('id').execute()
}

/** All of one account. */
async function eraseReviews(caller: OperatorCaller, reviews: readonly FoundReview[]): Promise<void> {
  const [account, ids] = [(reviews[0] as FoundReview).account_id, reviews.map(({ id }) => id)]
  await change(caller, async (tx) => {
    await renewMeasuredVersions(tx, [account])
    const own = tx.selectFrom('reviews').select('key_hash').where('account_id', '=', account).where('id', 'in', ids)
    const hashes = (await own.execute()).map(({ key_hash }) => key_hash)
    await tx.deleteFrom('review_marks').where('account_id', '=', account).where('review_hash', 'in', hashes).execute()
    await tx
      .updateTable('reviews')
      .set({ user: '', header: '', detail: '', answer: null, url: '', ref: null, key_hash: sql<string>`'erased ' || id` })
      .where('account_id', '=', account)
      .where('id', 'in', ids)
      .execute()
  })
}

/** Erases people again whom a restored backup brought back; returns how many. */
export async function eraseAgain(caller: OperatorCaller, erasures: readonly Erasure[]): Promise<number> {
  const users = await eraseUsersAgain(caller, erasures)
  const addresses = await forgetMailAgain(caller, new Set(erasures.flatMap(({ address }) => address ?? [])))
  const reviewers = new Set(erasures.flatMap(({ reviewer }) => reviewer ?? []))
  const authors = reviewers.size === 0 ? [] : await caller.app.store.db.selectFrom('reviews').select('user').distinct().execute()
  const known = authors.map(({ user: name }) => name).filter((name) => isErased(caller.app, name, reviewers))
  for (const name of known) await eraseReviewer(caller, name)
  return users + addresses + known.length
}

/** A restored database gives ids again: a user who is younger than the erasure is somebody else. */
async function eraseUsersAgain(caller: OperatorCaller, erasures: readonly Erasure[]): Promise<number> {
  const erased = new Map(erasures.flatMap((erasure) => (erasure.user_id === undefined ? [] : [[erasure.user_id, erasure]])))
  const users = caller.app.store.db.selectFrom('user_names').innerJoin('users', 'users.id', 'user_names.user_id')
  const named = await users.select(['users.id', 'created_at']).distinct().execute()
  const back = named.filter(({ id, created_at }) => created_at <= (erased.get(id)?.at ?? ''))
  for (const { id } of back)
    await change(caller, (tx) => eraseUserIn(tx, caller, id, erased.get(id)?.address === undefined ? 'at the partner' : 'everywhere'))
  return back.length
}

/** Finds the addresses that are on a schedule or in a mail without their user: the backup may be older than the user. */
async function forgetMailAgain(caller: OperatorCaller, addresses: ReadonlySet<string>): Promise<number> {
  const mailed = addresses.size === 0 ? [] : await mailedAddresses(caller.app.store.db)
  const back = mailed.filter((email) => isErasedAddress(caller.app, email, addresses))
  for (const email of back) await change(caller, (tx) => forgetMail(tx, caller, { email, partnerId: null }))
  if (addresses.size > 0) await change(caller, (tx) => eraseFromSuppressions(tx, [...addresses], null))
  return back.length
}

/** The columns marked as personal in the table, each with its replacement. */
function nobody(id: number): Updateable<UserRow> {
  const personal = Object.entries(user as Shape).flatMap(([name, field]) =>
    field.is === 'scalar' && field.personal !== undefined ? [[name, field.personal?.replace('{id}', String(id)) ?? null]] : [],
  )
  return Object.fromEntries(personal)
}

/** Answers stored for repeated requests contain the user's data. */
async function forgetAnswers(tx: Kysely<Tables>, partner_id: number, user_id: number): Promise<void> {
  const kept = tx.deleteFrom('idempotency_records').where('partner_id', '=', partner_id).where('subject_id', '=', user_id)
  await kept.where('operation', 'like', '% users%').execute()
}

async function eraseDetails(tx: Kysely<Tables>, user_id: number): Promise<void> {
  const about = tx.selectFrom('audit_entries').select('id').where('subject_type', '=', 'User').where('subject_id', '=', user_id)
  await tx.deleteFrom('audit_details').where('entry_id', 'in', about).execute()
}

function entriesAbout(db: Kysely<Tables>, id: number) {
  return db
    .selectFrom('audit_entries')
    .leftJoin('audit_details', 'audit_details.entry_id', 'audit_entries.id')
    .select(['audit_entries.id', 'at', 'actor', 'action', 'detail'])
    .where((either) => either.or([either.and({ subject_type: 'User', subject_id: id }), either('actor', '=', `user:${id}`)]))
    .orderBy('audit_entries.id')
    .execute()
}

function userNamed(db: Kysely<Tables>, name: string): Promise<{ user_id: number; email: string } | undefined> {
  const names = db.selectFrom('user_names').innerJoin('users', 'users.id', 'user_names.user_id').select(['user_id', 'email'])
  return names.where('user_names.name', '=', foldName(name)).executeTakeFirst()
}
