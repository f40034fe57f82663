/** The version of a report's data, and its ETag, which depends on the partner, the request, the coding and the data. */

import type { Kysely } from 'kysely'
import { memo } from '../../lib/memo.ts'
import type { Coding } from '../../lib/streams/content-coding.ts'
import type { ManyIds } from '../../store/engine.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { perApp, perSecret } from '../core/app.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { accountsOf } from '../core/tenancy.ts'
import { named, type ReportQuestion, scopeOf, versionOf, withMeasured } from './question.ts'
import { snapshotReader } from './snapshot-reader.ts'

/** Must be raised whenever the bytes of a report change although its data does not, so that cached answers of clients become stale. */
const writersVersion = 5

/** The partner is part of the tag, so that no two partners ever share one. */
export function etagOf({ app, partnerId }: PartnerCaller, question: ReportQuestion, coding: Coding, version: string): string {
  return tagOf(app)(taggedText(partnerId, question, coding, version))
}

/** Cached, because the keyed hash costs more than everything else in answering an unchanged report. */
const tagOf = perSecret(({ secrets }) => memo({ most: 1_000, longest: 10_000 }, (asked) => `"${secrets.hmac('etag', asked)}"`))

/** The tags of the same answer under other server secrets in use, which clients may still hold. */
export function otherEtagsOf(
  { app, partnerId }: PartnerCaller,
  question: ReportQuestion,
  coding: Coding,
  version: string,
): readonly string[] {
  const [, ...others] = app.secrets.hmacsInUse('etag', taggedText(partnerId, question, coding, version))
  return others.map((value) => `"${value}"`)
}

function taggedText(partnerId: number, question: ReportQuestion, coding: Coding, version: string): string {
  return JSON.stringify([writersVersion, partnerId, coding, version, question])
}

/** The current version of the data: a cheap query that is enough to answer 304. */
export async function reportVersion(
  { app, partnerId }: Pick<PartnerCaller, 'app' | 'partnerId'>,
  question: ReportQuestion,
): Promise<string> {
  const { store } = app
  if (question.siteIds !== null || question.reach !== null)
    return versionOf((await scopeOf(snapshotReader(store.db, store.engine), partnerId, question)).accounts)
  const { report, accountIds } = question
  return versionOf(await accountsInScope(app)({ report, partnerId, accountIds }))
}

type Asked = Pick<ReportQuestion, 'report' | 'accountIds'> & { readonly partnerId: number }

/** Prepared once and cached until the next commit, because it runs even if nothing is sent. */
const accountsInScope = perApp(({ store }) => {
  const { engine } = store
  const managed = (db: Kysely<Tables>, partnerId: number) => accountsOf(partnerId, db).select(['id', 'report_version']).orderBy('id')
  const all = store.prepare((db, param: Param<{ partnerId: number }>) => managed(db, param('partnerId')))
  const some = store.prepare((db, param: Param<{ partnerId: number; ids: ManyIds }>) =>
    managed(db, param('partnerId')).where(engine.isOneOf('id', param('ids'))),
  )
  const measured = store.prepare((db, param: Param<{ ids: ManyIds }>) =>
    db
      .selectFrom('measured_versions')
      .selectAll()
      .where(engine.isOneOf('account_id', param('ids'))),
  )
  return store.cacheReadUntilCommit(async ({ partnerId, ...asked }: Asked) => {
    const { accountIds } = asked
    const accounts = accountIds === null ? all({ partnerId }) : some({ partnerId, ids: engine.idList(accountIds) })
    const ids = accountIds ?? (await accounts).map(({ id }) => id)
    const found = await Promise.all([accounts, measured({ ids: engine.idList(ids) })])
    return withMeasured(named(found[0], asked), found[1])
  })
})
