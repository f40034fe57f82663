/** Problems in the OpenAPI document: both error bodies, and one response for each set of codes under a status. */

import type { JsonSchema } from '../../fields/to-schema.ts'
import { Failure, type FailureCode } from '../../lib/failures.ts'
import { fieldErrorSentences, problems } from '../../resources/problem.ts'
import { endpoints } from '../endpoints.ts'
import { problemBody } from '../problems.ts'
import { refusalsOf } from './possible-errors.ts'

export const problemSchemas: JsonSchema = {
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

/** Each set of codes that some endpoint answers with one status. */
export function problemResponses(): JsonSchema {
  const sets = endpoints.flatMap((endpoint) => [...refusalsOf(endpoint)])
  return Object.fromEntries(sets.map(([status, codes]) => [problemName(status, codes), problemResponse(codes)]))
}

function problemResponse(codes: readonly FailureCode[]): JsonSchema {
  const example = (format: 'xml' | 'json') => {
    const asked = { format, requestId: '0b5e5a3c-6a8e-4c57-8f0e-2d8f4c1b9a70', baseUrl: 'https://marquee.example' }
    const entries = codes.map((code) => [code, { value: parsed(format, problemBody(new Failure(code), asked).body) }])
    return Object.fromEntries(entries)
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].sentence}.`).join(' '),
    headers: headersFor(['X-Request-Id', ...codes.flatMap((code) => refusalHeaders[code] ?? [])]),
    content: {
      'application/xml': { schema: { $ref: '#/components/schemas/Errors' }, examples: example('xml') },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples: example('json') },
    },
  }
}

const refusalHeaders: Partial<Record<FailureCode, readonly string[]>> = {
  unauthorized: ['WWW-Authenticate'],
  method_not_allowed: ['Allow'],
  too_many_requests: ['Retry-After'],
  overloaded: ['Retry-After'],
}

export function problemName(status: number, codes: readonly FailureCode[]): string {
  return [status, ...codes].join('.')
}

export function headersFor(names: readonly string[]): JsonSchema {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** An example as the document holds it: JSON as JSON, XML as text. */
export function parsed(format: 'xml' | 'json', body: string): unknown {
  return format === 'json' ? JSON.parse(body) : body
}
