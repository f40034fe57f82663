/** Reads what belongs to some subjects or sites of an account along an index, in bounded pieces. */

import type { Kysely } from 'kysely'
import type { Tables } from '../../store/rows/tables.ts'

const mostInPiece = 1_000
const mostOwners = 500

/** Reads rows of these owners, at most as many as fit into a piece; for a single owner, sorted and after the last row read. */
type ReadPiece<R> = (owners: readonly number[], last?: R) => Promise<R[]>

export function keywordPieces(db: Kysely<Tables>, accountId: number, subjectIds: readonly number[]) {
  const all = db.selectFrom('keywords').select(['id', 'subject_id', 'phrase']).where('account_id', '=', accountId).limit(mostInPiece)
  type Row = Awaited<ReturnType<typeof all.execute>>[number]
  return pieces<Row>(subjectIds, (owners, last) => {
    const some = all.where('subject_id', 'in', owners)
    const ordered = owners.length === 1 ? some.orderBy('phrase') : some
    return (last === undefined ? ordered : ordered.where('phrase', '>', last.phrase)).execute()
  })
}

export function pagePieces(db: Kysely<Tables>, accountId: number, subjectIds: readonly number[]) {
  const all = db
    .selectFrom('pages')
    .select(['id', 'subject_id', 'source', 'page_url', 'match_confidence', 'last_updated'])
    .where('account_id', '=', accountId)
    .limit(mostInPiece)
  type Row = Awaited<ReturnType<typeof all.execute>>[number]
  return pieces<Row>(subjectIds, (owners, last) => {
    const some = all.where('subject_id', 'in', owners)
    const ordered = owners.length === 1 ? some.orderBy('id') : some
    return (last === undefined ? ordered : ordered.where('id', '>', last.id)).execute()
  })
}

/** The sites themselves (with an empty domain) and their competitors. */
export function subjectPieces(db: Kysely<Tables>, accountId: number, siteIds: readonly number[]) {
  const all = db.selectFrom('subjects').select(['id', 'site_id', 'domain']).where('account_id', '=', accountId).limit(mostInPiece)
  type Row = Awaited<ReturnType<typeof all.execute>>[number]
  return pieces<Row>(siteIds, (owners, last) => {
    const some = all.where('site_id', 'in', owners)
    const ordered = owners.length === 1 ? some.orderBy('id') : some
    return (last === undefined ? ordered : ordered.where('id', '>', last.id)).execute()
  })
}

/** No piece is empty. Halves the list of owners until their rows fit into one piece; a single owner with more rows is read on from the last row. */
export async function* pieces<R>(owners: readonly number[], read: ReadPiece<R>, most = mostInPiece): AsyncGenerator<readonly R[]> {
  if (owners.length === 0) return
  const rows = owners.length > mostOwners ? null : await read(owners)
  if (rows?.length === 0) return
  if (rows !== null && rows.length < most) yield rows
  else if (owners.length > 1) {
    yield* pieces(owners.slice(0, owners.length >> 1), read, most)
    yield* pieces(owners.slice(owners.length >> 1), read, most)
  } else yield* readOn(owners, read, rows ?? [])
}

async function* readOn<R>(owners: readonly number[], read: ReadPiece<R>, first: readonly R[]): AsyncGenerator<readonly R[]> {
  for (let rows = first; rows.length > 0; rows = await read(owners, rows.at(-1))) yield rows
}
