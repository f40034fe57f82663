/** The generated half of the TypeScript client: the types of all records, and one method for each operation. */
import { type Endpoint, hasPages, isReport } from '../src/api/endpoint.ts'
import { endpoints } from '../src/api/endpoints.ts'
import { isRepeatable } from '../src/api/idempotency.ts'
import { notes } from '../src/api/reference/endpoint-notes.ts'
import { contentOf, pascal, recordOf, shapeIn } from '../src/api/reference/named-records.ts'
import { openApi } from '../src/api/reference/openapi.ts'
import { isGetAction } from '../src/api/reference/possible-errors.ts'
import { isList } from '../src/fields/shape.ts'
import type { JsonSchema } from '../src/fields/to-schema.ts'
import { fieldErrorSentences, problems } from '../src/resources/problem.ts'
import { typeText } from './typescript.ts'

/** GET that acts is left to old clients. */
const offered = endpoints.filter((endpoint) => !isGetAction(endpoint))

export function clientTypes(): string {
  const { schemas } = openApi('', 'json')['components'] as { schemas: Record<string, JsonSchema> }
  const records = Object.entries(schemas).map(([name, schema]) => declaration(name, schema))
  return [
    '/** The records of the API. Written by `npm run generate` from the tables of the service; do not edit. */\n',
    union('ProblemCode', 'Why a request was refused.', Object.keys(problems)),
    union('FieldErrorCode', 'What is wrong with a field.', Object.keys(fieldErrorSentences)),
    ...records,
    ...offered.filter(takesQuery).map(queryDeclaration),
  ].join('\n')
}

export function clientOperations(): string {
  const methods = offered.flatMap((endpoint) =>
    isReport(endpoint)
      ? [reportMethod(endpoint), streamMethod(endpoint)]
      : endpoint.areLines
        ? [linesMethod(endpoint)]
        : endpoint.receives === 'file'
          ? [fileMethod(endpoint)]
          : [method(endpoint), ...previewMethod(endpoint), ...formerMethod(endpoint)],
  )
  const used = (name: string) => new RegExp(`\\b${name}\\b`).test(methods.join(''))
  const types = [...typeNames()].filter(used).toSorted()
  const options = optionNames.filter(used).toSorted()
  return `/** One method for each operation of the API. Written by \`npm run generate\` from the table of endpoints; do not edit. */

import type { FileSource } from './bodies.ts'
import type { Connection } from './connection.ts'
import type { RecordList } from './list.ts'
import type { ${options.join(', ')} } from './options.ts'
import type {
${types.map((name) => `  ${name},\n`).join('')}} from './types.ts'

export class Operations {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

${methods.join('\n')}}
`
}

const optionNames = [
  'CallOptions',
  'CreateOptions',
  'CsvReportOptions',
  'DocumentReportOptions',
  'ReportOptions',
  'ReportStream',
  'UploadOptions',
  'WriteOptions',
]

function declaration(name: string, schema: JsonSchema): string {
  const about = documented(schema['description'] as string | undefined, '')
  const isRecord = 'properties' in schema
  return isRecord ? `${about}export interface ${name} ${typeText(schema, '')}\n` : `${about}export type ${name} = ${typeText(schema, '')}\n`
}

function union(name: string, about: string, words: readonly string[]): string {
  return `${documented(about, '')}export type ${name} =\n${words.map((word) => `  | '${word}'\n`).join('')}`
}

function takesQuery(endpoint: Endpoint): boolean {
  return ownParameters(endpoint).length > 0
}

/** The cursor is the client's own business; a dry run is an option of every write, and the partner's own id one of what creates. */
function ownParameters(endpoint: Endpoint) {
  const { query = {}, takesDryRun, areLines } = endpoint
  const hidden = [
    ...(!areLines && hasPages(endpoint) ? ['after'] : []),
    ...(takesDryRun ? ['dry_run'] : []),
    ...(takesOwnId(endpoint) ? ['external_id'] : []),
  ]
  return Object.entries(query).filter(([name]) => !hidden.includes(name))
}

function takesOwnId({ method, query }: Endpoint): boolean {
  return method === 'POST' && query?.['external_id'] !== undefined
}

