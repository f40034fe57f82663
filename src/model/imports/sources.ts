/** The engines and locales in an import, for which an account has codes. */

export interface SourceRef {
  readonly account_id: number
  readonly engine: string
  readonly locale: string
}

/** Codes have 16 bits in packed months. */
export const maxSources = 65_535

/** The sources in an import, each with an index. */
export class Sources {
  readonly all: SourceRef[] = []
  readonly #places = new Map<number, Map<string, Map<string, number>>>()
  readonly #counts = new Map<number, number>()

  /** Returns the index; undefined if the account has no code left. */
  place(account_id: number, engine: string, locale: string): number | undefined {
    return this.#places.get(account_id)?.get(engine)?.get(locale) ?? this.#add(account_id, engine, locale)
  }

  #add(account_id: number, engine: string, locale: string): number | undefined {
    const count = this.#counts.get(account_id) ?? 0
    if (count >= maxSources) return undefined
    const ofAccount = this.#places.get(account_id) ?? new Map<string, Map<string, number>>()
    const ofEngine = ofAccount.get(engine) ?? new Map<string, number>()
    this.#places.set(account_id, ofAccount.set(engine, ofEngine.set(locale, this.all.length)))
    this.#counts.set(account_id, count + 1)
    return this.all.push({ account_id, engine, locale }) - 1
  }
}
