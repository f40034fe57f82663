/** What was measured of a few sites and their competitors, read together: a question about many costs little more than about one. */

import { readBacklinks } from './backlinks.ts'
import { daysOf } from './days.ts'
import { type Figures, nothingMeasured, readFigures } from './figures.ts'
import type { SnapshotReader } from './prefetch.ts'
import type { ReportQuestion, SeoTable } from './question.ts'
import { readKeywords, readLabels } from './read-rankings.ts'
import { readReportSubjects, type SubjectInReport } from './subjects.ts'

export interface SiteInReport {
  readonly id: number
  readonly account_id: number
  readonly domain: string
}

export type SiteBatch = Awaited<ReturnType<typeof readSites>>

/** What is measured of subjects must be asked for in the order in which they are printed. */
export async function readSites(reading: SnapshotReader, question: ReportQuestion, sites: readonly SiteInReport[]) {
  const siteIds = sites.map(({ id }) => id)
  const accountIds = new Set(sites.map(({ account_id }) => account_id))
  const [subjects, figures, labels] = await Promise.all([
    readReportSubjects(reading, accountIds, siteIds),
    readFigures(reading, accountIds, siteIds, question.figuresBy),
    readLabels(reading, accountIds),
  ])
  const bySite = Map.groupBy(subjects, ({ site_id }) => site_id)
  const days = daysOf(question)
  /** A flat table is made of one kind of rows: it would never come for the others. */
  const isEarly = (table: SeoTable) => reading.isRemote && (question.table ?? table) === table
  return {
    /** A site has a subject of its own from its first measurement on. */
    subjectsOf(siteId: number): { own: SubjectInReport | undefined; competitors: SubjectInReport[] } {
      const its = bySite.get(siteId) ?? []
      return { own: its.find(({ domain }) => domain === ''), competitors: its.filter(({ domain }) => domain !== '') }
    },
    figuresOf: (subject: SubjectInReport | undefined): Figures => figures.get(subject?.id ?? 0) ?? nothingMeasured,
    backlinksOf: readBacklinks(reading, days, subjects, isEarly('backlinks')),
    keywordsOf: readKeywords(reading, days, subjects, labels, isEarly('rankings')),
  }
}
