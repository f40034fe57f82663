/** Moves everything to another database: the source refuses writes meanwhile, both sides are compared, and a move that was killed can be continued. */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Settings } from '../../config.ts'
import { refuse } from '../../lib/failures.ts'
import { proofOf } from '../../lib/secrets.ts'
import { restingReasons } from '../../resources/imports/source.ts'
import type { Bulk, BulkTable } from '../../store/bulk/bulk.ts'
import { copyTable, proveTable, type TableProof } from '../../store/bulk/copy-table.ts'
import { migrate, refuseLacking, schemaState } from '../../store/migrate.ts'
import { databasePlace, openStore, type Store } from '../../store/store.ts'
import type { App } from '../core/app.ts'
import { audit } from '../core/audit.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { installationName, refuseOtherEncoding } from '../core/installation.ts'
import { forgetMoving, type Moving, readMoving, setMoving } from '../core/moving.ts'
import { restSources } from '../core/network/rest-sources.ts'
import { readSecretFile } from '../core/secrets/secret-file.ts'
import { secretRows } from '../core/secrets/server-secret.ts'
import { readStoredValue } from '../core/stored-values.ts'

export type MoveTarget = Pick<Settings, 'databaseUrl' | 'dataDir'>

export interface Moved {
  readonly from: string
  readonly to: string
  readonly tables: readonly ({ readonly table: string } & TableProof)[]
}

/** Called for every copied batch, and for every table that is being compared. */
export type ShowMove = (table: string, work: 'copied' | 'compared', rows: number) => void

export async function moveDatabase(caller: OperatorCaller, where: MoveTarget, show: ShowMove): Promise<Moved> {
  const { app } = caller
  refuseOtherSecret(app, where)
  await refuseOtherSchema(app.store)
  await refuseCluster(app.store)
  const known = await readMoving(app.store.db)
  refuseOtherPlace(app.store, databasePlace(where), known)
  const target = openStore({ ...where, databasePool: 2 })
  try {
    const found = await examineTarget(app.store, target, known)
    const moving = known ?? (await beginMove(caller, target))
    if (found !== 'done') await fill(app, target, moving, found, show)
    return {
      from: app.store.engine.place,
      to: target.engine.place,
      tables: found === 'done' ? [] : await finishMove(app.store, target, moving),
    }
  } finally {
    await target.close()
  }
}

/** Lets the source accept writes again; the copied part of the target stays and is marked as incomplete. */
export async function abortMove(caller: OperatorCaller): Promise<Moving> {
  const { store } = caller.app
  const moving = (await readMoving(store.db)) ?? refuse('conflict', 'This database is not being moved.')
  if (moving.state === 'moved')
    refuse('conflict', `The move is done: the data is in ${moving.place}. To come back, move it back from there.`)
  await store.write(async (tx) => {
    await store.engine.acceptWrites(tx)
    await forgetMoving(tx)
    await audit(tx, caller, 'database.abort_move', { id: null }, { after: { place: moving.place } })
  }, 'unlimited')
  return moving
}

/** Values made with one secret are invalid under another. */
function refuseOtherSecret({ settings, secrets }: App, { databaseUrl, dataDir }: MoveTarget): void {
  const path = join(dataDir, 'secret')
  if (databaseUrl !== undefined || settings.secretFile !== undefined || !existsSync(path)) return
  const proofs = (readSecretFile(path) ?? []).map((bytes) => proofOf(bytes))
  if (!proofs.includes(proofOf(secrets.current.bytes)))
    refuse(
      'conflict',
      `There is another server secret in ${path}: no key would be recognised there. Move that file away, or name another folder.`,
    )
}

async function refuseOtherSchema(source: Store): Promise<void> {
  const { state, unknown } = await schemaState(source)
  if (state !== 'current' || unknown.length > 0)
    refuse('conflict', 'The database is of another version than this Marquee: bring both to the same one first.')
  await refuseLacking(source)
}

/** The triggers by which a source refuses writes are not made on the tables of a cluster. */
async function refuseCluster({ db, engine }: Store): Promise<void> {
  if (await engine.isDistributed(db)) refuse('conflict', 'This database is spread over a cluster, which cannot be moved.')
}

function refuseOtherPlace(source: Store, target: string, known: Moving | undefined): void {
  if (source.engine.place === target) refuse('conflict', `The database is in ${target} already.`)
  if (known !== undefined && known.place !== target)
    refuse('conflict', `The database is being moved to ${known.place}: go on with that, or run marquee move --abort first.`)
}

