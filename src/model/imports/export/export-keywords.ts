/** Exports keywords with their data, and what is measured of them. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import type { ExportedLine, ExportPlace, Put } from './export-lines.ts'
import { exportSeries } from './export-series.ts'

export async function exportKeywords(db: Kysely<Tables>, place: ExportPlace, put: Put): Promise<void> {
  const { accountId, fields, subjectId } = place
  const keywords = await db
    .selectFrom('keywords')
    .select(['id', 'phrase', 'search_volume', 'tags'])
    .where('account_id', '=', accountId)
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
  await put(
    'keyword',
    keywords.map(({ id: _, phrase, ...facts }) => ({ ...fields, phrase, ...withoutNulls(facts) })),
  )
  const putSeries = await exportSeries(db, place, 'keyword_id', put)
  for (const { id, phrase } of keywords) await putSeries(id, { ...fields, phrase })
}

function withoutNulls(facts: ExportedLine): ExportedLine {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null))
}
