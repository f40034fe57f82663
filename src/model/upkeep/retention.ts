/** Retention: deletes what the settings no longer allow to be kept, such as stored answers, addresses of old mails, old audit entries, deleted users and old reviews. */

import { isoTime } from '../../lib/time/clock.ts'
import { atMost } from '../../lib/work/batches.ts'
import type { App } from '../core/app.ts'
import { forgetBudgets } from '../core/budgets.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { lastEvent } from '../core/events/order.ts'
import { oldest } from '../core/idempotency.ts'
import { renewMeasuredVersions } from '../core/report-version.ts'
import { setStoredValue } from '../core/stored-values.ts'
import { keptRequests, trimRequests } from '../core/use/request-log.ts'
import { forgetUsage } from '../core/use/usage-counts.ts'
import { forgetIntakes } from '../intakes/intakes.ts'
import { forgetOldMails } from '../mail/forget-mail.ts'
import { forgetTokens } from '../partners/keys/read-tokens.ts'
import { noteErasures, refuseWithoutJournal } from '../people/erasures.ts'
import { eraseUserIn } from '../people/personal-data.ts'
import { chainStart, lockChain } from './audit-seals.ts'

const batch = 500
/** Each takes several statements. */
const usersPerWrite = 20
const networksDays = 90
const usageDays = 400

/** How many rows were deleted, by kind; a mail only loses its address and text. */
export type Swept = Readonly<
  Record<
    | 'answers'
    | 'tokens'
    | 'events'
    | 'intakes'
    | 'budgets'
    | 'usage'
    | 'requests'
    | 'networks'
    | 'mails'
    | 'audit_entries'
    | 'users'
    | 'reviews',
    number
  >
>

/** Works in small transactions, so that nobody waits long. */
export async function sweep(caller: OperatorCaller, signal?: AbortSignal): Promise<Swept> {
  const { app } = caller
  const repeatedly = (some: () => Promise<number>) => untilNone(some, signal)
  const { keepAuditDays, keepDeletedUsersDays, keepEventsDays, keepIntakesDays, keepMailsDays, keepRequestsDays, keepReviewsDays } =
    app.settings
  return {
    answers: await repeatedly(() => forgetAnswers(app)),
    events: await repeatedly(() => forgetEvents(app, daysAgo(app, keepEventsDays))),
    tokens: await repeatedly(() => app.store.write((tx) => forgetTokens(tx, daysAgo(app, 1), batch))),
    intakes: keepIntakesDays === 0 ? 0 : await repeatedly(() => forgetIntakes(app, daysAgo(app, keepIntakesDays))),
    budgets: await repeatedly(() => app.store.write((tx) => forgetBudgets(tx, daysAgo(app, 1)))),
    usage: await repeatedly(() => app.store.write((tx) => forgetUsage(tx, daysAgo(app, usageDays).slice(0, 10)))),
    requests:
      (await trimAll(app)) + (keepRequestsDays === 0 ? 0 : await repeatedly(() => forgetRequests(app, daysAgo(app, keepRequestsDays)))),
    networks: await repeatedly(() => forgetNetworks(app)),
    mails:
      keepMailsDays === 0 ? 0 : await repeatedly(() => app.store.write((tx) => forgetOldMails(tx, daysAgo(app, keepMailsDays), batch))),
    audit_entries: keepAuditDays === 0 ? 0 : await repeatedly(() => cutAudit(app, daysAgo(app, keepAuditDays))),
    reviews: keepReviewsDays === 0 ? 0 : await dropReviews(app, daysAgo(app, keepReviewsDays).slice(0, 10), repeatedly),
    // Comes last: it stops with a sentence where the journal of erasures cannot be written.
    users: keepDeletedUsersDays === 0 ? 0 : await repeatedly(() => eraseDeleted(caller, daysAgo(app, keepDeletedUsersDays))),
  }
}

/** Stops after the current transaction when another process has taken over the job. */
async function untilNone(some: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let sum = 0
  for (let count = 1; count > 0 && !signal?.aborted; sum += count) count = await some()
  return sum
}

function daysAgo({ clock }: App, days: number): string {
  return isoTime(Date.parse(clock.now()) - days * 86_400_000)
}

