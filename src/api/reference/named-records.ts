/** The records that endpoints take and answer, each under one name by which the documentation refers to it. */

import { isList, type Shape } from '../../fields/shape.ts'
import type { Content, Endpoint } from '../endpoint.ts'
import { endpoints } from '../endpoints.ts'

export interface NamedRecord {
  /** `User`, `NewUser`, `ReputationReportDetail`. */
  readonly name: string
  /** The XML element it stands in. */
  readonly element: string
  readonly shape: Shape
  /** Sent by clients, rather than answered. */
  readonly isSent: boolean
  readonly endpoint: Endpoint
}

/** Each shape once, in the order of the endpoints. Two shapes of one name would overwrite each other in what is derived from them. */
export function namedRecords(rows: readonly Endpoint[] = endpoints): readonly NamedRecord[] {
  const all = rows.flatMap((endpoint) => [...answered(endpoint), ...sent(endpoint)])
  const each = all.filter(({ shape }, index) => all.findIndex((other) => other.shape === shape) === index)
  const second = each.find(({ name }, index) => each.findIndex((other) => other.name === name) !== index)
  if (second === undefined) return each
  throw new Error(`Two shapes are called ${second.name}; the second is that of ${second.endpoint.method} ${second.endpoint.path}.`)
}

export function recordOf(shape: Shape): NamedRecord {
  const found = namedRecords().find((known) => known.shape === shape)
  if (found === undefined) throw new Error('a shape that no endpoint takes or answers')
  return found
}

export function contentOf(endpoint: Endpoint): Content | undefined {
  return 'answer' in endpoint ? endpoint.answer.content : endpoint.content
}

/** The record, or the record of the list. */
export function shapeIn({ of }: Content): Shape {
  return isList(of) ? (of.of as Shape) : of
}

function answered(endpoint: Endpoint): NamedRecord[] {
  const content = contentOf(endpoint)
  if (content === undefined) return []
  const element = isList(content.of) ? content.of.item : content.root
  return [
    {
      name: pascal(endpoint.access === 'report' ? reportName(endpoint) : element),
      element,
      shape: shapeIn(content),
      isSent: false,
      endpoint,
    },
  ]
}

function sent(endpoint: Endpoint): NamedRecord[] {
  if (endpoint.body === undefined) return []
  const element = isList(endpoint.body.of) ? endpoint.body.of.item : endpoint.body.root
  // What a POST or a list brings is new; a PUT of one record changes what is there.
  const prefix = endpoint.method === 'PUT' && !isList(endpoint.body.of) ? 'Changed' : 'New'
  return [{ name: prefix + pascal(element), element, shape: shapeIn(endpoint.body), isSent: true, endpoint }]
}

/** Reports share roots, so they are named after their paths. */
function reportName({ path }: Endpoint): string {
  const parts = path.split('/').filter((part) => !part.startsWith('{'))
  return parts.slice(-2).join('_')
}

function pascal(name: string): string {
  return name
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
