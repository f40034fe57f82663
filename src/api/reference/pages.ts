/** The reference of the API as documents, derived from the tables that the API runs on. */

import { isList, type Shape } from '../../fields/shape.ts'
import { fieldTable, requestTable } from '../../fields/to-table.ts'
import { anchorOf, type Block } from '../../lib/document.ts'
import { Failure, type FailureCode, type FieldError, type FieldErrorCode } from '../../lib/failures.ts'
import { type ImportErrorCode, importErrorCodes, importErrors } from '../../resources/imports/import-fault.ts'
import { fieldErrorSentences, problems } from '../../resources/problem.ts'
import { type Content, type Endpoint, isReport } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'
import { isRepeatable } from '../idempotency.ts'
import { problemBody } from '../problems.ts'
import { codeSamples } from './code-samples.ts'
import { notes } from './endpoint-notes.ts'
import { errorAdvice, fieldErrorAdvice, importErrorAdvice } from './error-advice.ts'
import { contentsOf, type NamedRecord, namedRecords, recordOf, shapeIn } from './named-records.ts'
import { alsoAnswered, isConditional, refusalsOf } from './possible-errors.ts'
import { type ResourceName, resourceOf, resources } from './resources.ts'
import { sampleAnswer } from './samples.ts'

export const endpointBlocks = (): Block[] => [
  { heading: 'Endpoints', level: 1 },
  { table: { head: ['Method', 'Path', 'What it does', 'Scope'], rows: endpoints.map(endpointRow) } },
  ...endpoints.flatMap(blocksOf),
]

export const recordBlocks = (): Block[] => [
  { heading: 'Records', level: 1 },
  { text: 'What is answered, field by field, in the order in which it is written.' },
  ...namedRecords()
    .filter(({ isSent }) => !isSent)
    .flatMap(recordBlocksOf),
]

/** One resource: its endpoints, and the records of their answers. */
export function resourceBlocks(name: ResourceName): Block[] {
  const { title, about } = resources[name]
  const here = endpoints.filter((endpoint) => resourceOf(endpoint) === name)
  const records = namedRecords().filter(({ isSent, endpoint }) => !isSent && here.includes(endpoint))
  return [
    { heading: title, level: 1, id: 'top' },
    { text: about },
    { table: { head: ['Method', 'Path', 'What it does', 'Scope'], rows: here.map(endpointRow) } },
    ...here.flatMap(blocksOf),
    ...records.flatMap(recordBlocksOf),
  ]
}

export const errorBlocks = (): Block[] => [
  { heading: 'Errors', level: 1 },
  {
    text: 'Every refusal has a status, a stable code and a sentence. Read the codes; the sentences may change. An error comes in the format that was asked for.',
  },
  { code: errorSample('xml'), language: 'xml', caption: 'In XML:' },
  {
    code: errorSample('json'),
    language: 'json',
    caption: 'In JSON, as RFC 9457 has it (`application/problem+json`), with the sentences by field as old clients read them:',
  },
  {
    text: 'When a request has more than one fault, the first of these is told: 503, 404 and 405 of the address, 401, 403, 429, 406, 413, 415, 400, 404 of an id in the path, 422.',
  },
  { heading: 'Codes', level: 2 },
  ...(Object.keys(problems) as FailureCode[]).flatMap(catalogueEntry),
  { heading: 'Codes of faults in a field', level: 2 },
  { text: 'With `validation_failed`, each field at fault has one of these: the first that applies.' },
  ...(Object.keys(fieldErrorSentences) as FieldErrorCode[]).flatMap((code): Block[] => [
    { heading: `\`${code}\``, level: 3, id: code },
    { text: `“The field ${fieldErrorSentences[code].replace('{limit}', 'N')}.” ${fieldErrorAdvice[code]}` },
  ]),
  { heading: 'Codes of refused records', level: 2 },
  {
    text: 'A record that is pushed or imported and refused has one of these. The sentence says what is wrong and what would be right; a record without a fault in the same body is stored unless all or nothing was asked for.',
  },
  { table: { head: ['Code', 'What is told', 'Cause', 'Cure'], rows: importErrorCodes.map(importErrorRow) } },
]

function importErrorRow(code: ImportErrorCode): string[] {
  const { cause, cure } = importErrorAdvice[code]
  const sentence = importErrors[code].replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  return [`\`${code}\``, sentence, cause, cure]
}

function catalogueEntry(code: FailureCode): Block[] {
  const { status, title, sentence } = problems[code]
  const { cause, cure } = errorAdvice[code]
  const asked = { format: 'xml', requestId: '0b5e5a3c-6a8e-4c57-8f0e-2d8f4c1b9a70', baseUrl: 'https://marquee.example' } as const
  return [
    { heading: `\`${code}\``, level: 3, id: code },
    { text: `Status ${status}, ${title}. ${sentence}.` },
    { items: [`Cause: ${cause}`, `Cure: ${cure}`] },
    { code: problemBody(new Failure(code), asked).body, language: 'xml' },
  ]
}

function endpointRow(endpoint: Endpoint): string[] {
  const { method, path, summary } = endpoint
  return [method, `\`/api/${path}\``, `[${summary}](endpoints#${anchorOf(headingOf(endpoint))})`, scopesOf(endpoint)]
}

/** The scopes that a key needs. */
export function scopesOf({ access, alsoNeeds }: Endpoint): string {
  return [access, ...(alsoNeeds === undefined ? [] : [alsoNeeds])].map((scope) => `\`${scope}\``).join(' and ')
}

