/** The request bodies and answers of the operations in an OpenAPI document, in the format of the document. */

import { isList, type Shape, xmlFieldName } from '../../fields/shape.ts'
import { incomingSchemaOf, type JsonSchema, requestSchemaOf, schemaOf } from '../../fields/to-schema.ts'
import type { FailureCode } from '../../lib/failures.ts'
import { deprecationOf } from '../deprecations.ts'
import { type Content, type Endpoint, hasPages, isReport } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { isRepeatable } from '../idempotency.ts'
import { contentOf, contentsOf, namedShapes, pascal, recordOf } from './named-records.ts'
import { fenced, headersFor, problemName, problemResponse } from './openapi-problems.ts'
import { alsoAnswered, isConditional, refusalsOf } from './possible-errors.ts'
import { sampleAnswer, sampleSent, sampleSentXml } from './samples.ts'

/** The formats of the addresses. */
export type DocumentFormat = 'json' | 'xml' | 'csv'

/** Schemas that are in the document once, by name. */
export function recordSchemas(format: 'json' | 'xml'): JsonSchema {
  const schemas = namedShapes().map(({ name, element, shape, isSent }) => {
    const schema = isSent ? requestSchemaOf(shape, refTo) : schemaOf(shape, refTo)
    return [name, format === 'json' ? withoutXml(schema) : { ...schema, xml: { name: xmlFieldName(element) } }]
  })
  return { ...(Object.fromEntries(schemas) as JsonSchema), ...observationSchemas() }
}

/** A document about JSON needs no element names. */
function withoutXml(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'xml' ? undefined : value)))
}

/** The records that can be pushed: a schema for each kind, and one for any of them. */
function observationSchemas(): JsonSchema {
  const taking = endpoints.find(({ takes }) => takes !== undefined)
  const kinds = Object.entries(taking?.takes?.kinds ?? {})
  const named = kinds.map(([kind, { about, fields }]) => [`${pascal(kind)}Observation`, incomingSchemaOf(kind, about, fields)] as const)
  const mapping = kinds.map(([kind]) => [kind, `#/components/schemas/${pascal(kind)}Observation`] as const)
  const observation = {
    description: 'What was measured; `type` says of which kind.',
    oneOf: mapping.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  }
  return { ...Object.fromEntries(named), Observation: observation }
}

/** Pushed data is JSON, whatever the extension says about the answer. */
export function requestOf(endpoint: Endpoint, format: DocumentFormat): JsonSchema | null {
  if (endpoint.body !== undefined) {
    const description = format === 'xml' ? `A record in XML.${fenced(sampleSentXml(endpoint.body))}` : 'A record in JSON.'
    return { required: true, description, content: requestContent(endpoint, endpoint.body, format) }
  }
  if (endpoint.takes === undefined) return null
  const [array, lines, table] = endpoint.takes.mediaTypes
  return {
    required: true,
    description: `At most ${endpoint.takes.maxBytes.toLocaleString('en-US')} bytes; gzip is taken.`,
    content: {
      [array ?? '']: {
        schema: { type: 'array', items: { $ref: '#/components/schemas/Observation' } },
        example: sampleSent(endpoint),
      },
      [lines ?? '']: { schema: { type: 'string', description: 'one record a line' } },
      [table ?? '']: { schema: { type: 'string', description: 'a header, then a record a row' } },
      ...Object.fromEntries((endpoint.takes.files ?? []).map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
    },
  }
}

function requestContent(endpoint: Endpoint, body: Content, format: DocumentFormat): JsonSchema {
  if (format === 'xml') return { 'application/xml': { schema: xmlSchema(body), example: inner(body, sampleSent(endpoint)) } }
  return { 'application/json': { schema: jsonSchema(body), example: sampleSent(endpoint) } }
}

/** The successful answers first, then the refusals by status. */
export function answersOf(endpoint: Endpoint, format: DocumentFormat): JsonSchema {
  const refusals = [...refusalsOf(endpoint)].map(([status, codes]): [number, JsonSchema] => [
    status,
    { $ref: `#/components/responses/${problemName(codes)}` },
  ])
  const merged = new Map(refusals)
  for (const [status, answer] of goodAnswers(endpoint, format)) {
    const codes = refusalsOf(endpoint).get(status)
    merged.set(status, codes === undefined ? answer : orRefused(answer, codes, format))
  }
  return Object.fromEntries([...merged].toSorted(([a], [b]) => a - b))
}

/** For a status that can be both a result of its own and a refusal. */
function orRefused(answer: JsonSchema, codes: readonly FailureCode[], format: DocumentFormat): JsonSchema {
  const { description, content } = problemResponse(codes, format === 'json' ? 'json' : 'xml')
  const [own, refused] = [answer['content'], content] as [JsonSchema, Record<string, { schema: JsonSchema }>]
  const merged = Object.entries({ ...refused, ...own }).map(([type, media]) => {
    const both = type in own && type in refused ? [(own[type] as { schema: JsonSchema }).schema, refused[type]?.schema] : []
    return [type, both.length === 0 ? media : { ...(media as object), schema: { oneOf: both } }]
  })
  return { ...answer, description: `${answer['description']}; or ${description}`, content: Object.fromEntries(merged) }
}

function goodAnswers(endpoint: Endpoint, format: DocumentFormat): [number, JsonSchema][] {
  const status = 'answer' in endpoint ? endpoint.answer.status : 200
  const also = Object.entries(alsoAnswered(endpoint))
  const content = answerContent(endpoint, format)
  const answer = (code: number, says: string): [number, JsonSchema] => [
    code,
    {
      description: `${says}${shown(endpoint, format)}`,
      headers: headersFor(headersOf(endpoint, code)),
      ...(content !== null && { content }),
    },
  ]
  return [
    answer(status, { 200: 'OK', 201: 'Created', 202: 'Accepted' }[status]),
    ...also.map(([other, says]) => answer(Number(other), says)),
    ...(isReport(endpoint) ? [[304, notModified] as [number, JsonSchema]] : []),
  ]
}

const notModified = {
  description: 'Nothing has changed since the answer whose `ETag` was sent.',
  headers: headersFor(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'ETag']),
}

