/** Writes a list as a table in a reader thread, all of it from one snapshot. */

import { compileCsv, csvHeader, csvMark } from '../../fields/to-csv.ts'
import { readingApp } from '../../readers/reading-app.ts'
import type { Maker } from '../../readers/serve.ts'
import { account } from '../../resources/account.ts'
import { business } from '../../resources/business.ts'
import { site } from '../../resources/site.ts'
import { briefUser } from '../../resources/user.ts'
import { type ExternalKind, recordNarrowed } from '../core/external-ids.ts'
import type { Managing } from '../core/tenancy.ts'
import { accountRows } from '../partners/accounts.ts'
import { businessRows } from '../partners/businesses.ts'
import { siteRows } from '../partners/sites.ts'
import { bears, userRows } from '../people/users.ts'
import type { AskedList, ListName } from './list-work.ts'

const { deleted_at: _deleted, current_site_id: _site, ...person } = briefUser

interface List {
  readonly kind: ExternalKind
  readonly header: string
  readonly line: (row: never) => string
  readonly rowsOf: (caller: Managing, narrow: object, called?: number) => unknown
  readonly isMeant?: (row: never, narrow: object) => boolean
}

// biome-ignore format: a table reads by its columns
const lists: Readonly<Record<ListName, List>> = {
  accounts:   { kind: 'account',  header: csvHeader(account),  line: compileCsv(account),  rowsOf: accountRows },
  businesses: { kind: 'business', header: csvHeader(business), line: compileCsv(business), rowsOf: businessRows },
  sites:      { kind: 'site',     header: csvHeader(site),     line: compileCsv(site),     rowsOf: siteRows },
  users:      { kind: 'user',     header: csvHeader(person),   line: compileCsv(person),   rowsOf: userRows, isMeant: bears },
}

interface ById {
  where(column: 'id', operator: '>', value: number): ById
  orderBy(column: 'id'): ById
  limit(count: number): ById
  execute(): Promise<{ id: number }[]>
}

const rowsPerSlice = 500

export const makeList: Maker<AskedList, null> = async ({ list, caller, narrow, after, now, coding }, making) => {
  const { kind, header, line, rowsOf, isMeant = () => true } = lists[list]
  const output = making.write(coding)
  output.chunks.addText(csvMark + header)
  await making.database.snapshot(async (db) => {
    const asking: Managing = { ...caller, app: readingApp(db, making.settings, now) }
    const { external_id } = narrow as { external_id?: string }
    const all = rowsOf(asking, narrow, await recordNarrowed(asking, kind, external_id)) as ById
    for (let last = after; ; ) {
      const rows = await all.where('id', '>', last).orderBy('id').limit(rowsPerSlice).execute()
      for (const row of rows) if (isMeant(row as never, narrow)) output.chunks.addText(`${line(row as never)}\r\n`)
      await output.pause()
      if (rows.length < rowsPerSlice) return
      last = rows.at(-1)?.id ?? last
    }
  })
}
