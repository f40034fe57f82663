/** How reports read: set by set in one moment, a bounded number of rows at a time, in the order in which they are printed. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Snapshots } from '../store/engine.ts'
import type { Tables } from '../store/rows.ts'

/** One moment of the store. */
export interface Reading {
  readonly db: Kysely<Tables>
  /** Whether a column holds one of the ids. */
  among(column: string, ids: readonly number[]): RawBuilder<SqlBool>
}

export function readingOf(db: Kysely<Tables>, { many, among }: Pick<Snapshots, 'many' | 'among'>): Reading {
  return { db, among: (column, ids) => among(column, many(ids)) }
}

/** Plain equality where there is one: then the database need not sort. */
export function oneOrAmong({ among }: Reading, column: string, ids: ReadonlySet<number>): RawBuilder<SqlBool> {
  const [one, second] = ids
  return one !== undefined && second === undefined ? sql<SqlBool>`${sql.ref(column)} = ${one}` : among(column, [...ids])
}

interface Groups<R> {
  /** In the order in which they will be asked for. */
  readonly ids: readonly number[]
  /** How many are read at first; later as many as proved to make a full load. */
  readonly first: number
  /** Rows of these groups; where `limit` is given, by group and then in the order of printing, no more than that. */
  readonly read: (ids: readonly number[]) => Promise<R[]>
  readonly groupOf: (row: R) => number
  readonly limit?: number
  /** What a load weighs, in whatever `weightOf` counts: rows unless told. */
  readonly load: number
  readonly weightOf?: (row: R) => number
}

/** Groups of rows (the keywords of a subject, the months of a keyword) read ahead, more at a time the lighter they prove to be. */
export class Ahead<R> {
  readonly #groups: Groups<R>
  readonly #places: Map<number, number>
  readonly #loaded = new Map<number, R[]>()
  #size: number

  constructor(groups: Groups<R>) {
    this.#groups = groups
    this.#size = groups.first
    this.#places = new Map(groups.ids.map((id, place) => [id, place]))
  }

  /** The group's rows, each group once; null when the group alone is more than the limit. */
  async of(id: number): Promise<R[] | null> {
    if (!this.#loaded.has(id)) await this.#load(this.#places.get(id) as number)
    const rows = this.#loaded.get(id) ?? null
    this.#loaded.delete(id)
    return rows
  }

  async #load(place: number): Promise<void> {
    const { ids, read, groupOf, limit, weightOf } = this.#groups
    const wanted = ids.slice(place, place + this.#size).filter((id) => !this.#loaded.has(id))
    const rows = await read(wanted)
    const cut = rows.length === limit ? groupOf(rows.at(-1) as R) : Number.POSITIVE_INFINITY
    for (const id of wanted) if (id < cut) this.#loaded.set(id, [])
    for (const row of rows) this.#loaded.get(groupOf(row))?.push(row)
    this.#adapt(wanted.length, weightOf === undefined ? rows.length : rows.reduce((sum, row) => sum + weightOf(row), 0))
  }

  #adapt(groups: number, weight: number): void {
    const fitting = Math.floor((groups * this.#groups.load) / Math.max(weight, 1))
    this.#size = Math.max(1, Math.min(fitting, groups * 8, 1_000))
  }
}

/** A group's rows as they were read ahead; one that is more than the limit alone, piece by piece. */
export async function* inPieces<R>(ahead: Ahead<R>, id: number, readAfter: (last: R | null) => Promise<R[]>): AsyncGenerator<R[]> {
  const whole = await ahead.of(id)
  for (let rows = whole ?? (await readAfter(null)); rows.length > 0; ) {
    yield rows
    rows = whole === null ? await readAfter(rows.at(-1) as R) : []
  }
}
