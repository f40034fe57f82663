/** Finds the reviews of a report that are here already under other ids: reports have no own ids, so they would come twice. */

import type { Values } from '../../../fields/read-incoming.ts'
import type { References } from '../references.ts'
import type { PageRef } from '../refs.ts'
import { rowKinds } from '../row-kinds.ts'

export interface ReviewOnPage {
  readonly page: PageRef
  readonly values: Values
}

/** As much of a text tells two reviews apart. */
const tellingCharacters = 500

export class KnownReviews {
  readonly #reach: References
  /** The keys of stored reviews by what they say. */
  #stored = new Map<string, Set<string>>()

  constructor(reach: References) {
    this.#reach = reach
  }

  /** Replaces what was loaded for the lines before. */
  async load(reviews: readonly ReviewOnPage[]): Promise<void> {
    this.#stored = new Map()
    const asked = reviews.filter(({ page, values }) => page.id > 0 && isTelling(values))
    for (const [accountId, some] of Map.groupBy(asked, ({ page }) => page.subject.site.account_id)) {
      const pages = [...new Set(some.map(({ page }) => page.id))]
      const days = [...new Set(some.map(({ values }) => values['date'] as string))]
      for (const { page_id, key_hash, ...said } of await this.#reach.reviewsOf(accountId, pages, days)) {
        const name = nameOf(page_id, said)
        this.#stored.set(name, (this.#stored.get(name) ?? new Set()).add(key_hash))
      }
    }
  }

  /** Whether it is stored with another key and not with its own. */
  isUnderOtherId({ page, values }: ReviewOnPage): boolean {
    const keys = isTelling(values) ? this.#stored.get(nameOf(page.id, values)) : undefined
    return keys !== undefined && !keys.has(rowKinds.review.key(values))
  }
}

/** Many people give stars on one day and say nothing. */
function isTelling({ user, detail }: Values): boolean {
  return Boolean(user) || Boolean(detail)
}

function nameOf(page: number, { date, user, detail }: Values): string {
  const text = [...String(detail ?? '')].slice(0, tellingCharacters).join('')
  return JSON.stringify([page, date, user ?? '', text])
}
