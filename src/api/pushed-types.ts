/** Recognizes bodies with measured records by their headers. */

import type { IncomingMessage } from 'node:http'
import { refuse } from '../lib/failures.ts'

const csvType = /^\s*text\/csv\s*(?:;|$)/i
/** JSON and NDJSON by all their media types; simple HTTP libraries label a body as a form, or not at all. */
const takenTypes = /^\s*(?:$|application\/x-www-form-urlencoded|[a-z]+\/(?:[\w.-]+[+-])?(?:nd)?json(?:l|lines)?\s*(?:;|$))/i

/** Of archives, workbooks and saved reports; simple programs send them as bytes of no kind. */
export const fileMediaTypes = [
  'application/xml',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
]
const fileTypes = new Set([...fileMediaTypes, 'text/xml', 'application/x-zip-compressed'])

export function isCsv({ headers }: IncomingMessage): boolean {
  return csvType.test(headers['content-type'] ?? '')
}

export function refuseOtherTypes(request: IncomingMessage): void {
  if (!isRecords(request)) refuseType(request, 'application/json, application/x-ndjson or text/csv')
}

/** A file may also be a workbook, a zip archive or a saved report: what it is shows its content. */
export function refuseOtherFiles(request: IncomingMessage): void {
  const isFile = isRecords(request) || fileTypes.has((request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')
  if (!isFile)
    refuseType(request, 'application/json, application/x-ndjson, text/csv, application/xml, application/zip or a workbook (.xlsx)')
}

function isRecords(request: IncomingMessage): boolean {
  return isCsv(request) || takenTypes.test(request.headers['content-type'] ?? '')
}

function refuseType({ headers }: IncomingMessage, taken: string): never {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().slice(0, 100)
  return refuse('unsupported_media_type', `The body is ${type}; this address takes ${taken}`)
}

export function contentEncodingOf({ headers }: IncomingMessage): 'gzip' | 'identity' {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  return encoding === 'gzip' || encoding === 'identity'
    ? encoding
    : refuse('unsupported_media_type', `The body is compressed with ${encoding.slice(0, 100)}; this address takes gzip, or none`)
}
