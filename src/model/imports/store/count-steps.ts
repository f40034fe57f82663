/** Counts what an intake did from its journal, which is right even if the work was done in several runs. */

import { type ObservationKind, observationKinds } from '../../../resources/observation.ts'
import { isSeriesName, type SeriesRecord, series } from '../../../store/series.ts'
import { stepTables } from '../../core/steps.ts'
import type { Managing } from '../../core/tenancy.ts'
import type { ImportCheck } from '../check/check.ts'
import { addCounts, type Counts, ImportCounts, noCounts } from '../summary.ts'

export async function countSteps({ app }: Managing, { reach, accepted }: ImportCheck, intakeId: number): Promise<ImportCounts> {
  const counts = new ImportCounts()
  /** Parts of records, which are not counted by themselves, as the pages of rankings. */
  const parts = new Map<SeriesRecord, Counts>()
  for (const accountId of new Set(reach.sites.map(({ account_id }) => account_id)))
    for (const table of stepTables) {
      const steps = app.store.db.selectFrom(table).where('account_id', '=', accountId).where('intake_id', '=', intakeId)
      const sums = steps.select(({ fn }) => ['kind', fn.sum<number>('created').as('created'), fn.sum<number>('updated').as('updated')])
      for (const { kind, created, updated } of await sums.groupBy('kind').execute()) {
        const whole = isSeriesName(kind) ? series[kind].record : undefined
        const record = recordsOfIds[kind] ?? observationKinds.find((known) => known === kind)
        if (record !== undefined) counts.add(record, { created, updated })
        else if (whole !== undefined) parts.set(whole, added(parts.get(whole), { created, updated }))
      }
    }
  counts.countUnchanged(accepted)
  for (const [record, some] of parts) counts.countParts(record, some)
  return counts
}

/** Businesses are not records of an import, so they are not counted. */
const recordsOfIds: Readonly<Partial<Record<string, ObservationKind>>> = {
  'site ids': 'site',
  'subject ids': 'competitor',
  'keyword ids': 'keyword',
}

function added(sum: Counts = noCounts(), some: Partial<Counts>): Counts {
  addCounts(sum, some)
  return sum
}
