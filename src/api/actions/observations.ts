/** Observations: measured records that a partner pushes; each is stored or refused by itself, or all together. */

import { compileJson } from '../../fields/to-json.ts'
import { compileXml } from '../../fields/to-xml.ts'
import type { Exchange } from '../../http/exchange.ts'
import { send } from '../../http/send.ts'
import { type ReceivedBody, receiveUpload } from '../../http/upload.ts'
import { workBudget } from '../../lib/work/budget.ts'
import { readMapping } from '../../model/imports/csv/mappings.ts'
import type { ImportSummary } from '../../model/imports/summary.ts'
import { maxPushBytes } from '../../model/intakes/pushes/push-body.ts'
import { pushObservations } from '../../model/intakes/pushes/push-thread.ts'
import { importErrorMessage, importErrorWithValue } from '../../resources/imports/import-fault.ts'
import type { CsvMapping } from '../../resources/imports/import-preset.ts'
import { pushResult } from '../../resources/push.ts'
import type { Call } from '../endpoint.ts'
import { mediaTypes } from '../format.ts'
import type { pushFlags } from '../parameters.ts'
import { contentEncodingOf, isCsv, refuseOtherTypes } from '../pushed-types.ts'

const writers = { xml: compileXml('observations', pushResult, { nulls: 'typed' }), json: compileJson('observations', pushResult) }

/** The body is received before the push takes one of the few places for work, so that a slow sender does not block others. */
export function receive({ request }: Exchange): Promise<ReceivedBody> {
  contentEncodingOf(request)
  refuseOtherTypes(request)
  return receiveUpload(request, maxPushBytes, workBudget.upload.deadlineSeconds)
}

export async function push({ caller, query, format, upload }: Call<typeof pushFlags>, exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const summary = await pushObservations(
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
  const result = resultOf(summary, isCsv(request) ? importErrorMessage : importErrorWithValue)
  const written = format === 'json' ? writers.json(result) : writers.xml(result)
  send(
    exchange,
    statusOf(summary),
    { 'content-type': mediaTypes[format], 'cache-control': 'no-store', vary: 'Accept, Authorization' },
    written,
  )
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
