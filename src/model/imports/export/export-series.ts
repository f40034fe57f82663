/** Exports what is packed by the month, as the table of series says: rankings with the ranked pages, clicks, review counts. */

import { type Kysely, sql } from 'kysely'
import type { Value } from '../../../fields/incoming.ts'
import { momentText } from '../../../lib/time/moments.ts'
import { readFigure, wordsOfFigure } from '../../../store/figures.ts'
import { sourceAt, timeAt, wordsOf } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { allSeries, type Series, type SeriesOwner, sourceFields } from '../../../store/series.ts'
import { monthRows, monthsOfOwner, ownerColumn } from '../../../store/series-rows.ts'
import type { ExportedLine, ExportPlace, Put } from './export-lines.ts'

type Db = Kysely<Tables>

/** Puts the entries of a keyword, page or subject, whose lines begin with these fields. */
export type PutSeries = (id: number, fields: ExportedLine) => Promise<void>

/** Of the subject itself, or of its keywords or pages. */
export async function exportSeries(db: Db, place: ExportPlace, owner: SeriesOwner, put: Put): Promise<PutSeries> {
  const reading: Reading = { db, place, urls: await urlsOf(db, place), owners: new Map() }
  const kinds = allSeries.filter((kind) => kind.owner === owner)
  for (const kind of kinds) reading.owners.set(kind, await ownersIn(db, place, kind))
  return async (id, fields) => {
    for (const kind of kinds.filter(({ name, record }) => name === record)) {
      const parts = await partsOf(reading, kind, id)
      for (const words of await monthsOf(reading, kind, id)) await put(kind.record, linesOf(reading, kind, words, fields, parts))
    }
  }
}

interface Reading {
  readonly db: Db
  readonly place: ExportPlace
  /** The addresses of ranked pages by their codes. */
  readonly urls: ReadonlyMap<number, string>
  /** Those with entries; of most kinds, most have none. */
  readonly owners: Map<Series, ReadonlySet<number>>
}

async function urlsOf(db: Db, { accountId, subjectId }: ExportPlace): Promise<Map<number, string>> {
  const urls = db.selectFrom('ranked_urls').select(['code', 'url']).where('account_id', '=', accountId)
  return new Map((await urls.where('subject_id', '=', subjectId).execute()).map(({ code, url }) => [code, url]))
}

async function ownersIn(db: Db, { accountId, subjectId }: ExportPlace, kind: Series): Promise<Set<number>> {
  const months = monthRows(db, kind.table, accountId).select('starts_at').where(ownerColumn(kind), '=', sql.ref<number>('id'))
  const owners = db.selectFrom(kind.owners).select('id').where('account_id', '=', accountId)
  const ofSubject = owners.where(sql.ref<number>(kind.owners === 'subjects' ? 'id' : 'subject_id'), '=', subjectId)
  return new Set((await ofSubject.where(({ exists }) => exists(months)).execute()).map(({ id }) => id))
}

async function monthsOf({ db, place, owners }: Reading, kind: Series, id: number): Promise<Uint32Array[]> {
  if (!owners.get(kind)?.has(id)) return []
  const months = monthsOfOwner(db, kind, place.accountId, id).select('data').orderBy('starts_at')
  return (await months.execute()).map(({ data }) => wordsOf(data))
}

/** The figures of other series that belong to the same records, by time and source. */
async function partsOf(reading: Reading, main: Series, id: number): Promise<Map<string, ExportedLine>> {
  const parts = new Map<string, ExportedLine>()
  for (const kind of allSeries.filter(({ name, record }) => record === main.record && name !== main.name))
    for (const words of await monthsOf(reading, kind, id))
      for (let at = 0; at < words.length; at += kind.layout.words)
        parts.set(keyAt(words, at), { ...parts.get(keyAt(words, at)), ...figuresAt(reading, kind, words, at) })
  return parts
}

function keyAt(words: Uint32Array, at: number): string {
  return `${timeAt(words, at)} ${sourceAt(words, at)}`
}

function figuresAt({ urls }: Reading, { figures }: Series, words: Uint32Array, at: number): ExportedLine {
  const line: Record<string, Value> = {}
  let own = at + 2
  for (const [field, figure] of Object.entries(figures)) {
    const value = readFigure[figure](words, at, own)
    line[field] = figure === 'address' ? (urls.get(value as number) ?? null) : value
    own += wordsOfFigure[figure]
  }
  return line
}

function linesOf(
  reading: Reading,
  kind: Series,
  words: Uint32Array,
  fields: ExportedLine,
  parts: ReadonlyMap<string, ExportedLine>,
): ExportedLine[] {
  const lines: ExportedLine[] = []
  for (let at = 0; at < words.length; at += kind.layout.words) {
    const { engine = '', locale = '' } = reading.place.names.get(sourceAt(words, at)) ?? {}
    const source = { ...sourceFields(kind, engine), ...(kind.locale !== undefined && locale !== '' && { [kind.locale]: locale }) }
    const moment = momentText(timeAt(words, at)).replace('T', ' ')
    const time = { [kind.time]: moment.slice(0, kind.to === 'second' ? 19 : 10) }
    const part = parts.size === 0 ? undefined : parts.get(keyAt(words, at))
    lines.push({ ...fields, ...source, ...time, ...figuresAt(reading, kind, words, at), ...part })
  }
  return lines
}
