/** Ranked pages: each address of a subject is stored once and has a code in packed months. */

import { hashOf } from '../../core/place-rows.ts'
import type { ImportSpools } from '../spools.ts'

/** More than the pages of one site or competitor that ever rank. */
export const maxRankedUrls = 1_000_000

/** The addresses in an import, each with an index counted from 1. */
export class RankedUrls {
  #count = 0
  readonly #bySubject = new Map<number, Map<string, number>>()

  /** Returns the index of the address; undefined if the subject has too many. */
  place(spools: ImportSpools, subject: number, url: string): number | undefined {
    const key_hash = hashOf([url])
    const places = this.#bySubject.get(subject) ?? new Map<string, number>()
    this.#bySubject.set(subject, places)
    const known = places.get(key_hash)
    if (known !== undefined || places.size >= maxRankedUrls) return known
    spools.rankedUrls.add({ subject, url, key_hash })
    places.set(key_hash, ++this.#count)
    return this.#count
  }

  get count(): number {
    return this.#count
  }
}
