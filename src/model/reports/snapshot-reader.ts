/** One snapshot of the store, and the prepared statements with which reports read it; building a statement costs more than many reads. */

import { type Compilable, CompiledQuery, type Kysely, type KyselyPlugin, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Pause } from '../../fields/code-builder.ts'
import type { ManyIds, Snapshots } from '../../store/engine.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { type Compiled, compileOnce, type Param } from '../../store/store.ts'

type Words = Omit<Snapshots, 'snapshot' | 'close'>

export interface SnapshotReader {
  readonly db: Kysely<Tables>
  readonly isRemote: boolean
  /** The SQL that differs between databases. */
  readonly words: Words
  /** Whether a column holds one of the ids; uses plain equality for a single id, so that every database uses the index. */
  isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool>
}

/** Calls `pause` after each statement, if given. */
export function snapshotReader(db: Kysely<Tables>, words: Words, pause?: Pause): SnapshotReader {
  return {
    db: pause === undefined ? db : db.withPlugin(pausing(pause)),
    isRemote: words.isRemote,
    words,
    isOneOf: (column, ids) => (ids.length === 1 ? isEqual(column, ids[0] as number) : words.isOneOf(column, words.idList(ids))),
  }
}

/** The tools with which a statement about several groups is built. */
export interface Building<P> extends Pick<Words, 'jsonArray' | 'concatBytes'> {
  readonly db: Kysely<Tables>
  readonly param: Param<P>
  /** Whether the column holds one of the requested ids. */
  isAsked(column: string): RawBuilder<SqlBool>
}

/** A statement about the rows of some ids; built once per database for one id and once for several. */
export function statement<P extends object, R>(
  build: (building: Building<P>) => Compilable<R>,
): (reading: SnapshotReader, ids: readonly number[], params: P) => Promise<R[]> {
  const [forOne, forSeveral] = [new WeakMap<Words, Built<P>>(), new WeakMap<Words, Built<P>>()]
  return async (reading, ids, params) => {
    const { db, words } = reading
    const kept = ids.length === 1 ? forOne : forSeveral
    const built = kept.get(words) ?? compile(reading, build, ids.length === 1 ? isEqual : words.isOneOf)
    kept.set(words, built)
    const values = built.valuesOf({ ...params, asked: ids.length === 1 ? (ids[0] as number) : words.idList(ids) })
    return (await db.executeQuery<R>(CompiledQuery.raw(built.sql, [...values]))).rows
  }
}

type Asked = { readonly asked: ManyIds & number }
type Built<P> = Compiled<P & { asked: ManyIds | number }>

function compile<P extends object>(
  { db, words }: SnapshotReader,
  build: (building: Building<P>) => Compilable,
  isOneOf: (column: string, asked: ManyIds & number) => RawBuilder<SqlBool>,
): Built<P> {
  const { jsonArray, concatBytes } = words
  return compileOnce((param) => {
    const asked = (param as Param<Asked>)('asked')
    return build({ db, param: param as Param<P>, jsonArray, concatBytes, isAsked: (column) => isOneOf(column, asked) })
  })
}

function isEqual(column: string, id: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = ${id}`
}

function pausing(pause: Pause): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const waiting = pause()
      if (waiting !== undefined) await waiting
      return result
    },
  }
}
