/** Estimates how much disk and time and how many machines a number of sites will need, from what rankings cost on this installation. */

import type { Costs } from './costs.ts'

export interface Growth {
  readonly sites: number
  readonly keywords: number
  readonly engines: number
  readonly days: number
  /** The competitors of each site; their rankings are measured like its own. */
  readonly competitors: number
}

export interface Plan {
  readonly rankings: number
  readonly rankings_a_day: number
  readonly disk_bytes: number
  readonly pages: number
  /** How many database pages a report of one site reads from disk: if its rows are adjacent, and if each is on a page of its own. */
  readonly pages_a_report: readonly [least: number, most: number]
  readonly import_seconds_a_day: number
  readonly import_seconds: number
  readonly report_seconds: number
  readonly report_bytes: number
  readonly all_reports_seconds: number
  /** How many processes must import at the same time to be done within one night. */
  readonly importing_processes: number
  readonly nodes: Nodes
}

/** Database machines: each data node has a standby, and with more than one there is a coordinator. */
export interface Nodes {
  readonly data: number
  readonly coordinators: number
  readonly standbys: number
}

/** With more than this, restoring or vacuuming one database takes too long. */
export const mostBytesANode = 1e12
export const nightSeconds = 4 * 3600
const daysAMonth = 30.4
const secondsADay = 86_400

export function planGrowth({ sites, keywords, engines, days, competitors }: Growth, costs: Costs, keepsJournalDays: number): Plan {
  const subjects = sites * (1 + competitors)
  const perDay = subjects * keywords * engines
  const rankings = perDay * days
  const journalDays = keepsJournalDays === 0 ? days : Math.min(days, keepsJournalDays)
  const disk_bytes = Math.ceil(
    rankings * costs.bytes_a_ranking + subjects * keywords * costs.bytes_a_keyword + perDay * journalDays * costs.journal_bytes_a_ranking,
  )
  const ofOneSite = rankings / sites
  const keywordMonths = (1 + competitors) * keywords * Math.ceil(days / daysAMonth)
  const import_seconds_a_day = perDay / costs.imported_a_second
  return {
    rankings,
    rankings_a_day: perDay,
    disk_bytes,
    pages: Math.ceil(disk_bytes / costs.page_bytes),
    pages_a_report: [Math.ceil((ofOneSite * costs.bytes_a_ranking) / costs.page_bytes), Math.ceil(keywordMonths)],
    import_seconds_a_day,
    import_seconds: rankings / costs.imported_a_second,
    report_seconds: costs.report_milliseconds / 1000 + ofOneSite / costs.reported_a_second,
    report_bytes: ofOneSite * costs.report_bytes_a_ranking,
    all_reports_seconds: sites * (costs.report_milliseconds / 1000) + rankings / costs.reported_a_second,
    importing_processes: Math.ceil(Math.min(import_seconds_a_day, secondsADay * 1e6) / nightSeconds),
    nodes: nodesFor(disk_bytes),
  }
}

function nodesFor(bytes: number): Nodes {
  const data = Math.max(1, Math.ceil(bytes / mostBytesANode))
  const coordinators = data === 1 ? 0 : 1
  return { data, coordinators, standbys: data + coordinators }
}
