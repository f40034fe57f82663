/** Derives a JSON Schema from a shape, with the XML names that OpenAPI can state. */

import type { Incoming } from './incoming.ts'
import { kinds } from './kinds.ts'
import { type Field, isKeyed, isList, type Keyed, type List, type Scalar, type Shape, xmlFieldName } from './shape.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Maps a nested record to the reference by which the document names it. */
export type SchemaRefs = (shape: Shape) => JsonSchema

/** The schema of a record in an answer: every field is present, unless its table says otherwise. */
export function schemaOf(shape: Shape, refs: SchemaRefs): JsonSchema {
  return { type: 'object', properties: propertiesOf(shape, refs), required: alwaysIn(shape), additionalProperties: false }
}

function alwaysIn(shape: Shape): string[] {
  return Object.entries(shape).flatMap(([name, field]) => (field.is === 'scalar' && field.sometimes ? [] : [name]))
}

/** The schema of a record in a request: unknown fields are ignored. */
export function requestSchemaOf(shape: Shape, refs: SchemaRefs): JsonSchema {
  const required = Object.entries(shape).flatMap(([name, field]) => (field.is === 'scalar' && field.required ? [name] : []))
  return { type: 'object', properties: propertiesOf(shape, refs), ...(required.length > 0 && { required }) }
}

function listSchemaOf({ item, of }: List, refs: SchemaRefs): JsonSchema {
  return { type: 'array', items: { ...(isKeyed(of) ? keyedSchema(of, refs) : refs(of)), xml: { name: xmlFieldName(item) } } }
}

/** The schema of a pushed record; its kind is given in `type`. */
export function incomingSchemaOf(type: string, about: string, fields: Readonly<Record<string, Incoming>>): JsonSchema {
  const properties = Object.entries(fields).map(([name, { schema, note, nullable }]) => [
    name,
    { ...nullableType(schema, nullable), ...described(note) },
  ])
  const required = Object.keys(fields).filter((name) => fields[name]?.required)
  return {
    type: 'object',
    description: about,
    properties: { type: { const: type }, ...Object.fromEntries(properties) },
    required: ['type', ...required],
    additionalProperties: false,
  }
}

function propertiesOf(shape: Shape, refs: SchemaRefs): JsonSchema {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, withXmlName(name, fieldSchema(field, refs))]))
}

function fieldSchema(field: Field, refs: SchemaRefs): JsonSchema {
  if (field.is === 'scalar') return scalarSchema(field)
  return field.is === 'one' ? refs(field.of) : { ...listSchemaOf(field, refs), xml: { wrapped: true } }
}

function scalarSchema({ kind, note, nullable, oneOf, min, max }: Scalar): JsonSchema {
  return {
    ...nullableType(kinds[kind].schema, nullable),
    ...(oneOf !== undefined && { enum: oneOf }),
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...described(note),
  }
}

/** The schema of a wrapper whose single member is named by a value. */
function keyedSchema({ by, of }: Keyed, refs: SchemaRefs): JsonSchema {
  const value = isListField(of) ? listSchemaOf(of, refs) : refs(of.of)
  return { type: 'object', description: `one member, named by the ${by}`, minProperties: 1, maxProperties: 1, additionalProperties: value }
}

function isListField(of: Keyed['of']): of is List<Shape> {
  return isList(of as never)
}

function nullableType(schema: JsonSchema, isNullable: true | undefined): JsonSchema {
  return isNullable ? { ...schema, type: [schema['type'], 'null'] } : schema
}

function described(note: string): JsonSchema {
  return note === '' ? {} : { description: note }
}

function withXmlName(name: string, schema: JsonSchema): JsonSchema {
  const xmlName = xmlFieldName(name)
  const known = schema['xml'] as JsonSchema | undefined
  return xmlName === name && known === undefined ? schema : { ...schema, xml: { ...(xmlName !== name && { name: xmlName }), ...known } }
}
