/** One snapshot of the store, and the prepared statements with which reports read it; building a statement costs more than many reads. */

import { type AliasedExpression, type Compilable, CompiledQuery, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ManyIds, Snapshots } from '../../store/engine.ts'
import { type AnySelect, ascending, firstInOrder, type GroupedRows, rowsOfEach } from '../../store/grouped-rows.ts'
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

export function snapshotReader(db: Kysely<Tables>, words: Words): SnapshotReader {
  return {
    db,
    isRemote: words.isRemote,
    words,
    isOneOf: (column, ids) => (ids.length === 1 ? isEqual(column, ids[0] as number) : words.isOneOf(column, words.idList(ids))),
  }
}

/** The tools with which a statement is built. */
export interface Building<P> extends Pick<Words, 'jsonArray' | 'concatBytes'> {
  readonly db: Kysely<Tables>
  readonly param: Param<P>
}

interface Grouped<P> extends Omit<GroupedRows, 'select'> {
  /** Selects the rows of all groups, in any order. */
  readonly select: (building: Building<P>) => Compilable
  /** Makes something else of the rows, which are then a table named `found`. */
  readonly sum?: (building: Building<P>, found: AliasedExpression<never, 'found'>) => Compilable
}

/** A statement about the rows of some groups; built once per database for one group and once for several. */
export function statement<P extends object, R>(
  rows: Grouped<P>,
): (reading: SnapshotReader, ids: readonly number[], params: P) => Promise<R[]> {
  const [forOne, forSeveral] = [new WeakMap<Words, Built<P>>(), new WeakMap<Words, Built<P>>()]
  return async (reading, ids, params) => {
    const { db, words } = reading
    const isOne = ids.length === 1
    const kept = isOne ? forOne : forSeveral
    const built = kept.get(words) ?? compile(reading, rows, isOne)
    kept.set(words, built)
    const values = built.valuesOf({ ...params, asked: isOne ? (ids[0] as number) : words.idList(ascending(ids)) })
    return (await db.executeQuery<R>(CompiledQuery.raw(built.sql, [...values]))).rows
  }
}

type Asked = { readonly asked: ManyIds & number }
type Built<P> = Compiled<P & { asked: ManyIds | number }>

function compile<P extends object>({ db, words }: SnapshotReader, { select, sum, ...rows }: Grouped<P>, isOne: boolean): Built<P> {
  const { jsonArray, concatBytes } = words
  return compileOnce((param) => {
    const asked = (param as Param<Asked>)('asked')
    const building = { db, param: param as Param<P>, jsonArray, concatBytes }
    const all = select(building) as AnySelect
    const found = isOne
      ? firstInOrder(all.where(isEqual(rows.group, asked)), rows.order, rows.limit)
      : rowsOfEach(db, asked, { ...rows, select: all })
    return sum === undefined ? found : sum(building, found.as('found') as never)
  })
}

function isEqual(column: string, id: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = ${id}`
}
