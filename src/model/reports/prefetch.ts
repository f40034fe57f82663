/** Prefetch: reports read rows group by group in one snapshot, ahead of the writer, a bounded number at a time (docs/decisions/2026-11-16-report-reading.md). */

interface Groups<R> {
  /** How many groups are read in the first load; later loads adapt to the size of the groups. */
  readonly first: number
  /** Whether loads are requested before they are needed: the first at once, and each other when the one before it has arrived. */
  readonly early: boolean
  /** Reads rows of these groups, ordered by group id and then as printed, at most `limit`. */
  readonly read: (ids: readonly number[]) => Promise<R[]>
  /** Reads rows of one group after a given row, at most `limit`. */
  readonly readOn: (id: number, last: R) => Promise<R[]>
  readonly groupOf: (row: R) => number
  readonly limit: number
  /** The target size of a load in units of `weightOf`; by default `limit` rows. */
  readonly load?: number
  readonly weightOf?: (row: R) => number
  /** Called with rows as early as possible, in the order of printing, so that what belongs to them can be prefetched too. */
  readonly onRows?: (rows: readonly R[]) => void
}

interface Loaded<R> {
  readonly rows: R[]
  /** Whether the group has more rows after these. */
  isCut: boolean
  isTold: boolean
}

interface Load<R> {
  readonly ids: readonly number[]
  readonly rows: Promise<R[]>
  isTold: boolean
}

/** Reads groups of rows (the keywords of a subject, the months of a keyword); the smaller the groups, the more are read at a time. */
export class Prefetch<R> {
  readonly #groups: Groups<R>
  readonly #loaded = new Map<number, Loaded<R>>()
  #untold = 0
  #waiting: readonly number[] = []
  #coming: Load<R> | null = null
  #size: number

  constructor(groups: Groups<R>) {
    this.#groups = groups
    this.#size = groups.first
  }

  /** Announces groups that will be requested, in this order, after all that were announced before. */
  expect(ids: readonly number[]): void {
    this.#waiting = this.#waiting.concat(ids)
    this.#askEarly()
  }

  /** The rows of a group in pieces; each group can be read once. */
  async *of(id: number): AsyncGenerator<R[]> {
    while (!this.#loaded.has(id)) await this.#load()
    const { rows, isCut } = this.#take(id)
    if (rows.length > 0) yield rows
    if (isCut) yield* this.#behind(id, rows.at(-1) as R)
  }

  /** All rows of a group at once. */
  async all(id: number): Promise<R[]> {
    const pieces = await Array.fromAsync(this.of(id))
    return pieces.length === 1 ? (pieces[0] as R[]) : pieces.flat()
  }

  /** All rows of a group, or the pieces of a group that is too long for one load. */
  async allOrPieces(id: number): Promise<R[] | AsyncGenerator<R[]>> {
    while (!this.#loaded.has(id)) await this.#load()
    return this.allIfRead(id) ?? this.of(id)
  }

  /** All rows of a group if they are already loaded, which is much cheaper than waiting; undefined if they are not. */
  allIfRead(id: number): R[] | undefined {
    const group = this.#loaded.get(id)
    return group === undefined || group.isCut ? undefined : this.#take(id).rows
  }

  #take(id: number): Loaded<R> {
    const group = this.#loaded.get(id) as Loaded<R>
    this.#loaded.delete(id)
    this.#tell(group)
    return group
  }

  async *#behind(id: number, last: R): AsyncGenerator<R[]> {
    const { limit, readOn, onRows } = this.#groups
    for (let rows = [last]; ; ) {
      rows = await readOn(id, rows.at(-1) as R)
      onRows?.(rows)
      if (rows.length > 0) yield rows
      if (rows.length < limit) return
    }
  }

  async #load(): Promise<void> {
    const coming = this.#coming ?? this.#ask()
    const rows = await coming.rows
    this.#coming = null
    this.#add(coming, rows)
    this.#askEarly()
  }

  #askEarly(): void {
    if (this.#groups.early && this.#waiting.length > 0) this.#coming ??= this.#ask()
  }

  #ask(): Load<R> {
    if (this.#waiting.length === 0) throw new Error('A group was asked for twice, or was never expected.')
    const ids = this.#waiting.slice(0, this.#size)
    this.#waiting = this.#waiting.slice(ids.length)
    const load: Load<R> = { ids, rows: this.#groups.read(ids), isTold: false }
    load.rows.then(
      (rows) => this.#tellEarly(load, rows),
      () => {}, // Whoever requests the rows gets the error.
    )
    return load
  }

  /** Only when all rows that are printed earlier were passed on. */
  #tellEarly(load: Load<R>, rows: readonly R[]): void {
    if (this.#untold > 0 || rows.length === this.#groups.limit) return
    load.isTold = true
    this.#groups.onRows?.(inOrderOf(load.ids, rows, this.#groups.groupOf))
  }

  #tell(group: Loaded<R>): void {
    if (group.isTold) return
    this.#untold--
    this.#groups.onRows?.(group.rows)
  }

  /** Groups after the one that the limit cut off are read again later. */
  #add({ ids, isTold }: Load<R>, rows: readonly R[]): void {
    const { groupOf, limit } = this.#groups
    const cut = rows.length === limit ? groupOf(rows.at(-1) as R) : Number.POSITIVE_INFINITY
    const there = ids.filter((id) => id <= cut)
    for (const id of there) this.#loaded.set(id, { rows: [], isCut: id === cut, isTold })
    for (const row of rows) this.#loaded.get(groupOf(row))?.rows.push(row)
    if (!isTold) this.#untold += there.length
    this.#waiting = [...ids.filter((id) => id > cut), ...this.#waiting]
    this.#adapt(there.length, rows)
  }

  #adapt(groups: number, rows: readonly R[]): void {
    const { limit, load = limit, weightOf } = this.#groups
    const weight = weightOf === undefined ? rows.length : rows.reduce((sum, row) => sum + weightOf(row), 0)
    const fitting = Math.floor((groups * load) / Math.max(weight, 1))
    this.#size = Math.max(1, Math.min(fitting, groups * 8, 1_000))
  }
}

function inOrderOf<R>(ids: readonly number[], rows: readonly R[], groupOf: (row: R) => number): R[] {
  if (ids.length === 1) return [...rows]
  const groups = Map.groupBy(rows, groupOf)
  return ids.flatMap((id) => groups.get(id) ?? [])
}
