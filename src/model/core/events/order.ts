/** The one order of all events: their places are given one after another, by whoever holds the lock, to what was committed by then. */

import type { Kysely } from 'kysely'
import { atMost } from '../../../lib/work/batches.ts'
import { type Concerned, type EventName, eventTypes } from '../../../resources/event.ts'
import type { EventDraftRow, EventRow } from '../../../store/rows/events.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { type App, perApp } from '../app.ts'
import { keepStoredValue } from '../stored-values.ts'

type Db = Kysely<Tables>
type Draft = { [K in keyof EventDraftRow]: K extends 'id' ? number : EventDraftRow[K] }

const placedAtOnce = 500
/** Of records that events are about. */
const mostKinds = 10
const lockName = 'event_order'

/** Whether to look: at once after a change in this process, and now and then for those of others. */
export async function isAnyEventWaiting(app: App): Promise<boolean> {
  const looks = looksOf(app)
  const now = performance.now()
  if (now - looks.draftedAt > commitMilliseconds && now - looks.at < restMilliseconds) return false
  looks.at = now
  return (await app.store.db.selectFrom('event_drafts').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** An event is being written here, and will soon be committed. */
export function expectEvent(app: App): void {
  looksOf(app).draftedAt = performance.now()
}

const commitMilliseconds = 2_000
const restMilliseconds = 1_000

const looksOf = perApp(() => ({ draftedAt: Number.NEGATIVE_INFINITY, at: Number.NEGATIVE_INFINITY }))

/**
 * Gives places to events that have none; returns how many it took. A place becomes visible only together with all before it, because the lock is held until
 * the commit: so nobody who follows the places can pass one that comes later.
 */
export function placeEvents({ store }: App): Promise<number> {
  return store.write(async (tx) => {
    await keepStoredValue(tx, lockName, '')
    await store.lock(tx, 'facts', lockName, 'name')
    const drafts = await tx.selectFrom('event_drafts').selectAll().orderBy('id').limit(placedAtOnce).execute()
    if (drafts.length === 0) return 0
    const owned = await withOwners(tx, drafts)
    const last = (await lastEvent(tx))?.place ?? 0
    const rows = owned.map((event, index) => ({ place: last + 1 + index, ...event }))
    if (rows.length > 0) await tx.insertInto('events').values(rows).execute()
    const ids = drafts.map(({ id }) => id)
    await tx.deleteFrom('event_drafts').where('id', 'in', ids).execute()
    return drafts.length
  })
}

export function lastEvent(db: Db): Promise<Pick<EventRow, 'place' | 'uid'> | undefined> {
  return db.selectFrom('events').select(['place', 'uid']).orderBy('place', 'desc').limit(1).executeTakeFirst()
}

/** Finds what the change did not know. An event of nobody, such as of the operator's own records, is told to nobody. */
async function withOwners(tx: Db, drafts: readonly Draft[]): Promise<Omit<EventRow, 'place'>[]> {
  const lacking = drafts.filter(({ account_id, partner_id }) => account_id === null || partner_id === null)
  const found = new Map<Concerned, ReadonlyMap<number, Owner>>()
  const kinds = [...Map.groupBy(lacking, ({ type }) => eventTypes[type as EventName].record)]
  for (const [record, some] of atMost(kinds, mostKinds))
    found.set(record, await ownersOf(tx, record, [...new Set(some.map(({ record_id }) => record_id))]))
  const known = drafts.map((draft) => {
    const owner = found.get(eventTypes[draft.type as EventName].record)?.get(draft.record_id)
    return {
      ...draft,
      account_id: draft.account_id ?? owner?.account_id ?? null,
      partner_id: draft.partner_id ?? owner?.partner_id ?? null,
    }
  })
  const homeless = known.flatMap(({ account_id, partner_id }) => (partner_id === null && account_id !== null ? [account_id] : []))
  const partners = await partnersOf(tx, [...new Set(homeless)])
  return known.flatMap(({ id: _id, partner_id, ...event }) => {
    const partnerId = partner_id ?? partners.get(event.account_id ?? 0)
    return partnerId === undefined ? [] : [{ ...event, partner_id: partnerId }]
  })
}

interface Owner {
  readonly account_id: number | null
  readonly partner_id?: number
}

async function ownersOf(tx: Db, record: Concerned, ids: readonly number[]): Promise<ReadonlyMap<number, Owner>> {
  switch (record) {
    case 'account':
      return new Map(ids.map((id) => [id, { account_id: id }]))
    case 'intake':
      return byId(await tx.selectFrom('intakes').select(['id', 'account_id', 'partner_id']).where('id', 'in', ids).execute())
    case 'key':
      return new Map()
    default: {
      const table = ({ user: 'users', business: 'businesses', site: 'sites' } as const)[record]
      return byId(await tx.selectFrom(table).select(['id', 'account_id']).where('id', 'in', ids).execute())
    }
  }
}

function byId(rows: readonly (Owner & { readonly id: number })[]): ReadonlyMap<number, Owner> {
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

/** Of deleted accounts, those to which they belonged. */
async function partnersOf(tx: Db, accountIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (accountIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('accounts')
    .leftJoin('deleted_accounts', 'deleted_accounts.account_id', 'accounts.id')
    .select((row) => ['accounts.id', row.fn.coalesce('accounts.partner_id', 'deleted_accounts.partner_id').as('partner_id')])
    .where('accounts.id', 'in', accountIds)
    .execute()
  return new Map(rows.flatMap(({ id, partner_id }) => (partner_id === null ? [] : [[id, partner_id] as const])))
}
