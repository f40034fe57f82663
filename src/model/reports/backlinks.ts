/** Backlinks of subjects in a range of days, by the day they were found. */

import type { Batches } from '../../fields/streaming.ts'
import type { Backlink } from '../../resources/seo-report.ts'
import type { ReportDays } from './days.ts'
import { inPieces, isOneOrMore, Prefetch, type SnapshotReader } from './prefetch.ts'
import type { SubjectInReport } from './subjects.ts'

type Row = Backlink & { readonly id: number; readonly subject_id: number }

const atOnce = 2_000
/** Few, where the rest can come while these are written. */
const subjectsAtFirst = 4
const columns = ['subject_id', 'id', 'domain', 'found_on', 'link_strength', 'source_url', 'domain_authority', 'anchor_text'] as const

export function readBacklinks(
  reading: SnapshotReader,
  days: ReportDays,
  subjects: readonly SubjectInReport[],
  early: boolean,
): (subject: SubjectInReport) => Batches<Backlink> {
  const ahead = new Prefetch<Row>({
    ids: subjects.map(({ id }) => id),
    first: subjectsAtFirst,
    early,
    read: (ids) => read(reading, days, subjects, ids).limit(atOnce).execute(),
    groupOf: ({ subject_id }) => subject_id,
    limit: atOnce,
    load: atOnce,
  })
  return (subject) => inPieces(ahead, subject.id, (last) => readAlone(reading, days, subject, last))
}

function readAlone(reading: SnapshotReader, days: ReportDays, subject: SubjectInReport, last: Row | null): Promise<Row[]> {
  if (last === null) return read(reading, days, [subject], [subject.id]).limit(atOnce).execute()
  return read(reading, { ...days, first: last.found_on }, [subject], [subject.id])
    .where((row) => row.or([row('found_on', '>', last.found_on), row('id', '>', last.id)]))
    .limit(atOnce)
    .execute()
}

function read(reading: SnapshotReader, { first, last }: ReportDays, subjects: readonly SubjectInReport[], ids: readonly number[]) {
  return reading.db
    .selectFrom('backlinks')
    .select(columns)
    .where(isOneOrMore(reading, 'account_id', new Set(subjects.map(({ account_id }) => account_id))))
    .where(reading.isOneOf('subject_id', ids))
    .where('found_on', '>=', first)
    .where('found_on', '<=', last)
    .orderBy('subject_id')
    .orderBy('found_on')
    .orderBy('id')
}
