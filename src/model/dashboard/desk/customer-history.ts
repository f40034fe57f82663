/** What was done for a customer, from the audit log, the newest first: also what was opened to its people, which is recorded with them. */

import type { Kysely } from 'kysely'
import type { Ability } from '../../../resources/ability.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { StaffCaller } from '../../core/caller.ts'
import type { CustomerFile, CustomerPerson } from './customer.ts'

type Db = Kysely<Tables>
type Scope = Pick<Ability, 'scope_type' | 'scope_id'>

export interface HistoryEntry {
  readonly id: number
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject_type: string
  readonly subject_id: number | null
  /** Of this customer; null where it is about something else, or is no longer known. */
  readonly seen: { readonly opened: readonly Scope[]; readonly closed: readonly Scope[] } | null
}

const entriesAtOnce = 50

/** With `before`, those that are older; `earlier` is what to ask with for the next ones. */
export async function readHistory({ app, accountId }: StaffCaller, customer: CustomerFile, before = 0) {
  const { db } = app.store
  const all = [...(await ownEntries(db, customer, before)), ...(await abilityEntries(db, customer, before))].toSorted((a, b) => b.id - a.id)
  const entries = all.slice(0, entriesAtOnce).filter((entry) => isAbout(customer, entry))
  const earlier = all.length > entriesAtOnce ? (all[entriesAtOnce - 1]?.id ?? null) : null
  return { entries, earlier, formerStaff: await formerStaff(db, accountId, entries) }
}

function entriesBefore(db: Db, before: number) {
  return db
    .selectFrom('audit_entries')
    .select(['audit_entries.id', 'at', 'actor', 'action', 'subject_type', 'subject_id'])
    .$if(before > 0, (entries) => entries.where('audit_entries.id', '<', before))
    .orderBy('audit_entries.id', 'desc')
    .limit(entriesAtOnce + 1)
}

const abilityActions = ['abilities.merge', 'abilities.remove', 'abilities.replace']

async function ownEntries(db: Db, { id }: CustomerFile, before: number): Promise<HistoryEntry[]> {
  const entries = await entriesBefore(db, before).where('account_id', '=', id).where('action', 'not in', abilityActions).execute()
  return entries.map((entry) => ({ ...entry, seen: null }))
}

/** Some are recorded with the account too, and those of somebody who has left with the account alone. */
async function abilityEntries(db: Db, customer: CustomerFile, before: number): Promise<HistoryEntry[]> {
  const ids = [0, ...customer.people.map(({ id }) => id)]
  const entries = await entriesBefore(db, before)
    .leftJoin('audit_details', 'audit_details.entry_id', 'audit_entries.id')
    .select('detail')
    .where((entry) =>
      entry.or([entry.and([entry('subject_type', '=', 'User'), entry('subject_id', 'in', ids)]), entry('account_id', '=', customer.id)]),
    )
    .where('action', 'in', abilityActions)
    .execute()
  return entries.map(({ detail, ...entry }) => ({ ...entry, seen: detail === null ? null : seenBy(customer, detail) }))
}

/** Of this customer alone: what was opened elsewhere is told there. */
function seenBy({ id, businesses, sites }: CustomerFile, detail: string): HistoryEntry['seen'] {
  const own = { Account: new Set([id]), Business: idsOf(businesses), Site: idsOf(sites) }
  const { before = [], after = [] } = JSON.parse(detail) as { readonly before?: readonly Scope[]; readonly after?: readonly Scope[] }
  const here = (scopes: readonly Scope[]) => scopes.filter(({ scope_type, scope_id }) => own[scope_type].has(scope_id))
  return { opened: here(after), closed: here(before) }
}

function idsOf(records: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(records.map(({ id }) => id))
}

function isAbout({ people }: CustomerFile, { action, subject_id, seen }: HistoryEntry): boolean {
  if (!action.startsWith('abilities.')) return true
  if (seen !== null) return seen.opened.length + seen.closed.length > 0
  return people.some(({ id, isOfAnother }: CustomerPerson) => id === subject_id && !isOfAnother)
}

/** People of the partner itself who did something and may have left the staff since. */
async function formerStaff(db: Db, accountId: number, entries: readonly HistoryEntry[]): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(entries.flatMap(({ actor }) => Number(/^user:(\d+)$/.exec(actor)?.[1] ?? 0) || []))
  if (ids.size === 0) return new Map()
  const users = db.selectFrom('users').select(['id', 'name', 'login']).where('account_id', '=', accountId).where('state', '!=', 'deleted')
  return new Map((await users.where('id', 'in', [...ids]).execute()).map(({ id, name, login }) => [id, name.trim() || login]))
}
