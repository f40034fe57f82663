/** Changes many customers alike: what becomes of each is told first, and only what was told is done. */

import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { invalid, refuse } from '../../../lib/failures.ts'
import { isOneLine } from '../../../lib/one-line.ts'
import type { AccountRow, Tables } from '../../../store/rows/tables.ts'
import { accountsWithin, type Managing } from '../../core/tenancy.ts'
import { refuseMeanwhile } from '../../core/transaction.ts'
import type { Rhythm } from '../../mail/periods.ts'
import { createSchedule, maxRecipients } from '../../mail/schedules.ts'
import { deactivateCustomer, tagCustomer, tagList } from '../../partners/customers.ts'
import { assignCustomer } from '../staff/assignments.ts'

type Db = Kysely<Tables>

export type BulkWish =
  | { readonly kind: 'assign'; readonly colleague: number | null }
  | { readonly kind: 'tag' | 'untag'; readonly tag: string }
  | { readonly kind: 'schedule'; readonly rhythm: Rhythm }
  | { readonly kind: 'deactivate' }

export interface PlannedChange {
  readonly id: number
  readonly name: string
  /** `same` where it is so already. */
  readonly outcome: 'changes' | 'same' | 'impossible'
  /** What it will be: the tags, the recipients, or the businesses that are deactivated. */
  readonly detail: readonly string[]
}

export interface BulkPlan {
  readonly changes: readonly PlannedChange[]
  /** Tells this plan from any other. */
  readonly state: string
}

const mostAtOnce = 200
const longestTag = 100

/** Of those that the caller reaches, by name. */
export async function planBulk(caller: Managing, ids: readonly number[], wish: BulkWish): Promise<BulkPlan> {
  if (ids.length > mostAtOnce) refuse('bad_request', `At most ${mostAtOnce} customers are changed at once`)
  if ('tag' in wish) checkTag(wish.tag)
  const { db } = caller.app.store
  const accounts = ids.length === 0 ? [] : await readAccounts(caller, db, ids)
  const facts =
    accounts.length === 0
      ? noFacts
      : await readFacts(
          db,
          accounts.map(({ id }) => id),
          wish,
        )
  const changes = accounts.map((account) => ({ id: account.id, name: account.name, ...becoming(account, wish, facts) }))
  return { changes, state: hash('sha256', JSON.stringify([wish, changes]), 'base64url').slice(0, 22) }
}

/** Each by itself; refused if what becomes of them has changed since `was`. Returns how many were changed. */
export async function changeInBulk(caller: Managing, ids: readonly number[], wish: BulkWish, was: string): Promise<number> {
  const { changes, state } = await planBulk(caller, ids, wish)
  if (state !== was) refuseMeanwhile()
  const wanted = changes.filter(({ outcome }) => outcome === 'changes')
  for (const change of wanted) await carryOut(caller, change, wish)
  return wanted.length
}

function checkTag(tag: string): void {
  if (tag.trim() === '') invalid([{ field: 'tag', code: 'blank' }])
  if (tag.includes(',') || !isOneLine(tag) || tag !== tag.trim()) invalid([{ field: 'tag', code: 'invalid' }])
  if (tag.length > longestTag) invalid([{ field: 'tag', code: 'too_long', limit: longestTag }])
}

type Account = Pick<AccountRow, 'name' | 'looked_after_by' | 'tags' | 'archived_at'> & { readonly id: number }

function readAccounts(caller: Managing, db: Db, ids: readonly number[]) {
  const accounts = accountsWithin(caller, db).select(['accounts.id', 'accounts.name', 'looked_after_by', 'tags', 'archived_at'])
  return accounts.where('accounts.id', 'in', ids).orderBy('accounts.name').orderBy('accounts.id').execute()
}

/** By account. */
interface Facts {
  readonly businesses: ReadonlyMap<number, readonly string[]>
  readonly recipients: ReadonlyMap<number, readonly string[]>
  readonly scheduled: ReadonlySet<number>
}

