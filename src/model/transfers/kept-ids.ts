/** Lets the records of an export keep their ids: finds the ids that were ever used here, and takes all others before anything is stored. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { isoTime } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { readStoredValue, setStoredValue } from '../core/stored-values.ts'
import type { Managing } from '../core/tenancy.ts'
import type { ImportLine } from '../imports/import-line.ts'
import { ownerTables, type TransferOwner } from './kinds.ts'
import type { TransferIds } from './transfer-ids.ts'

/** The ids of an export by kind. */
export type ExportedIds = Readonly<Record<TransferOwner, readonly number[]>>

const kinds = Object.keys(ownerTables) as TransferOwner[]
const subjectTypes = { account: 'Account', business: 'Business', site: 'Site', user: 'User' } as const
/** Ids above would leave too few for everybody else. */
const highestKept = 2 ** 52

/** Reads an export once before it is imported. */
export async function exportedIds(batches: AsyncIterable<readonly ImportLine[]>): Promise<ExportedIds> {
  const ids = { account: [] as number[], business: [] as number[], site: [] as number[], user: [] as number[] }
  for await (const batch of batches)
    for (const { record } of batch) {
      const { type, id } = (record ?? {}) as { type?: TransferOwner; id?: unknown }
      // Sites of the measurements have no id.
      if (type !== undefined && Object.hasOwn(ids, type) && Number.isSafeInteger(id)) ids[type].push(id as number)
    }
  return ids
}

interface Arriving {
  /** What earlier runs stored. */
  readonly known: TransferIds
  readonly exported: ExportedIds
  /** The partner account, if it already has the id that it has in the export. */
  readonly home: number | undefined
}

/** Refuses all ids where one is taken. Afterwards nothing else is given one of them, so that they may be stored in any number of transactions. */
export async function takeIds({ app }: Managing, arriving: Arriving): Promise<void> {
  await app.store.write(async (tx) => {
    await app.store.engine.holdIds(tx, Object.values(ownerTables))
    const free = new Map<TransferOwner, readonly number[]>()
    for (const kind of kinds) free.set(kind, await freeIds(tx, app, kind, arriving))
    // Comes after all of them, because a server does not roll a generator back.
    for (const kind of kinds) await raise(tx, app, kind, free.get(kind) ?? [])
  })
}

export function refuseTakenIds({ app }: Managing, arriving: Arriving): Promise<void> {
  return app.store.snapshot(async (db) => {
    for (const kind of kinds) await freeIds(db, app, kind, arriving)
  })
}

/** Those that an earlier run has not stored yet. */
function freshIds(known: TransferIds, kind: TransferOwner, ids: readonly number[]): number[] {
  return ids.filter((id) => {
    const here = known.of(kind, id)
    if (here !== undefined && here !== id)
      refuse('conflict', `${kind} ${id} of the export is ${kind} ${here} here since an earlier import, so it cannot keep its id`)
    return here === undefined
  })
}

type App = Managing['app']

async function freeIds(db: Kysely<Tables>, app: App, kind: TransferOwner, { known, exported, home }: Arriving): Promise<readonly number[]> {
  const fresh = freshIds(known, kind, exported[kind])
  const ids = kind === 'account' ? fresh.filter((id) => id !== home) : fresh
  const outside = ids.find((id) => id < 1 || id > highestKept)
  if (outside !== undefined) refuse('conflict', `${kind} ${outside} cannot keep its id: ids go from 1 to ${highestKept}`)
  const { engine } = app.store
  const last = await engine.lastId(db, ownerTables[kind])
  const given = ids.filter((id) => id <= last)
  const passed = await passedOver(db, app, kind)
  const drawn = given.find((id) => !passed.some(([from, to]) => from <= id && id <= to))
  if (drawn !== undefined) refuseOne(kind, drawn)
  const row = db
    .selectFrom(ownerTables[kind])
    .select('id')
    .where(engine.isOneOf('id', engine.idList(ids)))
  const entry = db
    .selectFrom('audit_entries')
    .select('subject_id as id')
    .where('subject_type', '=', subjectTypes[kind])
    .where(engine.isOneOf('subject_id', engine.idList(given)))
  const used = (await row.limit(1).executeTakeFirst()) ?? (given.length > 0 ? await entry.limit(1).executeTakeFirst() : undefined)
  if (used !== undefined) refuseOne(kind, used.id as number)
  return ids
}

function refuseOne(kind: TransferOwner, id: number): never {
  return refuse(
    'conflict',
    `The id of ${kind} ${id} was used here before. Nothing was stored; leave out --keep-ids to give everything new ids`,
  )
}

/** The first and the last id that were passed over, and when. */
type Passed = readonly [from: number, to: number, at: string]

async function raise(tx: Kysely<Tables>, app: App, kind: TransferOwner, ids: readonly number[]): Promise<void> {
  const last = await app.store.engine.lastId(tx, ownerTables[kind])
  const highest = ids.reduce((most, id) => Math.max(most, id), 0)
  if (highest <= last) return
  await app.store.engine.raiseLastId(tx, ownerTables[kind], highest)
  const passed: Passed = [last + 1, highest, app.clock.now()]
  await setStoredValue(tx, factOf(kind), JSON.stringify([...(await passedOver(tx, app, kind)), passed]))
}

/** The ids below the last one that nothing was given, unless an import kept them. Once its entries in the audit log may be gone, nobody knows which. */
async function passedOver(tx: Kysely<Tables>, { settings, clock }: App, kind: TransferOwner): Promise<readonly Passed[]> {
  const all = JSON.parse((await readStoredValue(tx, factOf(kind))) ?? '[]') as Passed[]
  const { keepAuditDays } = settings
  const oldest = keepAuditDays === 0 ? '' : isoTime(Date.parse(clock.now()) - keepAuditDays * 86_400_000)
  return all.filter(([, , at]) => at >= oldest)
}

function factOf(kind: TransferOwner): string {
  return `ids passed over: ${ownerTables[kind]}`
}
