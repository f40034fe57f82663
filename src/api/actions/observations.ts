/** Observations: measured records that a partner pushes; each is stored or refused by itself, or all together. */

import { compileJson } from '../../fields/to-json.ts'
import { compileXml } from '../../fields/to-xml.ts'
import type { Exchange } from '../../http/exchange.ts'
import { send } from '../../http/send.ts'
import { type ReceivedBody, receiveUpload } from '../../http/upload.ts'
import { workBudget } from '../../lib/work/budget.ts'
import { type KeptAnswer, runIdempotently } from '../../model/core/idempotency.ts'
import { readMapping } from '../../model/imports/csv/mappings.ts'
import type { ImportSummary } from '../../model/imports/summary.ts'
import { maxPushBytes } from '../../model/intakes/pushes/push-body.ts'
import { pushObservations } from '../../model/intakes/pushes/push-thread.ts'
import { importErrorMessage, importErrorWithValue } from '../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../resources/imports/import-preset.ts'
import { pushResult } from '../../resources/push.ts'
import { PassingResult } from '../act.ts'
import type { Call } from '../endpoint.ts'
import { mediaTypes } from '../format.ts'
import { repeatableAs, repeatKeyOf } from '../idempotency.ts'
import type { pushFlags } from '../parameters.ts'
import { contentEncodingOf, isCsv, refuseOtherTypes } from '../pushed-types.ts'

const writers = { xml: compileXml('observations', pushResult, { nulls: 'typed' }), json: compileJson('observations', pushResult) }

/** The body is received before the push takes one of the few places for work, so that a slow sender does not block others. */
export function receive({ request }: Exchange): Promise<ReceivedBody> {
  contentEncodingOf(request)
  refuseOtherTypes(request)
  return receiveUpload(request, maxPushBytes, workBudget.upload.deadlineSeconds, { isHashed: repeatKeyOf(request) !== null })
}

export async function push(call: Call<typeof pushFlags>, exchange: Exchange): Promise<void> {
  const asked = call.query.dry_run === true ? null : repeatableAs('POST observations', call as unknown as Call, exchange.request)
  if (asked === null) return sendAnswer(exchange, written(call, exchange, await stored(call, exchange)))
  try {
    const answerOf = (summary: unknown) => written(call, exchange, summary as ImportSummary)
    const { answer, isReplay } = await runIdempotently(call.caller, asked, () => storedForGood(call, exchange), answerOf)
    sendAnswer(exchange, { ...answer, headers: { ...answer.headers, 'idempotency-replayed': String(isReplay) } })
  } catch (error) {
    if (!(error instanceof PassingResult)) throw error
    sendAnswer(exchange, written(call, exchange, error.result as ImportSummary))
  }
}

/** What was refused as a whole may be taken the next time: what it refers to may be there by then. */
async function storedForGood(call: Call<typeof pushFlags>, exchange: Exchange): Promise<ImportSummary> {
  const summary = await stored(call, exchange)
  if (statusOf(summary) === 422) throw new PassingResult(summary)
  return summary
}

async function stored({ caller, query, upload }: Call<typeof pushFlags>, { request, response }: Exchange): Promise<ImportSummary> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return pushObservations(
    caller,
    {
      body: { contents: (upload as ReceivedBody).contents, encoding: contentEncodingOf(request) },
      mapping: isCsv(request) ? mappingOf(query) : null,
      isAtomic: query.atomic === true,
      isDryRun: query.dry_run === true,
      createMissing: query.create_missing === true,
    },
    gone.signal,
  )
}

function written({ format }: Call<typeof pushFlags>, { request }: Exchange, summary: ImportSummary): KeptAnswer {
  const result = resultOf(summary, isCsv(request) ? importErrorMessage : importErrorWithValue)
  const text = format === 'json' ? writers.json(result) : writers.xml(result)
  const headers = { 'content-type': mediaTypes[format], 'cache-control': 'no-store', vary: 'Accept, Authorization' }
  return { status: statusOf(summary), headers, body: Buffer.from(text) }
}

function sendAnswer(exchange: Exchange, { status, headers, body }: KeptAnswer): void {
  send(exchange, status, headers, body)
}

/** Values in a query are separated by commas; a command repeats its option instead. */
function mappingOf(query: Call<typeof pushFlags>['query']): CsvMapping {
  return { ...readMapping({ ...query, set: query.set?.replaceAll(',', '\n') }), keepsAccounts: true }
}

function statusOf({ refused, lines, isApplied }: ImportSummary): 200 | 207 | 422 {
  if (refused === 0) return 200
  return isApplied && refused < lines ? 207 : 422
}

/** Hints are for cells of CSV, which can be read in several ways. */
function resultOf({ lines, refused, faults, kinds }: ImportSummary, messageOf: typeof importErrorMessage) {
  const sum = (figure: (counts: (typeof kinds)['site'] & object) => number) =>
    Object.values(kinds).reduce((total, counts) => total + figure(counts), 0)
  return {
    received: lines,
    created: sum(({ created, accepted }) => Math.min(created, accepted)),
    updated: sum(({ updated }) => updated),
    unchanged: sum(({ unchanged }) => unchanged),
    also_created: sum(({ created, accepted }) => Math.max(0, created - accepted)),
    refused,
    refusals: faults.map((fault) => ({
      index: fault.index,
      field: fault.field,
      code: fault.code,
      message: messageOf(fault, 'request'),
    })),
  }
}
