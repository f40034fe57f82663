/** Stores records that are rows: inserts new ones, updates changed ones, and counts each. */

import { type Kysely, sql } from 'kysely'
import type { Value } from '../../../fields/incoming.ts'
import type { Values } from '../../../fields/read-incoming.ts'
import { placement } from '../../../store/placement.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { lockMeasuredVersions, lockReportVersions, renewMeasuredVersions, renewReportVersions } from '../../core/report-version.ts'
import type { RowTouch } from '../../core/steps.ts'
import { padded, parts, ReferenceGone, requireExisting } from '../batches.ts'
import type { References } from '../references.ts'
import { type Owner, type Row, type RowKind, rowKinds } from '../row-kinds.ts'
import type { RowKindName, SpooledRow } from '../spools.ts'
import { type Counts, noCounts } from '../summary.ts'
import type { Applying } from './applying.ts'

interface Pending {
  readonly owner: Owner
  readonly second: string
  values: Values
  /** What its records say, in the order in which they came. */
  readonly each: SpooledRow[]
}

/** Groups records by account, so that each transaction writes one account only. */
export function rowsByAccount(reach: References, name: RowKindName, block: readonly SpooledRow[]): Map<number, SpooledRow[]> {
  return Map.groupBy(block, (spooled) => rowKinds[name].ownerAt(reach, spooled).account_id)
}

/** Stores records of one kind and one account within a transaction. */
export async function applyRows(
  { caller, reach, journal, samples }: Applying,
  tx: Kysely<Tables>,
  name: RowKindName,
  accountId: number,
  block: readonly SpooledRow[],
): Promise<Counts> {
  const { store, clock } = caller.app
  const now = clock.now()
  const kind = rowKinds[name]
  const { lock, renew } = versionsOf[placement[kind.table]]
  const records = byKey(kind, reach, block)
  await lock(store, tx, [accountId])
  // In a dry run, owners that do not exist yet have ids that nobody has.
  if (samples === undefined)
    await requireExisting(
      tx,
      ownersByColumn[kind.owner],
      accountId,
      [...records.values()].map(({ owner }) => owner.id),
    )
  const known = new Map<string, Row>()
  for (const part of parts([...records.values()])) for (const [key, row] of await knownRows(tx, kind, accountId, part)) known.set(key, row)
  const counts = noCounts()
  const changed: Row[] = []
  const touches: RowTouch[] = []
  for (const [key, record] of records) {
    const old = known.get(key)
    const outcome = old === undefined ? 'created' : differs(old, record.values) ? 'updated' : 'unchanged'
    for (const one of outcomes(kind, record, old, now)) counts[one]++
    if (old === undefined && kind.isMadeBefore && samples === undefined) throw new ReferenceGone()
    touches.push(touchOf(kind, record, old, now))
    if (outcome === 'unchanged') continue
    const row = old === undefined ? freshRow(kind, record, now) : over(old, record.values)
    changed.push(row)
    if (old !== undefined) samples?.addRow(name, old, row)
  }
  for (const part of parts(changed)) await upsert(tx, kind, part)
  await journal.keepRows(tx, accountId, name, touches, counts)
  if (changed.length > 0) await renew(tx, [accountId])
  return counts
}

export const ownersByColumn = { site_id: 'sites', subject_id: 'subjects', keyword_id: 'keywords', page_id: 'pages' } as const

const versionsOf = {
  directory: { lock: lockReportVersions, renew: renewReportVersions },
  measured: { lock: lockMeasuredVersions, renew: renewMeasuredVersions },
}

/** Merges records with the same key field by field; the later one wins. */
function byKey(kind: RowKind, reach: References, block: readonly SpooledRow[]): Map<string, Pending> {
  const records = new Map<string, Pending>()
  for (const spooled of block) {
    const owner = kind.ownerAt(reach, spooled)
    const second = kind.key(spooled.values)
    const values = columnsOf(kind, spooled.values)
    const earlier = records.get(`${owner.id} ${second}`)
    const one = { ...spooled, values }
    if (earlier === undefined) records.set(`${owner.id} ${second}`, { owner, second, values, each: [one] })
    else {
      earlier.values = over(earlier.values, values)
      earlier.each.push(one)
    }
  }
  return records
}

