/** Exports keywords with their data, and what is measured of them. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../../store/rows/tables.ts'
import type { ExportedLine, ExportPlace, Put } from './export-lines.ts'
import { exportSeries } from './export-series.ts'

const keywordsAtOnce = 200

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
  for (let at = 0; at < keywords.length; at += keywordsAtOnce) await exportPeriods(db, place, keywords.slice(at, at + keywordsAtOnce), put)
}

/** The figures of periods, of which a keyword has few. */
async function exportPeriods(
  db: Kysely<Tables>,
  { accountId, fields }: ExportPlace,
  keywords: readonly NamedKeyword[],
  put: Put,
): Promise<void> {
  const ids = keywords.map(({ id }) => id)
  const rows = db.selectFrom('periods').selectAll().where('account_id', '=', accountId).where('keyword_id', 'in', ids)
  const ofKeyword = Map.groupBy(await rows.orderBy('start_date').orderBy('end_date').orderBy('key_hash').execute(), (row) => row.keyword_id)
  for (const { id, phrase } of keywords)
    await put(
      'period',
      (ofKeyword.get(id) ?? []).map(({ account_id: _, keyword_id: __, key_hash: ___, locale, device, location, ...period }) => ({
        ...fields,
        phrase,
        ...(locale !== '' && { locale }),
        ...(device !== '' && { device }),
        ...(location !== '' && { location }),
        ...withoutNulls(period),
      })),
    )
}

interface NamedKeyword {
  readonly id: number
  readonly phrase: string
}

function withoutNulls(facts: ExportedLine): ExportedLine {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null))
}
