/** A paginated list that is read as if it were one: `for await (const user of marquee.listUsers())`. */

export interface RecordPage<T> {
  readonly records: readonly T[]
  /** The cursor of the next page; null on the last one. */
  readonly after: string | null
}

export class RecordList<T> implements AsyncIterable<T> {
  readonly #fetchPage: (after: string | null) => Promise<RecordPage<T>>

  constructor(fetchPage: (after: string | null) => Promise<RecordPage<T>>) {
    this.#fetchPage = fetchPage
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { records } of this.pages()) yield* records
  }

  /** A page is requested when the one before has been read. */
  async *pages(): AsyncGenerator<RecordPage<T>, void, undefined> {
    let after: string | null = null
    do {
      const page: RecordPage<T> = await this.#fetchPage(after)
      yield page
      after = page.after
    } while (after !== null)
  }

  async toArray(): Promise<T[]> {
    const all: T[] = []
    for await (const record of this) all.push(record)
    return all
  }

  /** The first record, or undefined if there is none: `listUsers({ login }).first()`. */
  async first(): Promise<T | undefined> {
    for await (const record of this) return record
    return undefined
  }
}
