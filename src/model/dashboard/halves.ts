/** Which of a site's two pages have something to show, in any period: a site may be measured by its reviews alone. */

import type { ReaderCaller } from '../core/caller.ts'
import type { ShownSite } from '../people/visible-sites.ts'
import { readRankedSubjects } from './search.ts'

export interface Halves {
  readonly search: boolean
  readonly reputation: boolean
}

export type Half = keyof Halves

/** Where somebody who asks for the site is led: to its search page, unless only the other one holds anything. */
export async function halfWithData(reader: ReaderCaller, site: ShownSite): Promise<Half> {
  const { search, reputation } = await halvesOf(reader, site)
  return reputation && !search ? 'reputation' : 'search'
}

export async function halvesOf({ app }: ReaderCaller, site: ShownSite): Promise<Halves> {
  const { db } = app.store
  const { own, rivals } = await readRankedSubjects(db, site)
  const ids = [own ?? -1, ...rivals.map(({ id }) => id)]
  const isThere = async (table: 'keywords' | 'snapshots' | 'backlinks' | 'pages', subjects: readonly number[]) => {
    const rows = db.selectFrom(table).select('subject_id').where('account_id', '=', site.account_id).where('subject_id', 'in', subjects)
    return (await rows.limit(1).executeTakeFirst()) !== undefined
  }
  return {
    search: (await isThere('keywords', ids)) || (await isThere('snapshots', ids)) || (await isThere('backlinks', ids)),
    reputation: await isThere('pages', ids),
  }
}
