/** What is kept of each answer: the use of its key, and a line for the log of the partner that has names and ids, and nothing that was said of a person. */

import { isList } from '../fields/shape.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Match } from '../http/router.ts'
import type { Node } from '../lib/body/tree.ts'
import { idIn } from '../lib/text-kinds.ts'
import type { App } from '../model/core/app.ts'
import { type AnsweredRequest, noteRequest, type ToldRequest } from '../model/core/use/request-log.ts'
import { countAnswer } from '../model/core/use/usage-counts.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointsAt } from './endpoints.ts'
import { splitUrl } from './format.ts'

/** Must be called once the answer is made. Of an answer to nobody known, nothing is kept. */
export function noteAnswer(app: App, exchange: Exchange): void {
  const { partner_id, key_id, key, request, response, id, code, reason, sentence, fields, startedAt } = exchange
  if (partner_id === undefined) return
  const { statusCode: status } = response
  if (key_id !== undefined) countAnswer(app, { partner_id, key_id }, status)
  if (app.settings.requestLog === 'off') return
  const { method = '', url = '/' } = request
  const answered: AnsweredRequest = {
    partner_id,
    at: app.clock.now(),
    request_id: id,
    public_part: key,
    method,
    status,
    code,
    sentence: reason ?? sentence,
    tenths: Math.round((performance.now() - startedAt) * 10),
    url,
    fields,
    told,
  }
  noteRequest(app, url.length > longestAddress ? { ...answered, url: '', told: always(told(answered)) } : answered)
}

/** A longer address is not kept until it is told. */
const longestAddress = 1_000

function always<T>(value: T): () => T {
  return () => value
}

function told({ url, method, fields }: AnsweredRequest): ToldRequest {
  const { path, extension, query } = splitUrl(url)
  const match = endpointsAt(path)
  return { path: pathOf(match, extension), parameters: parametersOf(match, method, query, fields) }
}

const extensions = new Set(['xml', 'json', 'csv', 'ndjson'])

/** `/api/users/11/abilities.json`; what is no id is left out, for it could be anything. */
function pathOf(match: Match<Endpoint> | null, extension: string | null): string {
  if (match === null) return '/api/…'
  let place = 0
  const path = match.template.replace(/\{\w+\}/g, () => String(idIn(match.params[place++]) || '…'))
  return extension !== null && extensions.has(extension) ? `${path}.${extension}` : path
}

const mostNames = 30
const longestValue = 100

/** Names that the endpoint knows, with the values of dates, ids and flags; any other name is only told to be there. */
function parametersOf(match: Match<Endpoint> | null, method: string, query: URLSearchParams, fields: readonly string[]): string {
  const known = match?.rows.find((row) => row.method === method)?.query ?? {}
  const names: string[] = []
  for (const [name, value] of query) {
    if (names.length >= mostNames) break
    const kind = Object.hasOwn(known, name) ? known[name]?.kind : undefined
    if (kind === undefined) names.push('…')
    else names.push(kind.isPlain && value !== '' && kind.read(value) !== undefined ? `${name}=${value.slice(0, longestValue)}` : name)
  }
  return [...new Set([...names, ...fields])].slice(0, mostNames).join('&')
}

/** Those that the endpoint knows; the others are only told to be there. */
export function fieldsIn({ body }: Endpoint, { children }: Node): readonly string[] {
  if (children.length === 0 || body === undefined) return []
  const { of, root } = body
  if (isList(of)) return [root]
  return [...new Set(children.slice(0, mostNames).map(({ name }) => (Object.hasOwn(of, name) ? name : '…')))]
}
