/** Reports: answered with 304 if nothing has changed, otherwise made by a reader thread and streamed. */

import type { Exchange } from '../../http/exchange.ts'
import { send, writeHead } from '../../http/send.ts'
import { streamResponse } from '../../http/stream-response.ts'
import { CachingSource, ChunkCache } from '../../lib/streams/chunk-cache.ts'
import { type Coding, chooseCoding } from '../../lib/streams/content-coding.ts'
import { perApp } from '../../model/core/app.ts'
import type { PartnerCaller } from '../../model/core/caller.ts'
import { openReport } from '../../model/reports/open-report.ts'
import type { ReportQuestion } from '../../model/reports/question.ts'
import { etagOf, otherEtagsOf, reportVersion } from '../../model/reports/version.ts'
import type { Call } from '../endpoint.ts'
import { mediaTypes } from '../format.ts'
import type { reputationFilters, seoFilters } from '../parameters.ts'
import { reputationQuestion, seoQuestion } from '../report-query.ts'

const maxCachedBytes = 32 << 20
const maxCachedReportBytes = 16 << 20

export function seo({ caller, query, format }: Call<typeof seoFilters>, exchange: Exchange): Promise<void> {
  return answer(caller, seoQuestion(caller, query, format), exchange)
}

export function detail({ caller, query, format, ids }: Call<typeof reputationFilters>, exchange: Exchange): Promise<void> {
  return answer(caller, reputationQuestion(caller, query, format, 'detail', ids[0]), exchange)
}

export function counts({ caller, query, format, ids }: Call<typeof reputationFilters>, exchange: Exchange): Promise<void> {
  return answer(caller, reputationQuestion(caller, query, format, 'counts', ids[0]), exchange)
}

async function answer(caller: PartnerCaller, question: ReportQuestion, exchange: Exchange): Promise<void> {
  const { request } = exchange
  const coding = chooseCoding(request.headers['accept-encoding'])
  const version = await reportVersion(caller, question)
  const etag = etagOf(caller, question, coding, version)
  const headers = headersOf(question, coding, etag)
  const known = request.headers['if-none-match']
  if (isOneOf(known, etag) || otherEtagsOf(caller, question, coding, version).some((other) => isOneOf(known, other)))
    send(exchange, 304, headers, '')
  else if (request.method === 'HEAD') sendHead(exchange, headers)
  else await sendBody(caller, question, coding, version, exchange)
}

/** Sends the headers of GET without a body. */
function sendHead(exchange: Exchange, headers: Readonly<Record<string, string>>): void {
  writeHead(exchange, 200, headers)
  exchange.response.end()
}

async function sendBody(
  caller: PartnerCaller,
  question: ReportQuestion,
  coding: Coding,
  version: string,
  exchange: Exchange,
): Promise<void> {
  const etag = etagOf(caller, question, coding, version)
  const kept = finished(caller.app).get(etag)
  if (kept === undefined) await produce(caller, question, coding, version, exchange)
  else send(exchange, 200, headersOf(question, coding, etag), kept)
}

/** The data may have changed since its version was queried; the version of what is read decides. */
async function produce(caller: PartnerCaller, question: ReportQuestion, coding: Coding, known: string, exchange: Exchange): Promise<void> {
  const { version, chunks } = await openReport(caller, question, coding, known, exchange.response)
  const etag = etagOf(caller, question, coding, version)
  const kept = finished(caller.app)
  await streamResponse(exchange, {
    headers: headersOf(question, coding, etag),
    chunks: kept.isWorthKeeping(etag) ? new CachingSource(chunks, kept, etag, maxCachedReportBytes) : chunks,
    areCompressed: coding !== 'identity',
  })
}

const finished = perApp(() => new ChunkCache(maxCachedBytes))

function headersOf({ report, format, table }: ReportQuestion, coding: Coding, etag: string): Record<string, string> {
  const plain = { 'content-type': mediaTypes[format], 'cache-control': 'private, no-cache', vary, etag }
  const coded = coding === 'identity' ? plain : { ...plain, 'content-encoding': coding }
  return format === 'csv' ? { ...coded, 'content-disposition': `attachment; filename="${fileNames[table ?? report]}.csv"` } : coded
}

const vary = 'Accept, Accept-Encoding, Authorization'

const fileNames: Readonly<Record<string, string>> = {
  rankings: 'rankings',
  backlinks: 'backlinks',
  metrics: 'metrics',
  detail: 'reviews',
  counts: 'review-counts',
}

function isOneOf(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given === etag || given.trim() === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
