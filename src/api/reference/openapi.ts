/** The API as an OpenAPI 3.1 document, derived from the tables: every operation, every status it can answer, both formats. */

import type { JsonSchema } from '../../fields/to-schema.ts'
import { textKinds } from '../../lib/text-kinds.ts'
import type { Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { notes } from './endpoint-notes.ts'
import { answersOf, recordSchemas, requestOf } from './openapi-bodies.ts'
import { problemResponses, problemSchemas } from './openapi-problems.ts'
import { operationId } from './operation-id.ts'
import { isRepeatable } from './possible-errors.ts'

export function openApi(version: string): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marquee',
      version,
      summary: 'Partner provisioning and reporting.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'the service that serves this document' }],
    security: [{ partner: [] }],
    tags,
    paths: pathsOf(),
    components: {
      securitySchemes: {
        partner: { type: 'http', scheme: 'basic', description: 'The partner key as user name, its password as password.' },
      },
      schemas: { ...recordSchemas(), ...problemSchemas },
      responses: problemResponses(),
      headers,
    },
  }
}

const description = [
  'Every address answers in XML and JSON. An extension on the path decides (`/api/users.xml`, `/api/users.json`);',
  'without one the `Accept` header does, and without that the answer is XML.',
  'Bodies may be XML, JSON or forms; hyphens and underscores in names are the same; the root element may be left out in JSON and forms.',
].join(' ')

const tags = [
  { name: 'provision', description: 'Users, abilities, businesses, accounts and sites. Needs the key and its password.' },
  { name: 'report', description: 'Reports. The key alone suffices, unless the partner has switched that off.' },
  { name: 'ingest', description: 'Measured data in. Needs a key with the scope `ingest`, and its password.' },
]

// biome-ignore format: a table reads by its columns
const headers = {
  'X-Request-Id':  { description: 'names this request in our log',              schema: { type: 'string' } },
  Location:        { description: 'where the new record is shown',              schema: { type: 'string', format: 'uri' } },
  Link:            { description: '`rel="next"` leads to the next page',        schema: { type: 'string' } },
  ETag:            { description: 'for `If-None-Match`',                        schema: { type: 'string' } },
  'Retry-After':   { description: 'seconds to wait',                            schema: { type: 'integer' } },
  Allow:           { description: 'the methods this address takes',             schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'always `Basic realm="Marquee", charset="UTF-8"`', schema: { type: 'string' } },
  'Idempotency-Replayed': { description: '`true` when the answer is that of an earlier request with the same key', schema: { type: 'string' } },
}

function pathsOf(): JsonSchema {
  const addresses = endpoints.flatMap((endpoint) => [
    { path: `/api/${endpoint.path}`, endpoint, suffix: '' },
    ...(endpoint.alias === undefined ? [] : [{ path: endpoint.alias, endpoint, suffix: 'AtRoot' }]),
  ])
  const byPath = Map.groupBy(addresses, ({ path }) => path)
  return Object.fromEntries([...byPath].map(([path, here]) => [path, operationsAt(here)]))
}

function operationsAt(here: readonly { endpoint: Endpoint; suffix: string }[]): JsonSchema {
  return Object.fromEntries(here.map(({ endpoint, suffix }) => [endpoint.method.toLowerCase(), operationOf(endpoint, suffix)]))
}

function operationOf(endpoint: Endpoint, suffix: string): JsonSchema {
  const { method, path, access, summary } = endpoint
  const parameters = parametersOf(endpoint)
  const requestBody = requestOf(endpoint)
  return {
    operationId: operationId(endpoint) + suffix,
    tags: [access],
    summary,
    description: notes[`${method} ${path}`] ?? summary,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== null && { requestBody }),
    responses: answersOf(endpoint),
  }
}

function parametersOf(endpoint: Endpoint): JsonSchema[] {
  const { id, flag } = textKinds
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: id.schema }))
  const inQuery = Object.entries(endpoint.query ?? {}).map(([name, { kind, note }]) => ({
    name,
    in: 'query',
    description: note,
    ...(kind === flag && { allowEmptyValue: true }),
    schema: kind.schema,
  }))
  return [
    ...inPath,
    ...inQuery,
    ...(isRepeatable(endpoint) ? [idempotencyKey] : []),
    ...(endpoint.access === 'report' ? [ifNoneMatch] : []),
  ]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the client. The same key with the same content within 72 hours is answered with the same bytes, and nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer: 304 when nothing has changed since.',
  schema: { type: 'string' },
}