function headersOf(endpoint: Endpoint, status: number): string[] {
  const isPaged = hasPages(endpoint) && !endpoint.areLines
  return [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    ...(status === 201 || status === 202 ? ['Location'] : []),
    ...(isPaged ? ['Link'] : []),
    ...(isReport(endpoint) || isConditional(endpoint) ? ['ETag'] : []),
    ...(isRepeatable(endpoint) ? ['Idempotency-Replayed'] : []),
    ...(endpoint.takesDryRun ? ['Dry-Run'] : []),
    ...(deprecationOf(endpoint) === undefined ? [] : ['Deprecation']),
  ]
}

function answerContent(endpoint: Endpoint, format: DocumentFormat): JsonSchema | null {
  const content = contentOf(endpoint)
  if (format === 'csv') return { 'text/csv': { schema: { type: 'string', description: 'one of the flat tables, with a head line' } } }
  if (endpoint.areLines) return { 'application/x-ndjson': { schema: { type: 'string', description: 'one JSON object a line' } } }
  if (content === undefined) return null
  const example: unknown = JSON.parse(sampleAnswer(content, 'json', 'typed'))
  return format === 'xml'
    ? { 'application/xml': { schema: anyOf(contentsOf(endpoint).map(xmlSchema)), example: inner(content, example) } }
    : { 'application/json': { schema: anyOf(contentsOf(endpoint).map(jsonSchema)), example } }
}

/** A dry run may have another answer than the request itself. */
function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 ? (schemas[0] as JsonSchema) : { anyOf: schemas }
}

/** Examples must have the type that the schema states, so XML examples are in the description. */
function shown(endpoint: Endpoint, format: DocumentFormat): string {
  const content = contentOf(endpoint)
  if (content === undefined || format !== 'xml') return ''
  return fenced(sampleAnswer(content, 'xml', isReport(endpoint) ? 'untyped' : 'typed'))
}

/** The content below the root. */
function inner({ root }: Content, example: unknown): unknown {
  return root === 'hash' ? example : (example as Record<string, unknown>)[root]
}

function xmlSchema({ root, of }: Content): JsonSchema {
  if (!isList(of)) return { $ref: refOf(of) }
  return { type: 'array', items: { $ref: refOf(of.of as Shape) }, xml: { name: xmlFieldName(root), wrapped: true } }
}

function jsonSchema({ root, of }: Content): JsonSchema {
  if (root === 'hash') return { $ref: refOf(of as Shape) }
  const inner = isList(of) ? { type: 'array', items: { $ref: refOf(of.of as Shape) } } : { $ref: refOf(of) }
  return { type: 'object', properties: { [root]: inner }, required: [root] }
}

function refTo(shape: Shape): JsonSchema {
  return { $ref: refOf(shape) }
}

function refOf(shape: Shape): string {
  return `#/components/schemas/${recordOf(shape).name}`
}