/** The second of two methods with the same summary gets its method in the heading. */
export function headingOf(endpoint: Endpoint): string {
  const isSecond = endpoints.find(({ summary }) => summary === endpoint.summary) !== endpoint
  return isSecond ? `${endpoint.summary} (${endpoint.method})` : endpoint.summary
}

function blocksOf(endpoint: Endpoint): Block[] {
  const { method, path, alias } = endpoint
  return [
    { heading: headingOf(endpoint), level: 2 },
    { code: [`${method} /api/${path}`, ...(alias === undefined ? [] : [`${method} ${alias}`])].join('\n'), language: 'http' },
    { text: notes[`${method} ${path}`] ?? '' },
    ...parameterBlocks(endpoint),
    ...requestBlocks(endpoint),
    { samples: codeSamples(endpoint), name: `sample-${anchorOf(headingOf(endpoint))}` },
    ...answerBlocks(endpoint),
  ]
}

function parameterBlocks(endpoint: Endpoint): Block[] {
  const inQuery = Object.entries(endpoint.query ?? {}).map(([name, { note, isRequired }]) => [
    `\`${name}\``,
    'query',
    `${note}${isRequired ? '; needed' : ''}`,
  ])
  const inHeader = isRepeatable(endpoint)
    ? [['`Idempotency-Key`', 'header', 'the same key with the same content is answered with the same bytes for 72 hours']]
    : []
  const condition =
    isConditional(endpoint) && endpoint.method !== 'GET' ? [['`If-Match`', 'header', 'the `ETag` that the change is based on']] : []
  const rows = [...inQuery, ...inHeader, ...condition]
  return rows.length === 0 ? [] : [{ table: { head: ['Parameter', 'In', 'Meaning'], rows } }]
}

function requestBlocks(endpoint: Endpoint): Block[] {
  if (endpoint.body !== undefined) return sentBlocks(endpoint.body)
  if (endpoint.takes === undefined) return []
  const rows = Object.entries(endpoint.takes.kinds).map(([kind, { about, key, fields }]) => [
    `\`${kind}\``,
    about,
    key.map((part) => (part.includes('`') ? part : `\`${part}\``)).join(', '),
    Object.keys(fields)
      .map((name) => `\`${name}\``)
      .join(', '),
  ])
  return [{ text: 'Each record says in `type` what it is:' }, { table: { head: ['Type', 'What it is', 'Known again by', 'Fields'], rows } }]
}

function sentBlocks(body: Content): Block[] {
  const lead = isList(body.of) ? `The body is \`${body.root}\`, a list of:` : `The body is \`${body.root}\`:`
  return [{ text: lead }, { table: requestTable(shapeIn(body)) }]
}

function answerBlocks(endpoint: Endpoint): Block[] {
  const status = 'answer' in endpoint ? endpoint.answer.status : 200
  const also = Object.entries(alsoAnswered(endpoint))
  const rows = [
    [String(status), `${answerOf(endpoint)}${status === 200 ? '' : '; `Location` says where it is shown'}`],
    ...also,
    ...(isReport(endpoint) ? [['304', 'nothing has changed since the `ETag` that was sent']] : []),
    ...[...refusalsOf(endpoint)].map(([refused, codes]) => [String(refused), codes.map((code) => `[${code}](errors#${code})`).join(', ')]),
  ]
  const ordered = Map.groupBy(rows, ([code = '']) => code)
  const merged = [...ordered].map(([code, same]) => [code, same.map(([, meaning = '']) => meaning).join('; ')])
  return [{ table: { head: ['Status', 'Meaning'], rows: merged.toSorted(([a], [b]) => Number(a) - Number(b)) } }]
}

function answerOf(endpoint: Endpoint): string {
  const [answered, preview] = contentsOf(endpoint).map((content) => `${isList(content.of) ? 'a list of ' : ''}${linkTo(shapeIn(content))}`)
  return `${answered ?? ''}${preview === undefined ? '' : `; with \`dry_run\`, ${preview}`}`
}

function linkTo(shape: Shape): string {
  const { name } = recordOf(shape)
  return `[${name}](records#${anchorOf(name)})`
}

function recordBlocksOf({ name, shape, endpoint }: NamedRecord): Block[] {
  const content = contentsOf(endpoint).find((answered) => shapeIn(answered) === shape)
  return [{ heading: name, level: 2 }, { table: fieldTable(shape) }, ...(content === undefined ? [] : samplesOf(endpoint, content))]
}

function samplesOf(endpoint: Endpoint, content: Content): Block[] {
  const nulls = isReport(endpoint) ? 'untyped' : 'typed'
  return [
    { code: sampleAnswer(content, 'xml', nulls), language: 'xml' },
    { code: sampleAnswer(content, 'json', nulls), language: 'json' },
  ]
}

const sampleFaults: readonly FieldError[] = [
  { field: 'email', code: 'taken' },
  { field: 'login', code: 'too_short', limit: 5 },
]

function errorSample(format: 'xml' | 'json'): string {
  const asked = { format, root: 'user', requestId: '0b5e5a3c-6a8e-4c57-8f0e-2d8f4c1b9a70', baseUrl: 'https://marquee.example' }
  const { body } = problemBody(new Failure('validation_failed', { faults: sampleFaults }), asked)
  return format === 'xml' ? body : JSON.stringify(JSON.parse(body), null, 2)
}