function forgetAnswers({ store, clock }: App): Promise<number> {
  return store.write(async (tx) => {
    const old = tx.selectFrom('idempotency_records').select(['partner_id', 'key']).where('created_at', '<=', oldest(clock.now()))
    const some = old.limit(batch).$asTuple('partner_id', 'key')
    const { numDeletedRows } = await tx
      .deleteFrom('idempotency_records')
      .where(({ eb, refTuple }) => eb(refTuple('partner_id', 'key'), 'in', some))
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}

/** Answers beyond the limit of a partner, which is kept in steps while they come. */
async function trimAll(app: App): Promise<number> {
  const rows = app.store.db.selectFrom('requests').select(['partner_id', 'is_refused']).groupBy(['partner_id', 'is_refused'])
  let sum = 0
  for (const { partner_id, is_refused } of await rows.having(({ fn }) => fn.countAll(), '>', keptRequests).execute())
    sum += await trimRequests(app, partner_id, is_refused)
  return sum
}

function forgetRequests({ store }: App, before: string): Promise<number> {
  return store.write(async (tx) => {
    const old = tx.selectFrom('requests').select('id').where('at', '<', before).limit(batch)
    const { numDeletedRows } = await tx.deleteFrom('requests').where('id', 'in', old).executeTakeFirst()
    return Number(numDeletedRows)
  })
}

/** From the oldest on. The newest one stays, so that places go on from it, and whoever has read it can tell that nothing is missing. */
function forgetEvents({ store }: App, before: string): Promise<number> {
  return store.write(async (tx) => {
    const last = (await lastEvent(tx))?.place ?? 0
    const rows = await tx.selectFrom('events').select(['place', 'at']).where('place', '<', last).orderBy('place').limit(batch).execute()
    const young = rows.findIndex(({ at }) => at >= before)
    const end = (young < 0 ? rows : rows.slice(0, young)).at(-1)
    if (end === undefined) return 0
    const { numDeletedRows } = await tx.deleteFrom('events').where('place', '<=', end.place).executeTakeFirst()
    return Number(numDeletedRows)
  })
}

function forgetNetworks(app: App): Promise<number> {
  return app.store.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('login_networks')
      .where('last_login_at', '<', daysAgo(app, networksDays))
      .executeTakeFirst()
    // Deletes all at once, because there are few; the second round finds none.
    return Number(numDeletedRows)
  })
}

/** Removes the beginning of the chain, and stores where it begins now. */
function cutAudit({ store }: App, before: string): Promise<number> {
  return store.write(async (tx) => {
    await lockChain(store, tx)
    const links = await tx
      .selectFrom('audit_seals')
      .innerJoin('audit_entries', 'audit_entries.id', 'audit_seals.entry_id')
      .select(['audit_seals.id', 'entry_id', 'seal', 'at'])
      .orderBy('audit_seals.id')
      .limit(batch)
      .execute()
    const young = links.findIndex(({ at }) => at >= before)
    const old = young < 0 ? links : links.slice(0, young)
    const last = old.at(-1)
    if (last === undefined) return 0
    const ids = old.map(({ entry_id }) => entry_id)
    await tx.deleteFrom('audit_seals').where('id', '<=', last.id).execute()
    await tx.deleteFrom('audit_details').where('entry_id', 'in', ids).execute()
    await tx.deleteFrom('audit_entries').where('id', 'in', ids).execute()
    await setStoredValue(tx, chainStart, last.seal)
    return old.length
  })
}

/** Erases deleted users like on their own request, including their reserved names. */
async function eraseDeleted(caller: OperatorCaller, before: string): Promise<number> {
  const ids = await caller.app.store.write(async (tx) => {
    const users = await tx
      .selectFrom('users')
      .innerJoin('user_names', 'user_names.user_id', 'users.id')
      .select('users.id')
      .distinct()
      .where('state', '=', 'deleted')
      .where('deleted_at', '<', before)
      .limit(usersPerWrite)
      .execute()
    if (users.length > 0) refuseWithoutJournal(caller.app.settings)
    for (const { id } of atMost(users, usersPerWrite)) await eraseUserIn(tx, caller, id, 'at the partner')
    return users.map(({ id }) => id)
  })
  noteErasures(
    caller.app,
    ids.map((user_id) => ({ user_id })),
  )
  return ids.length
}

async function dropReviews(app: App, before: string, repeatedly: typeof untilNone): Promise<number> {
  let sum = 0
  const accounts = await app.store.db.selectFrom('accounts').select('id').orderBy('id').execute()
  for (const { id } of accounts) sum += await repeatedly(() => dropReviewsOf(app, id, before))
  return sum
}

function dropReviewsOf({ store }: App, accountId: number, before: string): Promise<number> {
  return store.write(async (tx) => {
    const old = tx.selectFrom('reviews').select('id').where('account_id', '=', accountId).where('date', '<', before)
    const ids = (await old.limit(batch).execute()).map(({ id }) => id)
    if (ids.length === 0) return 0
    await renewMeasuredVersions(tx, [accountId])
    await tx.deleteFrom('reviews').where('account_id', '=', accountId).where('id', 'in', ids).execute()
    await tx.deleteFrom('review_marks').where('account_id', '=', accountId).where('date', '<', before).execute()
    return ids.length
  })
}