/** What each record of a key does, as if they came one by one. */
function outcomes(kind: RowKind, { owner, second, each }: Pending, old: Row | undefined, now: string): (keyof Counts)[] {
  // In a dry run, what is made before its rows are stored is there already too.
  let row = old ?? (kind.isMadeBefore && kind.initially({}, owner, now))
  return each.map(({ values, isFirst }) => {
    const before = row
    row = before ? over(before, values) : freshRow(kind, { owner, second, values }, now)
    if (!before) return 'created'
    return !isFirst && differs(before, values) ? 'updated' : 'unchanged'
  })
}

function columnsOf(kind: RowKind, values: Values): Values {
  const row: Values = values.domain_authority === undefined || kind.table !== 'snapshots' ? {} : { authority_known: 1 }
  for (const column of kind.columns) if (values[column] !== undefined) row[column] = values[column] as Value
  return row
}

/** What an undo must know of a record, whether it changed anything or not. */
function touchOf(kind: RowKind, { owner, second, values }: Pending, old: Row | undefined, now: string): RowTouch {
  const base = old ?? kind.initially(values, owner, now)
  const said = Object.keys(values)
  const changed = said.filter((name) => (old === undefined ? Object.hasOwn(base, name) : over(old, values)[name] !== old[name]))
  const claimed = said.filter((name) => !changed.includes(name))
  return {
    ...(kind.isMadeBefore ? { owner: (old?.id ?? 0) as number, key: '' } : { owner: owner.id, key: second }),
    ...(old === undefined && { isNew: true }),
    before: Object.fromEntries(changed.map((name) => [name, base[name] ?? null])),
    ...(claimed.length > 0 && { claimed }),
    ...(kind.author !== undefined && old !== undefined && changed.length > 0 && { authors: [old[kind.author] as string] }),
  }
}

/** Merges the later record over the earlier one; the earlier creation time is kept. */
function over(old: Row, values: Values): Row {
  const times = [old.created_at, values.created_at].filter((time) => typeof time === 'string').sort()
  return { ...old, ...values, ...(times[0] !== undefined && { created_at: times[0] }) }
}

function differs(old: Row, values: Values): boolean {
  const merged = over(old, values)
  for (const name in values) if (old[name] !== merged[name]) return true
  return false
}

function freshRow(kind: RowKind, { owner, second, values }: Omit<Pending, 'each'>, now: string): Row {
  const key: Row = { account_id: owner.account_id, [kind.owner]: owner.id, ...(kind.second && { [kind.second]: second }) }
  return { ...key, ...kind.initially(values, owner, now), ...values }
}

/** By owner and second part of the key. */
export async function knownRows(
  tx: Kysely<Tables>,
  kind: RowKind,
  accountId: number,
  records: readonly { readonly owner: Pick<Owner, 'id'>; readonly second: string }[],
): Promise<Map<string, Row>> {
  const owners = [...new Set(records.map(({ owner }) => owner.id))]
  const ofOwners = rowsOfKind(tx, kind, accountId).where(sql.ref<number>(kind.owner), 'in', padded(owners))
  const seconds = padded([...new Set(records.map(({ second }) => second))])
  const rows = await (kind.second ? ofOwners.where(sql.ref<string>(kind.second), 'in', seconds) : ofOwners).execute()
  return new Map(rows.map((row) => [`${row[kind.owner]} ${kind.second ? row[kind.second] : ''}`, row]))
}

/** The rows of an account, with what tells them apart. */
export function rowsOfKind(tx: Kysely<Tables>, kind: RowKind, accountId: number) {
  const names = [kind.owner, ...(kind.second ? [kind.second] : []), ...(kind.isMadeBefore ? ['id'] : [])]
  return tx
    .selectFrom(kind.table)
    .select(['account_id', ...names, ...kind.columns].map((name) => sql.ref<Value>(name).as(name)))
    .where('account_id', '=', accountId)
}

export async function upsert(tx: Kysely<Tables>, kind: RowKind, rows: readonly Row[]): Promise<void> {
  const key = ['account_id', kind.owner, ...(kind.second ? [kind.second] : [])]
  await tx
    .insertInto(kind.table)
    // The columns are those that the table of kinds names.
    .values(rows as never)
    .onConflict((taken) =>
      taken.columns(key as never).doUpdateSet(Object.fromEntries(kind.columns.map((column) => [column, sql.ref(`excluded.${column}`)]))),
    )
    .execute()
}
