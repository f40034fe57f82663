/** The hash chain over the audit entries: each seal covers its entry and the previous seal, so that no change or removal goes unnoticed. */

import type { Kysely } from 'kysely'
import { numberOf, type Secrets, sameText } from '../../lib/secrets.ts'
import type { AuditEntryRow, AuditSealRow, Tables } from '../../store/rows/tables.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../core/app.ts'
import { keepStoredValue, readStoredValue } from '../core/stored-values.ts'

/** The end of the chain. Written to the log from time to time, it proves later that nothing was cut off. */
export interface Head {
  readonly position: number
  readonly seal: string
}

export interface Verdict {
  readonly checked: number
  readonly head: Head | null
  /** Sentences, each of which names an entry. */
  readonly faults: string[]
}

type Entry = { [K in keyof AuditEntryRow]: K extends 'id' ? number : AuditEntryRow[K] }
type Seal = { [K in keyof AuditSealRow]: K extends 'id' ? number : AuditSealRow[K] }

const origin = ''
const batch = 500
const sealedAtOnce = 200
/** Transactions may commit in another order than their ids, but none is this far behind. */
const window = 10_000
/** An entry that has waited this long for its seal was inserted by hand, or nothing is sealing. */
const sealedWithinMinutes = 10

export async function isAnythingUnsealed({ store }: App): Promise<boolean> {
  return (await unsealed(store.db, 1)).length > 0
}

/** Seals the entries committed since, up to a batch; returns the end of the chain, or null if there was nothing to do. */
export async function sealEntries(app: App): Promise<Head | null> {
  const { store, secrets } = app
  if (!(await isAnythingUnsealed(app))) return null
  return store.write(async (tx) => {
    await lockChain(store, tx)
    const entries = await unsealed(tx, sealedAtOnce)
    if (entries.length === 0) return null
    const links = chained(entries, (await headOf(tx))?.seal ?? (await startOf(tx)), secrets)
    const ids = (await tx.insertInto('audit_seals').values(links).returning('id').execute()).map(({ id }) => id)
    return { position: Math.max(...ids), seal: (links.at(-1) as (typeof links)[number]).seal }
  })
}

/** Both databases give the ids of one statement in the order of its rows. */
function chained(entries: readonly Entry[], end: string, secrets: Secrets): Omit<Seal, 'id'>[] {
  let previous = end
  return entries.map((entry) => {
    const link = { entry_id: entry.id, previous, seal: secrets.hmac('audit', sealed(entry, previous)) }
    previous = link.seal
    return link
  })
}

/** Must be held by whoever extends or shortens the chain, so that there is one chain even with several processes. */
export async function lockChain(store: Store, tx: Kysely<Tables>): Promise<void> {
  await keepStoredValue(tx, chainStart, origin)
  await store.lock(tx, 'facts', chainStart, 'name')
}

/** Verifies the whole chain: every entry, every detail that still exists, and that no entry is outside of it. */
export function verifyAudit({ store, secrets, clock }: App, anchor?: Head): Promise<Verdict> {
  return store.snapshot(async (db) => {
    const faults: string[] = []
    let [position, previous, checked] = [0, await startOf(db), 0]
    let isAnchored = anchor === undefined
    for (let seals = await sealsAfter(db, 0); seals.length > 0; seals = await sealsAfter(db, position)) {
      for (const { entry, seal, detail } of await withEntries(db, seals)) {
        faults.push(...faultsOf({ entry, seal, detail, previous }, secrets))
        if (seal.id === anchor?.position && sameText(seal.seal, anchor.seal)) isAnchored = true
        ;[position, previous] = [seal.id, seal.seal]
        checked += 1
      }
    }
    if (!isAnchored) faults.push('The chain does not contain the given anchor: its end was cut off or made anew.')
    faults.push(...(await strays(db, clock.now())))
    return { checked, head: position === 0 ? null : { position, seal: previous }, faults }
  })
}

interface Link {
  readonly entry: Entry | undefined
  readonly seal: Seal
  readonly detail: string | undefined
  readonly previous: string
}

function faultsOf({ entry, seal, detail, previous }: Link, secrets: Secrets): string[] {
  if (entry === undefined) return [`Entry ${seal.entry_id} is missing.`]
  if (!secrets.knows(seal.seal))
    return [`Entry ${entry.id} was sealed under the server secret ${numberOf(seal.seal)}, which is not in its file.`]
  const isInPlace = seal.previous === previous && secrets.isHmac(seal.seal, 'audit', sealed(entry, previous))
  const hasOwnDetail = detail === undefined || (entry.detail_hash !== null && secrets.isHmac(entry.detail_hash, 'audit', detail))
  return [
    ...(isInPlace ? [] : [`Entry ${entry.id} is not as it was sealed.`]),
    ...(hasOwnDetail ? [] : [`The detail of entry ${entry.id} is not as it was written.`]),
  ]
}

/** What a seal covers; the detail only by its hash, so that personal values can be erased. */
function sealed(entry: Entry, previous: string): string {
  const { id, at, partner_id, account_id, actor, action, subject_type, subject_id, request_id, detail_hash } = entry
  return JSON.stringify([previous, id, at, partner_id, account_id, actor, action, subject_type, subject_id, request_id, detail_hash])
}

function unsealed(db: Kysely<Tables>, most: number): Promise<Entry[]> {
  return db
    .selectFrom('audit_entries')
    .selectAll('audit_entries')
    .leftJoin('audit_seals', 'audit_seals.entry_id', 'audit_entries.id')
    .where('audit_seals.id', 'is', null)
    .where('audit_entries.id', '>', (query) =>
      query
        .selectFrom('audit_seals as latest')
        .select((of) => of(of.fn.coalesce(of.fn.max('latest.entry_id'), of.val(0)), '-', window).as('floor')),
    )
    .orderBy('audit_entries.id')
    .limit(most)
    .execute()
}

async function headOf(db: Kysely<Tables>): Promise<Head | null> {
  const last = await db.selectFrom('audit_seals').select(['id', 'seal']).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return last === undefined ? null : { position: last.id, seal: last.seal }
}

/** The seal before the first existing link, because retention removes old links from the beginning. */
async function startOf(db: Kysely<Tables>): Promise<string> {
  return (await readStoredValue(db, chainStart)) ?? origin
}

export const chainStart = 'audit_chain_start'

function sealsAfter(db: Kysely<Tables>, position: number): Promise<Seal[]> {
  return db.selectFrom('audit_seals').selectAll().where('id', '>', position).orderBy('id').limit(batch).execute()
}

async function withEntries(db: Kysely<Tables>, seals: readonly Seal[]) {
  const ids = seals.map(({ entry_id }) => entry_id)
  const entries = await db.selectFrom('audit_entries').selectAll().where('id', 'in', ids).execute()
  const details = await db.selectFrom('audit_details').selectAll().where('entry_id', 'in', ids).execute()
  const [entryOf, detailOf] = [new Map(entries.map((row) => [row.id, row])), new Map(details.map((row) => [row.entry_id, row.detail]))]
  return seals.map((seal) => ({ seal, entry: entryOf.get(seal.entry_id), detail: detailOf.get(seal.entry_id) }))
}

async function strays(db: Kysely<Tables>, now: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .leftJoin('audit_seals', 'audit_seals.entry_id', 'audit_entries.id')
    .where('audit_seals.id', 'is', null)
    .where('audit_entries.at', '<', new Date(Date.parse(now) - sealedWithinMinutes * 60_000).toISOString())
    .select('audit_entries.id')
    .limit(100)
    .execute()
  return rows.map(({ id }) => `Entry ${id} was never sealed.`)
}
