/** Opens reports, which are produced by threads chunk by chunk: a few at a time, and no partner gets more than its share. */

import { workerCount } from '../../../config.ts'
import { primary } from '../../../lib/processes/primary.ts'
import { shareConcurrency } from '../../../lib/processes/shared-limit.ts'
import type { ChunkSource } from '../../../lib/streams/chunks.ts'
import type { Coding } from '../../../lib/streams/content-coding.ts'
import { moreConnections } from '../../../lib/work/budget.ts'
import type { Closable } from '../../../lib/work/concurrency.ts'
import { type App, perApp } from '../../core/app.ts'
import type { PartnerCaller } from '../../core/caller.ts'
import type { ReportQuestion } from '../question.ts'
import type { ReportSource } from './messages.ts'
import { ReportThreads } from './report-threads.ts'

const maxSnapshots = moreConnections.reports
const maxSnapshotsPerPartner = 2
const maxWaiting = 64
const patienceSeconds = 10

/** A report whose first chunk has arrived; `version` is that of its data. */
export interface OpenReport {
  readonly version: string
  readonly chunks: ChunkSource
}

export function startReportThread(app: App): void {
  threads(app).start()
}

/** How many reports were read from the primary database and from its replica. */
export function reportSources(app: App): Readonly<Record<ReportSource, number>> {
  return sourcesOf(app)
}

/** Waits in the queue as long as the client does. `known` is the current version in the database. */
export async function openReport(
  { app, partnerId }: Pick<PartnerCaller, 'app' | 'partnerId'>,
  question: ReportQuestion,
  coding: Coding,
  known: string,
  client?: Closable,
): Promise<OpenReport> {
  const leave = await turns(app).enter('report', String(partnerId), client)
  const report = threads(app).open({ partnerId, question, coding, version: known }, leave)
  const version = await report.begun()
  sourcesOf(app)[report.source] += 1
  return { version, chunks: report }
}

/** The limit for all workers together: at least one place per worker, because each has a thread of its own. */
const turns = perApp(({ settings }) => {
  const inside = Math.max(maxSnapshots, workerCount(settings))
  return shareConcurrency(primary, 'reports', {
    inside,
    insidePerParty: Math.max(maxSnapshotsPerPartner, Math.floor(inside / 2)),
    ranks: { report: { inside, waiting: maxWaiting, patienceSeconds } },
  })
})

const sourcesOf = perApp((): Record<ReportSource, number> => ({ database: 0, replica: 0 }))

const threads = perApp((app) => {
  const { databaseUrl, replicaUrl, dataDir } = app.settings
  const opened = new ReportThreads({ databaseUrl, replicaUrl, dataDir, snapshots: maxSnapshots }, workerCount(app.settings))
  app.beforeClose.push(() => opened.close())
  return opened
})
