/** What operations of the OpenAPI document take and answer: records and lists, in each format. */

import { isList, type Shape, xmlFieldName } from '../../fields/shape.ts'
import { incomingSchemaOf, type JsonSchema, requestSchemaOf, schemaOf } from '../../fields/to-schema.ts'
import type { Content, Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { contentOf, namedShapes, pascal, recordOf } from './named-records.ts'
import { headersFor, parsed, problemName } from './openapi-problems.ts'
import { isRepeatable, refusalsOf } from './possible-errors.ts'
import { sampleAnswer } from './samples.ts'

/** Shapes that stand in the document once, under the name of what they describe. */
export function recordSchemas(): JsonSchema {
  const schemas = namedShapes().map(({ name, element, shape, isSent }) => {
    const schema = isSent ? requestSchemaOf(shape, refTo) : schemaOf(shape, refTo)
    return [name, { ...schema, xml: { name: xmlFieldName(element) } }]
  })
  return { ...Object.fromEntries(schemas), ...observationSchemas() }
}

/** What can be pushed: a schema for each kind, and one for any of them. */
function observationSchemas(): JsonSchema {
  const kinds = endpoints.flatMap((endpoint) => ('takes' in endpoint ? Object.entries(endpoint.takes?.kinds ?? {}) : []))
  const named = kinds.map(([kind, { about, fields }]) => [`${pascal(kind)}Observation`, incomingSchemaOf(kind, about, fields)] as const)
  const mapping = kinds.map(([kind]) => [kind, `#/components/schemas/${pascal(kind)}Observation`] as const)
  const observation = {
    description: 'What was measured; `type` says of which kind.',
    oneOf: mapping.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  }
  return { ...Object.fromEntries(named), Observation: observation }
}

export function requestOf(endpoint: Endpoint): JsonSchema | null {
  if (endpoint.body !== undefined) return { required: true, content: requestContent(endpoint.body) }
  if (!('takes' in endpoint) || endpoint.takes === undefined) return null
  const [array, lines] = endpoint.takes.mediaTypes
  return {
    required: true,
    description: `At most ${endpoint.takes.maxBytes.toLocaleString('en-US')} bytes; gzip is taken.`,
    content: {
      [array ?? '']: { schema: { type: 'array', items: { $ref: '#/components/schemas/Observation' } } },
      [lines ?? '']: { schema: { type: 'string', description: 'one record a line' } },
    },
  }
}

/** The good answers first, then the refusals by status. */
export function answersOf(endpoint: Endpoint): JsonSchema {
  const refusals = [...refusalsOf(endpoint)].map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${problemName(status, codes)}` },
  ])
  return Object.fromEntries([...refusals, ...goodAnswers(endpoint)].toSorted(([a], [b]) => Number(a) - Number(b)))
}

function goodAnswers(endpoint: Endpoint): [number, JsonSchema][] {
  const status = 'answer' in endpoint ? endpoint.answer.status : 200
  const also = 'also' in endpoint ? Object.entries(endpoint.also ?? {}) : []
  const good = {
    description: status === 201 ? 'Created' : 'OK',
    headers: headersFor(headersOf(endpoint, status)),
    content: answerContent(endpoint),
  }
  return [
    [status, good],
    ...also.map(([other, description]): [number, JsonSchema] => [Number(other), { ...good, description }]),
    ...(endpoint.access === 'report' ? [[304, notModified] as [number, JsonSchema]] : []),
  ]
}

const notModified = {
  description: 'Nothing has changed since the answer whose `ETag` was sent.',
  headers: headersFor(['X-Request-Id', 'ETag']),
}

function headersOf(endpoint: Endpoint, status: number): string[] {
  const isPaged = endpoint.query?.['after'] !== undefined
  return [
    'X-Request-Id',
    ...(status === 201 ? ['Location'] : []),
    ...(isPaged ? ['Link'] : []),
    ...(endpoint.access === 'report' ? ['ETag'] : []),
    ...(isRepeatable(endpoint) ? ['Idempotency-Replayed'] : []),
  ]
}

function answerContent(endpoint: Endpoint): JsonSchema {
  const content = contentOf(endpoint)
  const nulls = endpoint.access === 'report' ? 'untyped' : 'typed'
  const example = (format: 'xml' | 'json') => content && { example: parsed(format, sampleAnswer(content, format, nulls)) }
  return {
    'application/xml': { schema: content ? xmlSchema(content) : {}, ...example('xml') },
    'application/json': { schema: content ? jsonSchema(content) : {}, ...example('json') },
    ...(endpoint.formats?.includes('csv') && { 'text/csv': { schema: { type: 'string' } } }),
  }
}

function xmlSchema({ root, of }: Content): JsonSchema {
  if (!isList(of)) return { $ref: refOf(of) }
  return { type: 'array', items: { $ref: refOf(of.of as Shape) }, xml: { name: root, wrapped: true } }
}

function jsonSchema({ root, of }: Content): JsonSchema {
  if (root === 'hash') return { $ref: refOf(of as Shape) }
  const inner = isList(of) ? { type: 'array', items: { $ref: refOf(of.of as Shape) } } : { $ref: refOf(of) }
  return { type: 'object', properties: { [root]: inner }, required: [root] }
}

function requestContent(body: Content): JsonSchema {
  const [xml, json] = [xmlSchema(body), jsonSchema(body)]
  return {
    'application/xml': { schema: xml },
    'application/json': { schema: isList(body.of) ? json : { anyOf: [json, xml] } },
    'application/x-www-form-urlencoded': { schema: isList(body.of) ? json : xml },
  }
}

function refTo(shape: Shape): JsonSchema {
  return { $ref: refOf(shape) }
}

function refOf(shape: Shape): string {
  return `#/components/schemas/${recordOf(shape).name}`
}
