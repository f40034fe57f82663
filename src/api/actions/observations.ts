/** Observations: measured records that a partner pushes, each stored or refused by itself, or all or none. */

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { compileJson } from '../../fields/to-json.ts'
import { compileXml } from '../../fields/to-xml.ts'
import { readBody } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { send } from '../../http/send.ts'
import { jsonItems } from '../../lib/body/json-items.ts'
import { refuse } from '../../lib/failures.ts'
import type { ImportLine } from '../../model/imports/check.ts'
import { readItems, readNdjson } from '../../model/imports/formats.ts'
import { findTarget, importObservations } from '../../model/imports/import.ts'
import type { ImportSummary } from '../../model/imports/summary.ts'
import { importErrorSentence } from '../../resources/import-fault.ts'
import { pushResult } from '../../resources/push.ts'
import type { Call } from '../endpoint.ts'
import { mediaTypes } from '../format.ts'
import type { pushFlags } from '../parameters.ts'

export const maxPushBytes = 16 * 1024 * 1024
const maxRatio = 100
const longestSeconds = 120
/** JSON and NDJSON under all their names; plain HTTP libraries label a body a form, or not at all. */
const takenTypes = /^\s*(?:$|application\/x-www-form-urlencoded|[a-z]+\/(?:[\w.-]+[+-])?(?:nd)?json(?:l|lines)?\s*(?:;|$))/i

const writers = { xml: compileXml('observations', pushResult, { nulls: 'typed' }), json: compileJson('observations', pushResult) }

export async function push({ caller, query, format }: Call<typeof pushFlags>, exchange: Exchange): Promise<void> {
  const isAtomic = query.atomic === true
  const arrivals = arrivalsIn(await bytesOf(exchange.request))
  const summary = await importObservations(caller, await findTarget(caller, {}), arrivals, {
    takeGood: !isAtomic,
    inOneTransaction: isAtomic,
    createMissing: query.create_missing === true,
  })
  const written = format === 'json' ? writers.json(resultOf(summary)) : writers.xml(resultOf(summary))
  send(
    exchange,
    statusOf(summary),
    { 'content-type': mediaTypes[format], 'cache-control': 'no-store', vary: 'Accept, Authorization' },
    written,
  )
}

function statusOf({ refused, lines, isApplied }: ImportSummary): 200 | 207 | 422 {
  if (refused === 0) return 200
  return isApplied && refused < lines ? 207 : 422
}

function resultOf({ lines, refused, faults, kinds }: ImportSummary) {
  const sum = (figure: (counts: (typeof kinds)['site'] & object) => number) =>
    Object.values(kinds).reduce((total, counts) => total + figure(counts), 0)
  return {
    received: lines,
    created: sum(({ created, accepted }) => Math.min(created, accepted)),
    updated: sum(({ updated }) => updated),
    unchanged: sum(({ unchanged }) => unchanged),
    also_created: sum(({ created, accepted }) => Math.max(0, created - accepted)),
    refused,
    refusals: faults.map((fault) => ({ index: fault.index, field: fault.field, code: fault.code, message: importErrorSentence(fault) })),
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && encoding !== 'gzip') refuse('unsupported_media_type', 'The body may be compressed with gzip only')
  if (!takenTypes.test(request.headers['content-type'] ?? '')) refuse('unsupported_media_type', 'The body must be JSON or NDJSON')
  const bytes = await readBody(request, maxPushBytes, longestSeconds)
  return encoding === 'gzip' ? unzipped(bytes) : bytes
}

/** A body that unfolds to a hundred times its size was made to do that. */
async function unzipped(bytes: Buffer): Promise<Buffer> {
  const maxOutputLength = Math.min(maxPushBytes, Math.max(bytes.length, 1024) * maxRatio)
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength })
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge
      ? refuse('too_large', `The body unfolds to more than ${maxOutputLength.toLocaleString('en-US')} bytes`)
      : refuse('malformed_body', 'The body is not compressed with gzip')
  }
}

/** An array, or a record a line: the first character tells. */
function arrivalsIn(bytes: Buffer): AsyncIterable<readonly ImportLine[]> {
  const opening = bytes
    .toString('utf8', 0, 1024)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (!opening.startsWith('[')) return readNdjson([bytes])
  const items = isUtf8(bytes) ? jsonItems(bytes.toString('utf8').replace(/^\ufeff/, '')) : undefined
  return items === undefined ? refuse('malformed_body', 'The body is not a JSON array') : readItems(items)
}
