/** The records of requests and answers, each with the name by which the documentation refers to it. */

import { type Field, isKeyed, isList, type Shape } from '../../fields/shape.ts'
import { memoOnce } from '../../lib/memo.ts'
import { type Content, type Endpoint, isReport } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'

export interface NamedRecord {
  /** A name such as `User`, `NewUser`, `ReputationReportDetail`. */
  readonly name: string
  /** The XML element around it. */
  readonly element: string
  readonly shape: Shape
  /** Whether clients send it, rather than receive it. */
  readonly isSent: boolean
  readonly endpoint: Endpoint
}

/** Each shape once, in the order of the endpoints. */
export function namedRecords(rows: readonly Endpoint[] = endpoints): readonly NamedRecord[] {
  return eachOnce(rows.flatMap((endpoint) => [...answered(endpoint), ...sent(endpoint)]))
}

/** The named records, each followed by those nested in it: `SeoReport`, then `SeoReportAccount`, `SeoReportSite`, `SeoReportBacklink`. */
export const namedShapes = memoOnce(() => eachOnce(namedRecords().flatMap((record) => [record, ...nestedIn(record, record.shape)])))

const byShape = memoOnce(() => new Map(namedShapes().map((record) => [record.shape, record])))

/** Throws if two shapes have the same name, because they would overwrite each other in the documents. */
function eachOnce(all: readonly NamedRecord[]): readonly NamedRecord[] {
  const each = all.filter(({ shape }, index) => all.findIndex((other) => other.shape === shape) === index)
  const second = each.find(({ name }, index) => each.findIndex((other) => other.name === name) !== index)
  if (second === undefined) return each
  throw new Error(`Two shapes are called ${second.name}; the second is that of ${second.endpoint.method} ${second.endpoint.path}.`)
}

function nestedIn(record: NamedRecord, shape: Shape): NamedRecord[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const inner = innerOf(name, field)
    if (inner === null) return []
    const nested = { ...record, name: record.name + pascal(inner.element), element: inner.element, shape: inner.shape }
    return [nested, ...nestedIn(record, inner.shape)]
  })
}

/** The record inside a field, and the element around it; null for a scalar. */
function innerOf(name: string, field: Field): { element: string; shape: Shape } | null {
  if (field.is === 'scalar') return null
  if (field.is === 'one') return { element: name, shape: field.of }
  if (!isKeyed(field.of)) return { element: field.item, shape: field.of }
  const { of } = field.of
  return { element: of.is === 'list' ? of.item : field.item, shape: of.of }
}

export function recordOf(shape: Shape): NamedRecord {
  const found = byShape().get(shape)
  if (found === undefined) throw new Error('a shape that no endpoint takes or answers')
  return found
}

export function contentOf(endpoint: Endpoint): Content | undefined {
  return 'answer' in endpoint ? endpoint.answer.content : endpoint.content
}

/** The content of the answer, and of the answer to a dry run. */
export function contentsOf(endpoint: Endpoint): readonly Content[] {
  const preview = 'preview' in endpoint ? endpoint.preview?.answer.content : undefined
  return [contentOf(endpoint), preview].filter((content) => content !== undefined)
}

/** The record, or the record of the list. */
export function shapeIn({ of }: Content): Shape {
  return isList(of) ? (of.of as Shape) : of
}

function answered(endpoint: Endpoint): NamedRecord[] {
  return contentsOf(endpoint).map((content) => {
    const element = isList(content.of) ? content.of.item : content.root
    const name = pascal(content.name ?? (isReport(endpoint) ? reportName(endpoint) : element))
    return { name, element, shape: shapeIn(content), isSent: false, endpoint }
  })
}

function sent(endpoint: Endpoint): NamedRecord[] {
  if (endpoint.body === undefined) return []
  const element = isList(endpoint.body.of) ? endpoint.body.of.item : endpoint.body.root
  // POST and lists create records; a PUT of one record changes an existing one.
  const prefix = endpoint.method === 'PUT' && !isList(endpoint.body.of) ? 'Changed' : 'New'
  return [{ name: prefix + pascal(element), element, shape: shapeIn(endpoint.body), isSent: true, endpoint }]
}

/** Reports share root elements, so they are named after their paths. */
function reportName({ path }: Endpoint): string {
  const parts = path.split('/').filter((part) => !part.startsWith('{'))
  return parts.slice(-2).join('_')
}

export function pascal(name: string): string {
  return name
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