function previewOf(endpoint: Endpoint) {
  return 'preview' in endpoint ? endpoint.preview?.answer.content : undefined
}

function queryDeclaration(endpoint: Endpoint): string {
  const lines = ownParameters(endpoint).map(
    ([name, { kind, note, isRequired }]) => `${documented(note, '  ')}  ${name}${isRequired ? '' : '?'}: ${queryType(kind.schema)}\n`,
  )
  const former =
    endpoint.was === undefined ? '' : `\n/** @deprecated */\nexport type ${queryName(endpoint.was)} = ${queryName(endpoint.id)}\n`
  return `${documented(`How ${endpoint.summary.toLowerCase()} is narrowed.`, '')}export interface ${queryName(endpoint.id)} {\n${lines.join('')}}\n${former}`
}

function queryType(schema: JsonSchema): string {
  if ((schema['enum'] as readonly string[] | undefined)?.includes('yes')) return 'boolean'
  return String(schema['pattern']).includes(',') ? 'number | readonly number[]' : typeText(schema, '')
}

function queryName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`
}

function method(endpoint: Endpoint): string {
  const isPaged = hasPages(endpoint)
  const options = takesOwnId(endpoint) ? 'CreateOptions' : endpoint.method === 'GET' ? 'CallOptions' : 'WriteOptions'
  const taken = [...parametersOf(endpoint), `options?: ${options}`].join(', ')
  const { type, call } = answered(endpoint, isPaged)
  return `${documented(sentenceOf(endpoint), '  ')}  ${endpoint.id}(${taken}): ${type} {
    return this.#connection.${call}
  }
`
}

/** The name the method had before. */
function formerMethod({ id, was }: Endpoint): string[] {
  return was === undefined ? [] : [`  /** @deprecated It is called \`${id}\` now. */\n  get ${was}() {\n    return this.${id}\n  }\n`]
}

/** What a call would do, without doing it. */
function previewMethod(endpoint: Endpoint): string[] {
  const content = previewOf(endpoint)
  if (content === undefined) return []
  const { id } = endpoint
  const taken = [...parametersOf(endpoint), 'options?: WriteOptions'].join(', ')
  const call = callText(endpoint).replace(', isRepeatable: true', '')
  return [
    `${documented(`What \`${id}\` would do. Nothing is changed.`, '  ')}  preview${id.charAt(0).toUpperCase()}${id.slice(1)}(${taken}): Promise<${recordOf(shapeIn(content)).name}> {
    return this.#connection.record(${call}, ${content.root === 'hash' ? 'null' : `'${content.root}'`}, { ...options, dryRun: true })
  }
`,
  ]
}

function answered(endpoint: Endpoint, isPaged: boolean): { type: string; call: string } {
  const content = contentOf(endpoint)
  const call = callText(endpoint)
  if (content === undefined) return { type: 'Promise<void>', call: `nothing(${call}, options)` }
  const record = recordOf(shapeIn(content)).name
  const root = content.root === 'hash' ? 'null' : `'${content.root}'`
  if (isPaged) return { type: `RecordList<${record}>`, call: `list(${call}, ${root}, options)` }
  return { type: `Promise<${record}${isList(content.of) ? '[]' : ''}>`, call: `record(${call}, ${root}, options)` }
}

function reportMethod(endpoint: Endpoint): string {
  const taken = [...parametersOf(endpoint), 'options?: CallOptions'].join(', ')
  const { type, call } = answered(endpoint, false)
  return `${documented(sentenceOf(endpoint), '  ')}  ${endpoint.id}(${taken}): ${type} {
    return this.#connection.${call}
  }
`
}

function streamMethod(endpoint: Endpoint): string {
  const { id } = endpoint
  const name = `stream${id.charAt(0).toUpperCase()}${id.slice(1)}`
  const [forms, taken] = formsOf(endpoint, name)
  return `${documented(`${endpoint.summary} as it comes, in JSON, XML or CSV.`, '  ')}${forms}  ${name}(${taken}): Promise<ReportStream> {
    return this.#connection.stream(${callText(endpoint)}, options)
  }
