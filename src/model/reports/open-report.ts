/** Opens reports, which reader threads make chunk by chunk in the long lane. */

import type { ChunkSource } from '../../lib/streams/chunks.ts'
import type { Coding } from '../../lib/streams/content-coding.ts'
import type { Closable } from '../../lib/work/concurrency.ts'
import type { ReaderWork } from '../../readers/messages.ts'
import { askReaders } from '../../readers/pool.ts'
import { perApp } from '../core/app.ts'
import type { PartnerCaller } from '../core/caller.ts'
import type { ReportQuestion } from './question.ts'

/** A partner's request; the thread looks for the data among what that partner manages. */
interface AskedReport {
  readonly partnerId: number
  readonly question: ReportQuestion
  readonly coding: Coding
  /** The version of the data in the database now, which a replica must have too. */
  readonly version: string
}

export type ReportSource = 'database' | 'replica'

interface ReportHead {
  /** The version of the data in the snapshot from which the report is read. */
  readonly version: string
  readonly source: ReportSource
}

export const reportWork: ReaderWork<AskedReport, ReportHead> = { name: 'report', lane: 'long' }

/** A report whose first chunk has arrived; `version` is that of its data. */
export interface OpenReport {
  readonly version: string
  readonly chunks: ChunkSource
}

/** How many reports were read from the primary database and from its replica. */
export const reportSources = perApp((): Record<ReportSource, number> => ({ database: 0, replica: 0 }))

/** Waits in the queue as long as the client does. `known` is the current version in the database. */
export async function openReport(
  { app, partnerId }: Pick<PartnerCaller, 'app' | 'partnerId'>,
  question: ReportQuestion,
  coding: Coding,
  known: string,
  client?: Closable,
): Promise<OpenReport> {
  const asked = { partnerId, question, coding, version: known }
  const report = await askReaders(app, reportWork, asked, { party: String(partnerId), ...(client && { client }) })
  const { version, source } = await report.begun()
  reportSources(app)[source] += 1
  return { version, chunks: report }
}