const noFacts: Facts = { businesses: new Map(), recipients: new Map(), scheduled: new Set() }

async function readFacts(db: Db, ids: readonly number[], { kind }: BulkWish): Promise<Facts> {
  if (kind === 'deactivate') return { ...noFacts, businesses: await activeBusinesses(db, ids) }
  if (kind !== 'schedule') return noFacts
  const scheduled = await db.selectFrom('report_schedules').select('account_id').distinct().where('account_id', 'in', ids).execute()
  return { ...noFacts, recipients: await seeingAll(db, ids), scheduled: new Set(scheduled.map(({ account_id }) => account_id)) }
}

async function activeBusinesses(db: Db, ids: readonly number[]) {
  const businesses = db.selectFrom('businesses').select(['account_id', 'name']).where('account_id', 'in', ids)
  return byAccount(await businesses.where('aasm_state', '=', 'active').orderBy('name').execute())
}

/** The people of each account who may see all of it. */
async function seeingAll(db: Db, ids: readonly number[]) {
  const people = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('staff', 'staff.user_id', 'users.id')
    .select(['users.account_id', 'users.email as name'])
    .where('users.account_id', 'in', ids)
    .where('users.state', 'not in', ['suspended', 'deleted'])
    .where('staff.user_id', 'is', null)
    .where((user) => {
      const abilities = user.selectFrom('abilities').select('scope_id').whereRef('abilities.user_id', '=', 'users.id')
      const seesAll = abilities.where('scope_type', '=', 'Account').whereRef('scope_id', '=', 'users.account_id')
      return user.or([user('accounts.owner_id', '=', user.ref('users.id')), user.exists(seesAll)])
    })
    .orderBy('users.id')
    .execute()
  return byAccount(people)
}

function byAccount(rows: readonly { readonly account_id: number; readonly name: string }[]): ReadonlyMap<number, readonly string[]> {
  return new Map([...Map.groupBy(rows, ({ account_id }) => account_id)].map(([id, some]) => [id, some.map(({ name }) => name)]))
}

type Becoming = Pick<PlannedChange, 'outcome' | 'detail'>

function becoming({ id, looked_after_by, tags, archived_at }: Account, wish: BulkWish, facts: Facts): Becoming {
  const held = tagList(tags)
  switch (wish.kind) {
    case 'assign':
      return changing(looked_after_by !== wish.colleague, [])
    case 'tag':
      return changing(!held.includes(wish.tag), [...held, wish.tag])
    case 'untag':
      return changing(
        held.includes(wish.tag),
        held.filter((tag) => tag !== wish.tag),
      )
    case 'deactivate': {
      const active = facts.businesses.get(id) ?? []
      return changing(active.length > 0, active)
    }
    case 'schedule': {
      const recipients = (facts.recipients.get(id) ?? []).slice(0, maxRecipients)
      if (facts.scheduled.has(id)) return changing(false, [])
      return archived_at !== null || recipients.length === 0 ? { outcome: 'impossible', detail: [] } : changing(true, recipients)
    }
  }
}

function changing(isChange: boolean, detail: readonly string[]): Becoming {
  return isChange ? { outcome: 'changes', detail } : { outcome: 'same', detail: [] }
}

async function carryOut(caller: Managing, { id, detail }: PlannedChange, wish: BulkWish): Promise<void> {
  switch (wish.kind) {
    case 'assign':
      await assignCustomer(caller, id, wish.colleague)
      return
    case 'tag':
    case 'untag':
      await tagCustomer(caller, id, wish.tag, wish.kind === 'tag')
      return
    case 'deactivate':
      await deactivateCustomer(caller, id)
      return
    case 'schedule':
      await createSchedule(caller, id, { rhythm: wish.rhythm, siteIds: null, recipients: detail })
      return
  }
}
