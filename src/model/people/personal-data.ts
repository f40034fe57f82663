/** Shows or erases the personal data of one person: a user by email or login, or the author of reviews by name. */

import type { Kysely, Updateable } from 'kysely'
import type { Shape } from '../../fields/shape.ts'
import { notFound } from '../../lib/failures.ts'
import { user } from '../../resources/user.ts'
import type { Tables, UserRow } from '../../store/rows/tables.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { forgetExternalId } from '../core/external-ids.ts'
import { renewMeasuredVersions } from '../core/report-version.ts'
import { isErased, reviewerHash } from '../core/reviewer-hash.ts'
import { change } from '../core/transaction.ts'
import { eraseReviewerFromSteps } from '../intakes/intakes.ts'
import { eraseReviewerFromTasks } from '../intakes/tasks.ts'
import { type Erasure, noteErasures } from './erasures.ts'
import { endSessions } from './sessions.ts'
import { foldName } from './users.ts'

export async function exportUser({ app }: OperatorCaller, name: string) {
  return app.store.snapshot(async (db) => {
    const id = await idOf(db, name)
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const of = <T extends 'abilities' | 'login_networks'>(table: T) =>
      db
        .selectFrom(table as 'abilities')
        .selectAll()
        .where('user_id', '=', id)
        .execute()
    const sessions = db.selectFrom('sessions').select(['created_at', 'last_seen_at', 'expires_at']).where('user_id', '=', id)
    return {
      user,
      abilities: await of('abilities'),
      login_networks: await of('login_networks'),
      sessions: await sessions.execute(),
      audit: await entriesAbout(db, id),
    }
  })
}

export async function exportReviewer({ app }: OperatorCaller, name: string) {
  const reviews = await app.store.db.selectFrom('reviews').selectAll().where('user', '=', name).orderBy('id').execute()
  return reviews.length === 0 ? notFound('reviewer') : { reviews }
}

/** The user's row is kept without personal values, and the audit entries without their details. */
export async function eraseUser(caller: OperatorCaller, name: string): Promise<{ user_id: number }> {
  const erased = await change(caller, async (tx) => {
    const user_id = await idOf(tx, name)
    await eraseUserIn(tx, caller, user_id)
    return { user_id }
  })
  noteErasures(caller.app, [erased])
  await caller.app.store.engine.truncateLog()
  return erased
}

export async function eraseUserIn(tx: Kysely<Tables>, caller: OperatorCaller, user_id: number): Promise<void> {
  const { account_id, partner_id } = await tx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['account_id', 'partner_id'])
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
  for (const table of ['abilities', 'user_passwords', 'user_names', 'login_networks'] as const) {
    await tx
      .deleteFrom(table as 'user_names')
      .where('user_id', '=', user_id)
      .execute()
  }
  await forgetAnswers(tx, partner_id, user_id)
  await eraseDetails(tx, user_id)
  await audit(tx, caller, { action: 'user.erase', subject_type: 'User', subject_id: user_id, account_id, partner_id })
}

/** The figures of a review are kept; its author, address and text are not. */
export async function eraseReviewer(caller: OperatorCaller, name: string): Promise<{ reviews: number }> {
  // Comes first: if the process is killed in between, the command can be repeated, because the reviews still have the name.
  await eraseReviewerFromSteps(caller.app, name)
  const files = await eraseReviewerFromTasks(caller.app, reviewerHash(caller.app, name))
  const erased = await change(caller, async (tx) => {
    const found = await tx.selectFrom('reviews').select(['id', 'account_id', 'date']).where('user', '=', name).execute()
    // A file still to be imported may contain the name; nobody knows before it is read.
    if (found.length === 0 && files === 0) notFound('reviewer')
    await renewMeasuredVersions(
      tx,
      found.map(({ account_id }) => account_id),
    )
    for (const { account_id, id } of found) {
      await tx
        .updateTable('reviews')
        .set({ user: '', header: '', detail: '', url: '', ref: null, key_hash: `erased ${id}` })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute()
    }
    await audit(tx, caller, { action: 'reviewer.erase', subject_type: 'Reviewer', subject_id: null, after: { reviews: found.length } })
    return { reviews: found.length }
  })
  noteErasures(caller.app, [{ reviewer: reviewerHash(caller.app, name) }])
  await caller.app.store.engine.truncateLog()
  return erased
}

/** Erases people again whom a restored backup brought back; returns how many. */
export async function eraseAgain(caller: OperatorCaller, erasures: readonly Erasure[]): Promise<number> {
  const { store } = caller.app
  const users = new Set(erasures.flatMap(({ user_id }) => user_id ?? []))
  const reviewers = new Set(erasures.flatMap(({ reviewer }) => reviewer ?? []))
  const named = await store.db.selectFrom('user_names').select('user_id').distinct().execute()
  const back = named.map(({ user_id }) => user_id).filter((id) => users.has(id))
  await change(caller, async (tx) => {
    for (const id of back) await eraseUserIn(tx, caller, id)
  })
  const authors = reviewers.size === 0 ? [] : await store.db.selectFrom('reviews').select('user').distinct().execute()
  const known = authors.map(({ user: name }) => name).filter((name) => isErased(caller.app, name, reviewers))
  for (const name of known) await eraseReviewer(caller, name)
  return back.length + known.length
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

async function idOf(db: Kysely<Tables>, name: string): Promise<number> {
  const found = await db.selectFrom('user_names').select('user_id').where('name', '=', foldName(name)).executeTakeFirst()
  return found?.user_id ?? notFound('user')
}
