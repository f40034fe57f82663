/** Works out the figures of the sites of one account, in a reader thread. */

import { asciiJson } from '../../../lib/ascii-json.ts'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { Maker } from '../../../readers/serve.ts'
import type { SiteSummary } from '../attention/attention.ts'
import { reasonsOf } from '../attention/attention.ts'
import { readOwnSubjects, summarize } from '../home.ts'
import { firstDayOf } from '../positions.ts'
import { readSources } from '../ranking-series.ts'
import type { AskedFigures, figuresWork } from './site-figures.ts'
import { addOtherSources, SourceDays } from './site-sources.ts'

const sitesAtOnce = 50

export const makeFigures: Maker<AskedFigures, NonNullable<(typeof figuresWork)['head']>> = async (
  { accountId, period },
  { database, tell },
) =>
  tell(
    await database.snapshot(async (db) => {
      const sites = await db
        .selectFrom('sites')
        .innerJoin('accounts', 'accounts.id', 'sites.account_id')
        .select(['sites.id', 'sites.account_id'])
        .select((eb) => eb.fn.coalesce('accounts.time_zone', eb.val('UTC')).as('time_zone'))
        .where('sites.account_id', '=', accountId)
        .execute()
      const sources = sites.length === 0 ? [] : await readSources(db, accountId)
      const rows: (ReturnType<typeof rowOf> & { readonly sources: string })[] = []
      for (const some of batchesOf(sites, sitesAtOnce)) {
        const span = { from: firstDayOf(period), to: period.to }
        const days = new SourceDays(span)
        const summaries = await summarize(db, some, sources, period, (subject, source, daily) => days.addRanks(subject, source, daily))
        const subjects = await readOwnSubjects(db, accountId, some)
        await addOtherSources(days, { db, accountId, ids: subjects.map(({ id }) => id) }, span)
        for (const { id, site_id } of subjects) {
          const summary = summaries.get(site_id)
          if (summary !== undefined) rows.push({ ...rowOf(site_id, accountId, summary), sources: asciiJson(days.of(id)) })
        }
      }
      return rows
    }),
  )

function rowOf(site_id: number, account_id: number, summary: SiteSummary) {
  const { now, compared } = summary.standings
  return {
    site_id,
    account_id,
    visibility: now.visibility,
    pairs: now.pairs,
    compared_now: compared?.now.visibility ?? null,
    compared_before: compared?.before.visibility ?? null,
    compared_pairs: compared?.now.pairs ?? 0,
    rating: summary.rating,
    measured_on: summary.measuredOn,
    reasons: JSON.stringify(reasonsOf(summary)),
  }
}
