/** Reports: asked again for little when nothing has changed, else had from the report thread and sent as they come. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendHead, sendPages } from '../http/download.ts'
import { send } from '../http/send.ts'
import { ByteCache, Gathering } from '../lib/byte-cache.ts'
import { type Coding, chooseCoding } from '../lib/codings.ts'
import { type Ground, onGround } from '../model/ground.ts'
import { etagOf } from '../model/report-etag.ts'
import type { ReportQuestion } from '../model/report-question.ts'
import { openReport, reportVersion } from '../model/reports.ts'
import type { Call } from './endpoint.ts'
import { mediaTypes } from './format.ts'
import { reputationQuestion, seoQuestion } from './report-query.ts'

const maxCachedBytes = 48 << 20
const maxCachedReportBytes = 16 << 20

export function seo({ caller, query, format }: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  return answer(caller.ground, seoQuestion(caller, query, format), request, reply)
}

export function detail({ caller, query, format, ids }: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  return answer(caller.ground, reputationQuestion(caller, query, format, 'detail', ids[0]), request, reply)
}

export function counts({ caller, query, format, ids }: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  return answer(caller.ground, reputationQuestion(caller, query, format, 'counts', ids[0]), request, reply)
}

async function answer(ground: Ground, question: ReportQuestion, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const coding = chooseCoding(request.headers['accept-encoding'])
  const etag = etagOf(ground, question, coding, await reportVersion(ground, question))
  const headers = headersOf(question, coding, etag)
  if (isKnown(request.headers['if-none-match'], etag)) send(reply, 304, headers, '')
  else if (request.method === 'HEAD') sendHead(reply, headers)
  else await sendBody(ground, question, coding, etag, reply)
}

async function sendBody(ground: Ground, question: ReportQuestion, coding: Coding, etag: string, reply: FastifyReply): Promise<void> {
  const kept = finished(ground).get(etag)
  if (kept === undefined) await produce(ground, question, coding, reply)
  else send(reply, 200, headersOf(question, coding, etag), kept)
}

/** The data may have changed since it was asked for its version; what is read decides. */
async function produce(ground: Ground, question: ReportQuestion, coding: Coding, reply: FastifyReply): Promise<void> {
  const { version, pages } = await openReport(ground, question, coding, reply.raw)
  const etag = etagOf(ground, question, coding, version)
  const kept = finished(ground)
  await sendPages(reply, {
    headers: headersOf(question, coding, etag),
    pages: kept.isWorthKeeping(etag) ? new Gathering(pages, kept, etag, maxCachedReportBytes) : pages,
    areCompressed: coding !== 'identity',
  })
}

const finished = onGround(() => new ByteCache(maxCachedBytes))

function headersOf({ report, format, table }: ReportQuestion, coding: Coding, etag: string): Record<string, string> {
  return {
    'content-type': mediaTypes[format],
    'cache-control': 'private, no-cache',
    vary: 'Accept, Accept-Encoding, Authorization',
    etag,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    ...(format === 'csv' && { 'content-disposition': `attachment; filename="${fileNames[table ?? report]}.csv"` }),
  }
}

const fileNames: Readonly<Record<string, string>> = {
  rankings: 'rankings',
  backlinks: 'backlinks',
  metrics: 'metrics',
  detail: 'reviews',
  counts: 'review-counts',
}

function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given.trim() === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