type Found = 'empty' | 'unfinished' | 'of another move' | 'done'

/** Called before anything is changed; refuses a target that has data of its own. */
async function examineTarget(source: Store, target: Store, known: Moving | undefined): Promise<Found> {
  await refuseOtherEncoding(target)
  if (!(await target.engine.tableNames(target.db)).includes('schema_migrations')) return 'empty'
  await refuseLacking(target)
  const there = await readMoving(target.db)
  if (there?.role === 'target') return there.id === known?.id ? 'unfinished' : 'of another move'
  const [here, installation] = [await readStoredValue(source.db, installationName), await readStoredValue(target.db, installationName)]
  if (known?.state === 'moved' && installation === here) return 'done'
  if (installation === undefined && (await secretRows(target.db)).length === 0) return 'empty'
  return refuse('conflict', `The database ${target.engine.place} holds data already: name an empty one.`)
}

/** From now on the source refuses writes. */
async function beginMove(caller: OperatorCaller, target: Store): Promise<Moving> {
  const { store, clock } = caller.app
  const moving: Moving = {
    id: randomUUID(),
    role: 'source',
    state: 'moving',
    place: target.engine.place,
    began_at: clock.now(),
    proven: {},
  }
  await store.write(async (tx) => {
    await audit(tx, caller, 'database.move', { id: null }, { after: { place: moving.place } })
    await setMoving(tx, moving)
    await store.engine.refuseWrites(tx)
  }, 'unlimited')
  return moving
}

async function fill(app: App, target: Store, moving: Moving, found: Found, show: ShowMove): Promise<void> {
  const there: Moving = { ...moving, role: 'target', state: 'moving', place: app.store.engine.place }
  await migrate(target, undefined, (tx) => setMoving(tx, there))
  const [from, to] = [app.store.engine.bulk(), target.engine.bulk()]
  try {
    if (found === 'of another move') await to.clear(await to.tables())
    if (found !== 'unfinished') await target.write((tx) => setMoving(tx, there))
    await copyAll(from, to, target, show)
    await copyIdCounters(from, to)
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}

async function copyAll(from: Bulk, to: Bulk, target: Store, show: ShowMove): Promise<void> {
  for (const table of await sharedTables(from, to)) {
    const there = (await readMoving(target.db)) as Moving
    if (table.name in there.proven) continue
    await copyTable(from, to, table, (rows) => show(table.name, 'copied', rows))
    await to.endMoment()
    const [here, arrived] = await Promise.all([proveTable(from, table), proveTable(to, table)])
    if (!isDeepStrictEqual(here, arrived)) refuseDifference(table.name, here, arrived)
    await target.write((tx) => setMoving(tx, { ...there, proven: { ...there.proven, [table.name]: here } }))
    show(table.name, 'compared', here.rows)
  }
}

/** Columns that somebody has added by other means than a migration stay behind. */
async function sharedTables(from: Bulk, to: Bulk): Promise<readonly BulkTable[]> {
  const columns = new Map((await to.tables()).map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]))
  return (await from.tables()).map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => columns.get(table.name)?.has(name)),
  }))
}

function refuseDifference(table: string, here: TableProof, there: TableProof): never {
  return refuse(
    'conflict',
    `The table ${table} differs: ${here.rows} rows with the hash ${here.sha256} here, ${there.rows} with ${there.sha256} there. Nothing was changed here; run marquee move --abort, then begin anew.`,
  )
}

/** Copies the id counters, so that an id is never assigned twice, even if its row is deleted. */
async function copyIdCounters(from: Bulk, to: Bulk): Promise<void> {
  const counters = await from.idCounters()
  await to.setIdCounters(counters)
  await to.endMoment()
  const arrived = await to.idCounters()
  const byName = (map: ReadonlyMap<string, number>) => [...map].toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (!isDeepStrictEqual(byName(counters), byName(arrived))) refuse('conflict', 'The counters of ids differ after they were copied.')
}

/** Marks the source as moved first and then allows the target to be served, so that both are never served at the same time. */
async function finishMove(source: Store, target: Store, moving: Moving): Promise<Moved['tables']> {
  const { proven } = (await readMoving(target.db)) as Moving
  await source.write((tx) => setMoving(tx, { ...moving, state: 'moved' }))
  await target.write(async (tx) => {
    await restSources(tx, restingReasons.moved)
    await forgetMoving(tx)
  })
  return Object.entries(proven).map(([table, proof]) => ({ table, ...proof }))
}
