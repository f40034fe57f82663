/** Recognizes bodies with measured records by their headers. */

import type { IncomingMessage } from 'node:http'
import { refuse } from '../lib/failures.ts'

const csvType = /^\s*text\/csv\s*(?:;|$)/i
/** JSON and NDJSON by all their media types; simple HTTP libraries label a body as a form, or not at all. */
const takenTypes = /^\s*(?:$|application\/x-www-form-urlencoded|[a-z]+\/(?:[\w.-]+[+-])?(?:nd)?json(?:l|lines)?\s*(?:;|$))/i

export function isCsv({ headers }: IncomingMessage): boolean {
  return csvType.test(headers['content-type'] ?? '')
}

export function refuseOtherTypes(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? ''
  if (isCsv(request) || takenTypes.test(type)) return
  refuse(
    'unsupported_media_type',
    `The body is ${type.split(';', 1)[0]?.trim().slice(0, 100)}; this address takes application/json, application/x-ndjson or text/csv`,
  )
}

export function contentEncodingOf({ headers }: IncomingMessage): 'gzip' | 'identity' {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  return encoding === 'gzip' || encoding === 'identity'
    ? encoding
    : refuse('unsupported_media_type', `The body is compressed with ${encoding.slice(0, 100)}; this address takes gzip, or none`)
}