`
}

/** Where CSV is a choice of tables, its type needs one. */
function formsOf(endpoint: Endpoint, name: string): [overloads: string, taken: string] {
  const given = parametersOf(endpoint)
  if (endpoint.query?.['table'] === undefined) return ['', [...given, 'options?: ReportOptions'].join(', ')]
  const type = queryName(endpoint.id)
  const ids = given.filter((parameter) => !parameter.startsWith('query'))
  const forms = [
    [...ids, `query: ${type} & Required<Pick<${type}, 'table'>>`, 'options: CsvReportOptions'],
    [...given, 'options?: DocumentReportOptions'],
  ]
  const overloads = forms.map((form) => `  ${name}(${form.join(', ')}): Promise<ReportStream>\n`).join('')
  return [overloads, [...given, 'options?: ReportOptions'].join(', ')]
}

/** A file is sent as it is. */
function fileMethod(endpoint: Endpoint): string {
  const content = contentOf(endpoint)
  if (content === undefined) throw new Error(`${endpoint.id} takes a file and answers nothing`)
  const taken = [
    ...parametersOf(endpoint).map((parameter) => parameter.replace(/^observations: .*/, 'file: FileSource')),
    'options?: UploadOptions',
  ]
  const call = callText(endpoint).replace(', body: observations', '')
  return `${documented(sentenceOf(endpoint), '  ')}  ${endpoint.id}(${taken.join(', ')}): Promise<${recordOf(shapeIn(content)).name}> {
    return this.#connection.upload(${call}, file, '${content.root}', options)
  }
`
}

/** The cursor is told by the lines. */
function linesMethod(endpoint: Endpoint): string {
  const taken = [...parametersOf(endpoint), 'options?: CallOptions'].join(', ')
  return `${documented(sentenceOf(endpoint), '  ')}  ${endpoint.id}(${taken}): Promise<ReportStream> {
    return this.#connection.stream(${callText(endpoint)}, options)
  }
`
}

/** Ids of the path, then what is sent, then the query. */
function parametersOf(endpoint: Endpoint): string[] {
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `${camel(name)}: number`)
  const isNeeded = ownParameters(endpoint).some(([, { isRequired }]) => isRequired)
  const query = takesQuery(endpoint) ? [`query${isNeeded ? '' : '?'}: ${queryName(endpoint.id)}`] : []
  return [...ids, ...sentParameter(endpoint), ...query]
}

function sentParameter(endpoint: Endpoint): string[] {
  if (endpoint.body !== undefined) {
    const { root, of } = endpoint.body
    const record = recordOf(shapeIn(endpoint.body)).name
    return [isList(of) ? `${camel(root)}: readonly ${record}[]` : `${camel(root)}: ${record}`]
  }
  return endpoint.takes !== undefined ? ['observations: readonly Observation[]'] : []
}

function callText(endpoint: Endpoint): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camel(name)}}`)
  const quote = path.includes('${') ? '`' : "'"
  const parts = [
    `method: '${endpoint.method}'`,
    `path: ${quote}${path}${quote}`,
    ...(takesQuery(endpoint) ? ['query'] : []),
    ...(endpoint.body === undefined
      ? []
      : [`body: { ${endpoint.body.root}${camel(endpoint.body.root) === endpoint.body.root ? '' : `: ${camel(endpoint.body.root)}`} }`]),
    ...(endpoint.takes !== undefined ? ['body: observations'] : []),
    ...(isRepeatable(endpoint) ? ['isRepeatable: true'] : []),
  ]
  return `{ ${parts.join(', ')} }`
}

function typeNames(): Set<string> {
  return new Set([...clientTypes().matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name))
}

function sentenceOf(endpoint: Endpoint): string {
  return `${endpoint.summary}. ${notes[`${endpoint.method} ${endpoint.path}`] ?? ''}`.trim()
}

function camel(name: string): string {
  const words = pascal(name)
  return words.charAt(0).toLowerCase() + words.slice(1)
}

function documented(about: string | undefined, indent: string): string {
  return about === undefined || about === '' ? '' : `${indent}/** ${about.replaceAll('*/', '* /')} */\n`
}
