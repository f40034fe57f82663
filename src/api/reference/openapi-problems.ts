/** Problems in an OpenAPI document: the error body, one response for each set of codes under a status, and the headers of all answers. */

import type { JsonSchema } from '../../fields/to-schema.ts'
import { Failure, type FailureCode } from '../../lib/failures.ts'
import { fieldErrorSentences, problems } from '../../resources/problem.ts'
import { endpoints } from '../endpoints.ts'
import { problemBody } from '../problems.ts'
import { pascal } from './named-records.ts'
import { alsoAnswered, refusalsOf } from './possible-errors.ts'

const xmlErrors: JsonSchema = {
  Errors: {
    type: 'array',
    xml: { name: 'errors', wrapped: true },
    items: {
      type: 'object',
      xml: { name: 'error' },
      description: 'the sentence is the text of the element',
      properties: {
        code: { type: 'string', xml: { attribute: true } },
        field: { type: 'string', xml: { attribute: true } },
      },
      required: ['code'],
    },
  },
}

const jsonProblems: JsonSchema = {
  Problem: {
    type: 'object',
    description: 'RFC 9457, with the sentences by field as old clients read them.',
    properties: {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer' },
      code: { type: 'string', enum: Object.keys(problems) },
      request_id: { type: 'string' },
      errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      details: { type: 'array', items: { $ref: '#/components/schemas/ProblemDetail' } },
    },
    required: ['type', 'title', 'status', 'code', 'request_id', 'errors', 'details'],
  },
  ProblemDetail: {
    type: 'object',
    properties: {
      code: { type: 'string', enum: [...Object.keys(fieldErrorSentences), ...Object.keys(problems)] },
      field: { type: 'string' },
      pointer: { type: 'string', format: 'json-pointer' },
      message: { type: 'string' },
    },
    required: ['code', 'message'],
  },
}

export const problemSchemas: Record<'json' | 'xml', JsonSchema> = { json: jsonProblems, xml: xmlErrors }

// biome-ignore format: a table reads by its columns
export const headerComponents = {
  'X-Request-Id':         { description: 'names this request in the log of the service',                                   schema: { type: 'string' } },
  'RateLimit':            { description: 'what is left of the partner’s rate, and when it is whole again',                 schema: { type: 'string' } },
  'RateLimit-Policy':     { description: 'the partner’s rate: requests and the window in seconds',                         schema: { type: 'string' } },
  'Location':             { description: 'where the new record is shown',                                                  schema: { type: 'string', format: 'uri' } },
  'Link':                 { description: '`rel="next"` leads to the next page; absent on the last',                        schema: { type: 'string' } },
  'ETag':                 { description: 'for `If-None-Match`, or for `If-Match` where the address takes it',               schema: { type: 'string' } },
  'First-Cursor':         { description: 'the cursor of the oldest event that is kept',                                    schema: { type: 'string' } },
  'Retry-After':          { description: 'seconds to wait',                                                                schema: { type: 'integer' } },
  'Allow':                { description: 'the methods this address takes',                                                 schema: { type: 'string' } },
  'WWW-Authenticate':     { description: '`Basic realm="Marquee", charset="UTF-8"`; after a refused `Bearer` a challenge of its own, too',                              schema: { type: 'string' } },
  'Deprecation':          { description: 'since when this address is deprecated, as RFC 9745 writes it; `/docs/deprecations` says what to use', schema: { type: 'string' } },
  'Dry-Run':              { description: '`true` when the answer tells what would have happened',                          schema: { type: 'string', enum: ['true'] } },
  'Idempotency-Replayed': { description: '`true` when the answer is that of an earlier request with the same key',         schema: { type: 'string', enum: ['true', 'false'] } },
}

/** A response for each set of codes that some endpoint gives with one status, unless the endpoint has a result of its own with that status. */
export function problemResponses(format: 'json' | 'xml'): JsonSchema {
  const sets = endpoints.flatMap((endpoint) => {
    const own = Object.keys(alsoAnswered(endpoint))
    return [...refusalsOf(endpoint)].filter(([status]) => !own.includes(String(status)))
  })
  return Object.fromEntries(sets.map(([, codes]) => [problemName(codes), problemResponse(codes, format)]))
}

export function problemResponse(codes: readonly FailureCode[], format: 'json' | 'xml'): JsonSchema {
  const [first = 'internal'] = codes
  const says = codes.map((code) => `\`${code}\`: ${problems[code].sentence}.`).join(' ')
  return {
    description: format === 'xml' ? `${says}${fenced(bodyOf(first, 'xml'))}` : says,
    headers: headersFor(['X-Request-Id', ...codes.flatMap((code) => refusalHeaders[code] ?? rated)]),
    content:
      format === 'xml'
        ? { 'application/xml': { schema: { $ref: '#/components/schemas/Errors' }, example: [{ code: first }] } }
        : { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples: examplesOf(codes) } },
  }
}

function examplesOf(codes: readonly FailureCode[]): JsonSchema {
  return Object.fromEntries(codes.map((code) => [code, { value: JSON.parse(bodyOf(code, 'json')) }]))
}

function bodyOf(code: FailureCode, format: 'json' | 'xml'): string {
  const asked = { format, requestId: '0b5e5a3c-6a8e-4c57-8f0e-2d8f4c1b9a70', baseUrl: 'https://marquee.example' }
  return problemBody(new Failure(code), asked).body
}

/** A fenced code block in Markdown. */
export function fenced(xml: string): string {
  return `\n\n\`\`\`xml\n${xml}\`\`\``
}

const rated = ['RateLimit', 'RateLimit-Policy']

/** Headers besides the request id; an unknown caller has no rate limit headers. */
const refusalHeaders: Partial<Record<FailureCode, readonly string[]>> = {
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  too_many_requests: [...rated, 'Retry-After'],
  conflict: [...rated, 'Retry-After'],
  gone: [...rated, 'First-Cursor'],
  overloaded: ['Retry-After'],
  unavailable: [],
}

/** A name such as `MalformedBodyOrBadRequest`; a code implies its status. */
export function problemName(codes: readonly FailureCode[]): string {
  return codes.map(pascal).join('Or')
}

export function headersFor(names: readonly string[]): JsonSchema {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
