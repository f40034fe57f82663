/** The version of a report's data, and the entity tag by which one answer is told from every other: who asked, what for, how it is coded, and of which data. */

import type { Kysely } from 'kysely'
import { memo } from '../../lib/memo.ts'
import type { Coding } from '../../lib/streams/content-coding.ts'
import type { ManyIds } from '../../store/engine.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Param } from '../../store/store.ts'
import { perApp, perSecret } from '../core/app.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { accountsOf } from '../core/tenancy.ts'
import { snapshotReader } from './prefetch.ts'
import { named, type ReportQuestion, scopeOf, versionOf, withMeasured } from './question.ts'

/** To be raised whenever the bytes of a report change although its data does not: answers that clients hold are told apart by it. */
const writersVersion = 3

/** The partner is part of the key, so that no two ever share a tag. */
export function etagOf({ app, partnerId }: PartnerCaller, question: ReportQuestion, coding: Coding, version: string): string {
  return tagOf(app)(taggedText(partnerId, question, coding, version))
}

/** A keyed hash costs more than all else that an unchanged report takes. */
const tagOf = perSecret(({ secrets }) => memo({ most: 1_000, longest: 10_000 }, (asked) => `"${secrets.hmac('etag', asked)}"`))

/** The tags of the same answer under other server secrets that are in use: clients may still hold those. */
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

/** The version of the data now: cheap, and enough to say that nothing has changed. */
export async function reportVersion({ app, partnerId }: PartnerCaller, question: ReportQuestion): Promise<string> {
  const { store } = app
  const { accountIds, siteIds } = question
  if (siteIds !== null) return versionOf((await scopeOf(snapshotReader(store.db, store.engine), partnerId, question)).accounts)
  const { all, some, measured } = versions(app)
  const accounts = accountIds === null ? all({ partnerId }) : some({ partnerId, ids: store.engine.idList(accountIds) })
  const ids = accountIds ?? (await accounts).map(({ id }) => id)
  const found = await Promise.all([accounts, measured({ ids: store.engine.idList(ids) })])
  return versionOf(withMeasured(named(found[0], question), found[1]))
}

/** Built once: this is asked even when nothing is sent. */
const versions = perApp(({ store }) => {
  const managed = (db: Kysely<Tables>, partnerId: number) => accountsOf(partnerId, db).select(['id', 'report_version']).orderBy('id')
  return {
    all: store.cacheUntilCommit((db, param: Param<{ partnerId: number }>) => managed(db, param('partnerId'))),
    some: store.cacheUntilCommit((db, param: Param<{ partnerId: number; ids: ManyIds }>) =>
      managed(db, param('partnerId')).where(store.engine.isOneOf('id', param('ids'))),
    ),
    measured: store.cacheUntilCommit((db, param: Param<{ ids: ManyIds }>) =>
      db
        .selectFrom('measured_versions')
        .selectAll()
        .where(store.engine.isOneOf('account_id', param('ids'))),
    ),
  }
})
