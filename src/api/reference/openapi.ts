/** The API as OpenAPI 3.1, derived from the tables: one document whose addresses end in `.json`, and one whose addresses end in `.xml`. */

import type { JsonSchema } from '../../fields/to-schema.ts'
import { textKinds } from '../../lib/text-kinds.ts'
import { deprecationOf } from '../deprecations.ts'
import { type Endpoint, isReport } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { isRepeatable } from '../idempotency.ts'
import { notes } from './endpoint-notes.ts'
import { answersOf, type DocumentFormat, recordSchemas, requestOf } from './openapi-bodies.ts'
import { headerComponents, problemResponses, problemSchemas } from './openapi-problems.ts'
import { isConditional } from './possible-errors.ts'
import { resourceOf, resources } from './resources.ts'
import { exampleIds } from './samples.ts'

export function openApi(version: string, format: 'json' | 'xml'): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marquee',
      version,
      summary: 'Partner provisioning and reporting.',
      description: descriptionOf(format),
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'the service that serves this document' }],
    security: [{ partner: [] }, { bearer: [] }],
    tags: Object.entries(resources).map(([name, { title, about }]) => ({ name, 'x-displayName': title, description: about })),
    paths: pathsOf(format),
    components: {
      securitySchemes: {
        partner: { type: 'http', scheme: 'basic', description: 'The partner key as user name, its password as password.' },
        bearer: { type: 'http', scheme: 'bearer', description: '`KEY:PASSWORD`, for tools that know only bearer tokens.' },
      },
      schemas: { ...recordSchemas(format), ...problemSchemas[format] },
      responses: problemResponses(format),
      headers: headerComponents,
    },
  }
}

function descriptionOf(format: 'json' | 'xml'): string {
  return [
    `Every address answers in XML and JSON; this document tells of the addresses that end in \`.${format}\`, and its sister`,
    format === 'json' ? '(`/openapi-xml.json`) of those that end in `.xml`.' : '(`/openapi.json`) of those that end in `.json`.',
    'Without an extension the `Accept` header decides. Bodies may be XML, JSON or forms, whatever the extension;',
    'hyphens and underscores in names are the same; the root may be left out in JSON and forms.',
  ].join(' ')
}

interface DescribedAddress {
  readonly path: string
  readonly endpoint: Endpoint
  readonly suffix: string
  readonly format: DocumentFormat
}

function pathsOf(format: 'json' | 'xml'): JsonSchema {
  const byPath = Map.groupBy(
    endpoints.flatMap((endpoint) => addressesOf(endpoint, format)),
    ({ path }) => path,
  )
  return Object.fromEntries([...byPath].map(([path, here]) => [path, operationsAt(here)]))
}

/** If an endpoint also writes CSV, the XML document contains that address too, because its refusals are in XML. */
function addressesOf(endpoint: Endpoint, format: 'json' | 'xml'): DescribedAddress[] {
  if (endpoint.formats?.includes(format) === false) return []
  const main = { path: `/api/${endpoint.path}.${format}`, endpoint, suffix: '', format }
  const alias = endpoint.alias === undefined ? [] : [{ ...main, path: `${endpoint.alias}.${format}`, suffix: 'AtRoot' }]
  const hasTables = format === 'xml' && endpoint.formats?.includes('csv') === true
  const csv = hasTables ? [{ ...main, path: `/api/${endpoint.path}.csv`, suffix: 'Csv', format: 'csv' as const }] : []
  return [main, ...alias, ...csv]
}

function operationsAt(here: readonly DescribedAddress[]): JsonSchema {
  return Object.fromEntries(here.map((address) => [address.endpoint.method.toLowerCase(), operationOf(address)]))
}

function operationOf({ endpoint, suffix, format }: DescribedAddress): JsonSchema {
  const { method, path, summary } = endpoint
  const parameters = parametersOf(endpoint)
  const requestBody = requestOf(endpoint, format)
  return {
    operationId: endpoint.id + suffix,
    ...(deprecationOf(endpoint) !== undefined && { deprecated: true }),
    tags: [resourceOf(endpoint)],
    summary: summary + (summarySuffixes[suffix] ?? ''),
    description: notes[`${method} ${path}`] ?? summary,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== null && { requestBody }),
    responses: answersOf(endpoint, format),
  }
}

const summarySuffixes: Readonly<Record<string, string>> = { Csv: ', as CSV', AtRoot: ', at its second address' }

function parametersOf(endpoint: Endpoint): JsonSchema[] {
  const { id, flag } = textKinds
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    example: exampleIds[name] ?? 1,
    schema: id.schema,
  }))
  const inQuery = Object.entries(endpoint.query ?? {}).map(([name, { kind, note, isRequired }]) => ({
    name,
    in: 'query',
    description: note,
    ...(isRequired && { required: true }),
    ...(kind === flag && { allowEmptyValue: true }),
    schema: kind.schema,
  }))
  return [
    ...inPath,
    ...inQuery,
    ...(isRepeatable(endpoint) ? [idempotencyKey] : []),
    ...(isConditional(endpoint) && endpoint.method !== 'GET' ? [ifMatch] : []),
    ...(isReport(endpoint) ? [ifNoneMatch] : []),
  ]
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Chosen by the client. The same key with the same content within 72 hours is answered with the same bytes, and nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of what the change is based on: 412, and nothing is changed, when it has changed since.',
  schema: { type: 'string' },
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer: 304 when nothing has changed since.',
  schema: { type: 'string' },
}
