/** Reads the engines and locales of an account in pieces, ordered by name; both databases compare names by their bytes. */

import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'

export interface NamedSource {
  readonly code: number
  readonly engine: string
  readonly locale: string
}

const mostInPiece = 1_000

export async function* sourcePieces(db: Kysely<Tables>, accountId: number): AsyncGenerator<readonly NamedSource[]> {
  const all = db.selectFrom('sources').select(['code', 'engine', 'locale']).where('account_id', '=', accountId)
  const ordered = all.orderBy('engine').orderBy('locale').limit(mostInPiece)
  let rows = await ordered.execute()
  while (rows.length > 0) {
    yield rows
    rows = rows.length < mostInPiece ? [] : await ordered.where(behind(rows.at(-1) as NamedSource)).execute()
  }
}

function behind({ engine, locale }: NamedSource): RawBuilder<SqlBool> {
  return sql<SqlBool>`(engine, locale) > (${engine}, ${locale})`
}
