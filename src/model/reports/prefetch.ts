/** How reports read: set by set in one moment, a bounded number of rows at a time, in the order in which they are printed. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Snapshots } from '../../store/engine.ts'
import type { Tables } from '../../store/rows/tables.ts'

/** One moment of the store. */
export interface SnapshotReader extends Pick<Snapshots, 'isRemote' | 'jsonArray' | 'concatBytes'> {
  readonly db: Kysely<Tables>
  /** Whether a column holds one of the ids. */
  isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool>
}

export function snapshotReader(db: Kysely<Tables>, { idList, isOneOf, ...others }: Omit<Snapshots, 'snapshot' | 'close'>): SnapshotReader {
  const { isRemote, jsonArray, concatBytes } = others
  return { db, isRemote, jsonArray, concatBytes, isOneOf: (column, ids) => isOneOf(column, idList(ids)) }
}

/** Plain equality where there is one: then the database need not sort. */
export function isOneOrMore({ isOneOf }: SnapshotReader, column: string, ids: ReadonlySet<number>): RawBuilder<SqlBool> {
  const [one, second] = ids
  return one !== undefined && second === undefined ? sql<SqlBool>`${sql.ref(column)} = ${one}` : isOneOf(column, [...ids])
}

interface Groups<R> {
  /** In the order in which they will be asked for. */
  readonly ids: readonly number[]
  /** How many are read at first; later as many as proved to make a full load. */
  readonly first: number
  /** Whether a load is asked for before it is needed, the first at once and each other when the one before it is there. */
  readonly early: boolean
  /** Rows of these groups; where `limit` is given, by group and then in the order of printing, no more than that. */
  readonly read: (ids: readonly number[]) => Promise<R[]>
  readonly groupOf: (row: R) => number
  readonly limit?: number
  /** What a load weighs, in whatever `weightOf` counts: rows unless told. */
  readonly load: number
  readonly weightOf?: (row: R) => number
}

interface Coming<R> {
  readonly ids: readonly number[]
  readonly rows: Promise<R[]>
}

/** Groups of rows (the keywords of a subject, the months of a keyword) read ahead, more at a time the lighter they prove to be. */
export class Prefetch<R> {
  readonly #groups: Groups<R>
  readonly #loaded = new Map<number, R[] | null>()
  #waiting: readonly number[] = []
  #coming: Coming<R> | null = null
  #size: number

  constructor(groups: Groups<R>) {
    this.#groups = groups
    this.#size = groups.first
    this.expect(groups.ids)
  }

  /** More groups, to be asked for after all that are known. */
  expect(ids: readonly number[]): void {
    this.#waiting = this.#waiting.concat(ids)
    this.#askEarly()
  }

  /** The group's rows, each group once; null when the group alone is more than the limit. */
  async of(id: number): Promise<R[] | null> {
    while (!this.#loaded.has(id)) await this.#load()
    const rows = this.#loaded.get(id) ?? null
    this.#loaded.delete(id)
    return rows
  }

  async #load(): Promise<void> {
    const coming = this.#coming ?? this.#ask()
    this.#coming = null
    this.#add(coming.ids, await coming.rows)
    this.#askEarly()
  }

  #askEarly(): void {
    if (this.#groups.early && this.#waiting.length > 0) this.#coming ??= this.#ask()
  }

  #ask(): Coming<R> {
    if (this.#waiting.length === 0) throw new Error('A group was asked for twice, or was never expected.')
    const ids = this.#waiting.slice(0, this.#size)
    this.#waiting = this.#waiting.slice(ids.length)
    const rows = this.#groups.read(ids)
    // Told to whoever comes for the rows, if anyone still does.
    rows.catch(() => {})
    return { ids, rows }
  }

  /** Groups of which the limit left nothing or a part wait again, but for the first: asked for once more it would be no shorter. */
  #add(ids: readonly number[], rows: readonly R[]): void {
    const { groupOf, limit, weightOf } = this.#groups
    const cut = rows.length === limit ? groupOf(rows.at(-1) as R) : Number.POSITIVE_INFINITY
    const [first, ...others] = ids
    for (const id of ids) if (id < cut) this.#loaded.set(id, [])
    for (const row of rows) this.#loaded.get(groupOf(row))?.push(row)
    if (first !== undefined && first >= cut) this.#loaded.set(first, null)
    this.#waiting = [...others.filter((id) => id >= cut), ...this.#waiting]
    this.#adapt(ids.length, weightOf === undefined ? rows.length : rows.reduce((sum, row) => sum + weightOf(row), 0))
  }

  #adapt(groups: number, weight: number): void {
    const fitting = Math.floor((groups * this.#groups.load) / Math.max(weight, 1))
    this.#size = Math.max(1, Math.min(fitting, groups * 8, 1_000))
  }
}

/** A group's rows as they were read ahead; one that is more than the limit alone, piece by piece. */
export async function* inPieces<R>(ahead: Prefetch<R>, id: number, readAfter: (last: R | null) => Promise<R[]>): AsyncGenerator<R[]> {
  const whole = await ahead.of(id)
  for (let rows = whole ?? (await readAfter(null)); rows.length > 0; ) {
    yield rows
    rows = whole === null ? await readAfter(rows.at(-1) as R) : []
  }
}
