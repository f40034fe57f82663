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

  /** A source whose engine is settled later. */
  reserve(account_id: number, locale: string): number | undefined {
    return this.#isFull(account_id) ? undefined : this.#push({ account_id, engine: '', locale })
  }

  settle(index: number, engine: string): void {
    this.all[index] = { ...(this.all[index] as SourceRef), engine }
  }

  #isFull(account_id: number): boolean {
    return (this.#counts.get(account_id) ?? 0) >= maxSources
  }

  #push(source: SourceRef): number {
    this.#counts.set(source.account_id, (this.#counts.get(source.account_id) ?? 0) + 1)
    return this.all.push(source) - 1
  }

  #add(account_id: number, engine: string, locale: string): number | undefined {
    if (this.#isFull(account_id)) return undefined
    const ofAccount = this.#places.get(account_id) ?? new Map<string, Map<string, number>>()
    const ofEngine = ofAccount.get(engine) ?? new Map<string, number>()
    this.#places.set(account_id, ofAccount.set(engine, ofEngine.set(locale, this.all.length)))
    return this.#push({ account_id, engine, locale })
  }
}
