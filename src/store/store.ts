/** The store: reads, durable writes and snapshots, with the same interface for both databases. */

import { join } from 'node:path'
import type { Compilable, Kysely } from 'kysely'
import type { Settings } from '../config.ts'
import { Failure } from '../lib/failures.ts'
import type { Engine, Snapshots, UniqueViolation, WriteTime } from './engine.ts'
import { openPostgres, openPostgresSnapshots, serverPlace } from './postgres/engine.ts'
import { connectionReason } from './postgres/outages.ts'
import type { Tables } from './rows/tables.ts'
import { fileReason } from './sqlite/connection.ts'
import { openSqlite, openSqliteSnapshots } from './sqlite/engine.ts'
import { writing } from './statements.ts'

/** A placeholder for a value that is given when the statement runs: `where('id', '=', param('id'))`. */
export type Param<P> = <K extends keyof P & string>(name: K) => P[K]

export interface Store {
  /** For reads, which never wait for a writer. Inside `write` or `snapshot`, use the database that those pass to the callback. */
  readonly db: Kysely<Tables>
  /** Runs one durable transaction, committed before this resolves. The work may run again after a deadlock, so it must have no effect except on `tx`. */
  write<T>(work: (tx: Kysely<Tables>) => Promise<T>, time?: WriteTime): Promise<T>
  /** Runs reads that all see the same snapshot. */
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Builds a prepared read: `prepare((db, param: Param<{ id: number }>) => db.selectFrom(...))`. Equal reads may share their rows, so callers must not change them. */
  prepare<P, R>(build: (db: Kysely<Tables>, param: Param<P>) => Compilable<R>): (params: P) => Promise<readonly R[]>
  /** Like `prepare`, and caches the rows until the next commit where the engine has a data version. */
  cacheUntilCommit<P extends object, R>(build: (db: Kysely<Tables>, param: Param<P>) => Compilable<R>): (params: P) => Promise<readonly R[]>
  /** Like `cacheUntilCommit`, for a function that does several reads. */
  cacheReadUntilCommit<P extends object, R>(read: (params: P) => Promise<R[]>): (params: P) => Promise<readonly R[]>
  /** Locks a row until the write ends, so that what is read after this is still true when it is written. */
  lock(tx: Kysely<Tables>, table: keyof Tables, id: number | string, column?: string): Promise<void>
  /** Locks several rows, in the order of their ids, so that no deadlock arises. */
  lockAll(tx: Kysely<Tables>, table: keyof Tables, ids: readonly number[]): Promise<void>
  /** The columns of a violated unique constraint; undefined for any other error. */
  uniqueViolation(error: unknown): UniqueViolation | undefined
  /** Rejects when the store cannot be written. */
  readyProbe(): Promise<void>
  readonly engine: Engine
  close(): Promise<void>
}

/** The file that holds the whole database; null with a database server. */
export function databaseFile({ databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>): string | null {
  return databaseUrl === undefined ? join(dataDir, 'marquee.db') : null
}

/** How a database is named in messages, without opening it: opening one in a folder makes its file. */
export function databasePlace(settings: Pick<Settings, 'databaseUrl' | 'dataDir'>): string {
  return databaseFile(settings) ?? serverPlace(settings.databaseUrl ?? '')
}

export function openStore(
  { databaseUrl, dataDir, databasePool }: Pick<Settings, 'databaseUrl' | 'dataDir' | 'databasePool'>,
  memory: 'usual' | 'little' = 'usual',
): Store {
  const engine = databaseUrl === undefined ? openSqlite(dataDir, memory) : openPostgres(databaseUrl, databasePool)
  return {
    db: engine.db,
    write: (work, time) => alone(() => engine.write(work, time)),
    snapshot: engine.snapshot,
    prepare: (build) => prepare(engine, build),
    cacheUntilCommit: (build) => cacheUntilCommit(engine, prepare(engine, build)),
    cacheReadUntilCommit: (read) => cacheUntilCommit(engine, read),
    lock: engine.lockRow,
    lockAll: engine.lockRows,
    uniqueViolation: engine.uniqueViolation,
    readyProbe: () => engine.write(writeProbe),
    engine,
    close: engine.close,
  }
}

/** The underlying reason for an unavailable store, for the operator; undefined if nothing more is known. */
export function outageReason(error: unknown): string | undefined {
  const cause = error instanceof Failure ? error.cause : error
  return fileReason(cause) ?? connectionReason(cause)
}

/** Opens up to `most` concurrent snapshots for a thread that only reads. */
export function openSnapshots({ databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>, most: number): Snapshots {
  return databaseUrl === undefined ? openSqliteSnapshots(dataDir, most) : openPostgresSnapshots(databaseUrl, most)
}

/** With a single writer, a write inside a write would wait for itself forever, so it fails at once on both engines. */
async function alone<T>(write: () => Promise<T>): Promise<T> {
  if (writing.getStore()?.isOpen) throw new Error('A write was begun inside another: use the transaction that is open.')
  const current = { isOpen: true }
  try {
    return await writing.run(current, write)
  } finally {
    current.isOpen = false
  }
}

const mostReadsKept = 1_000
const mostRowsKept = 100

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function prepare<P, R>(
  engine: Engine,
  build: (db: Kysely<Tables>, param: Param<P>) => Compilable<R>,
): (params: P) => Promise<readonly R[]> {
  const { sql, valuesOf } = compileOnce((param: Param<P>) => build(engine.db, param))
  const run = engine.prepared(sql)
  return (params) => run(valuesOf(params)) as Promise<readonly R[]>
}

/** The text of a statement, and its values once the parameters are known. */
export interface Compiled<P> {
  readonly sql: string
  valuesOf(params: P): readonly unknown[]
}

export function compileOnce<P>(build: (param: Param<P>) => Compilable): Compiled<P> {
  const { sql, parameters } = build((name) => new Placeholder(name) as never).compile()
  return { sql, valuesOf: (params) => parameters.map((value) => (value instanceof Placeholder ? params[value.name as keyof P] : value)) }
}

function cacheUntilCommit<P extends object, R>(
  { dataVersion }: Engine,
  read: (params: P) => Promise<readonly R[]>,
): (params: P) => Promise<readonly R[]> {
  if (dataVersion === null) return read
  const kept = new Map<string, Promise<readonly R[]>>()
  let keptAt: number | null = null
  const keep = (name: string, rows: Promise<readonly R[]>) => {
    const drop = () => kept.delete(name)
    kept.set(name, rows)
    rows.then((some) => some.length > mostRowsKept && drop(), drop)
    return rows
  }
  return (params) => {
    const now = dataVersion()
    if (now !== keptAt || kept.size >= mostReadsKept) kept.clear()
    keptAt = now
    const name = nameOf(params)
    return kept.get(name) ?? keep(name, read(params))
  }
}

/** JSON, so that null, the empty text and a list of one are different keys. A single text is its own key, after an `=`, with which no JSON begins. */
function nameOf(params: object): string {
  const values = Object.values(params)
  return values.length === 1 && typeof values[0] === 'string' ? `=${values[0]}` : JSON.stringify(params)
}

async function writeProbe(tx: Kysely<Tables>): Promise<void> {
  const probe = { name: 'ready_probe', value: String(Date.now()) }
  await tx
    .insertInto('facts')
    .values(probe)
    .onConflict((taken) => taken.column('name').doUpdateSet({ value: probe.value }))
    .execute()
}
