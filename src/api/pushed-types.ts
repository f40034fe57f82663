/** Which bodies hold measured records, told by their headers. */

import type { IncomingMessage } from 'node:http'
import { refuse } from '../lib/failures.ts'

const csvType = /^\s*text\/csv\s*(?:;|$)/i
/** JSON and NDJSON under all their names; plain HTTP libraries label a body a form, or not at all. */
const takenTypes = /^\s*(?:$|application\/x-www-form-urlencoded|[a-z]+\/(?:[\w.-]+[+-])?(?:nd)?json(?:l|lines)?\s*(?:;|$))/i

export function isCsv({ headers }: IncomingMessage): boolean {
  return csvType.test(headers['content-type'] ?? '')
}

export function refuseOtherTypes(request: IncomingMessage): void {
  if (!isCsv(request) && !takenTypes.test(request.headers['content-type'] ?? ''))
    refuse('unsupported_media_type', 'The body must be JSON, NDJSON or CSV')
}

export function contentEncodingOf({ headers }: IncomingMessage): 'gzip' | 'identity' {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  return encoding === 'gzip' || encoding === 'identity'
    ? encoding
    : refuse('unsupported_media_type', 'The body may be compressed with gzip only')
}
