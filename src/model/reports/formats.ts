/** The writer of each report in each format. */

import type { Pause } from '../../fields/code-builder.ts'
import type { Shape } from '../../fields/shape.ts'
import type { FlowWriter } from '../../fields/streaming.ts'
import { compileJsonFlow } from '../../fields/to-json.ts'
import { compileXmlFlow, type NameStyle } from '../../fields/to-xml.ts'
import type { ChunkWriter } from '../../lib/streams/chunks.ts'
import { reputationCounts, reputationDetail } from '../../resources/reputation.ts'
import { seoReport } from '../../resources/seo-report.ts'
import type { ReportQuestion, Scope } from './question.ts'
import { countsFlow, detailFlow } from './reputation.ts'
import { writeReviewCountTable, writeReviewTable } from './reputation-csv.ts'
import { seoFlow } from './seo.ts'
import { writeSeoTable } from './seo-csv.ts'
import type { SnapshotReader } from './snapshot-reader.ts'
import { jsonRankings, xmlRankings } from './write-rankings.ts'

const xmlSeo = {
  encoded: xmlWriter('hash', seoReport, 'encoded'),
  legacy: xmlWriter('hash', seoReport, 'legacy'),
}
const jsonSeo = compileJsonFlow(null, seoReport, jsonRankings)
const detailWriters = { xml: xmlWriter('account', reputationDetail), json: compileJsonFlow('account', reputationDetail) }
const countsWriters = { xml: xmlWriter('account', reputationCounts), json: compileJsonFlow('account', reputationCounts) }

export function writeReport(
  reading: SnapshotReader,
  scope: Scope,
  question: ReportQuestion,
  out: ChunkWriter,
  pause: Pause,
): Promise<void> {
  return reports[question.report](reading, scope, question, out, pause)
}

type Write = typeof writeReport

const reports: Record<ReportQuestion['report'], Write> = {
  seo(reading, scope, question, out, pause) {
    const flow = seoFlow(reading, scope, question)
    if (question.format === 'csv') return writeSeoTable(question, flow, out, pause)
    return (question.format === 'json' ? jsonSeo : xmlSeo[question.names])(flow, out, pause)
  },
  detail(reading, scope, question, out, pause) {
    const flow = detailFlow(reading, scope, question)
    return question.format === 'csv' ? writeReviewTable(flow, out, pause) : detailWriters[question.format](flow, out, pause)
  },
  counts(reading, scope, question, out, pause) {
    const flow = countsFlow(reading, scope, question)
    return question.format === 'csv' ? writeReviewCountTable(flow, out, pause) : countsWriters[question.format](flow, out, pause)
  },
}

function xmlWriter<S extends Shape>(root: string, shape: S, names: NameStyle = 'encoded'): FlowWriter<S> {
  return compileXmlFlow(root, shape, { nulls: 'untyped', names }, xmlRankings)
}
