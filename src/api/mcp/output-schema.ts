/** What a tool answers with: the names and kinds of the fields, one record deep, because what is nested is seen in the answer itself. */

import { kinds } from '../../fields/kinds.ts'
import { type Field, isKeyed, isList, type List, type Shape } from '../../fields/shape.ts'
import type { JsonSchema } from '../../fields/to-schema.ts'
import type { Content, Endpoint } from '../endpoint.ts'
import { contentsOf } from '../reference/named-records.ts'

type ObjectSchema = JsonSchema & { readonly type: 'object' }

export function outputSchemaOf(endpoint: Endpoint): ObjectSchema {
  const [content, ...others] = contentsOf(endpoint)
  // A dry run may answer with another record than the request itself.
  if (content === undefined || others.length > 0) return { type: 'object' }
  const { root, of } = briefContentOf(endpoint) ?? content
  if (root === 'hash') return recordSchema(of as Shape)
  return { type: 'object', properties: { [root]: isList(of) ? listSchema(of) : recordSchema(of) }, required: [root] }
}

function briefContentOf(endpoint: Endpoint): Content | undefined {
  return 'answer' in endpoint ? endpoint.answer.briefContent : undefined
}

function listSchema({ of }: List): JsonSchema {
  return { type: 'array', items: isKeyed(of) ? { type: 'object' } : recordSchema(of) }
}

function recordSchema(shape: Shape): ObjectSchema {
  return { type: 'object', properties: Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, fieldSchema(field)])) }
}

function fieldSchema(field: Field): JsonSchema {
  if (field.is !== 'scalar') return { type: field.is === 'list' ? 'array' : 'object' }
  const { type } = kinds[field.kind].schema
  return { type: field.nullable ? [type, 'null'] : type }
}
