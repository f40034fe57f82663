/** TypeScript types from JSON Schema, as far as our own schemas go. */
import type { JsonSchema } from '../src/fields/to-schema.ts'

export function typeText(schema: JsonSchema, indent: string): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? ''
  if ('const' in schema) return JSON.stringify(schema['const']).replaceAll('"', "'")
  const choices = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined
  if (choices !== undefined) return choices.map((choice) => typeText(choice, indent)).join(' | ')
  const types = [schema['type']].flat() as readonly string[]
  return types.map((type) => simpleType(type, schema, indent)).join(' | ')
}

function simpleType(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'array') return arrayText(schema['items'] as JsonSchema, indent)
  if (type === 'object') return objectText(schema, indent)
  if (type === 'string' && Array.isArray(schema['enum'])) return schema['enum'].map((word) => `'${word}'`).join(' | ')
  return type === 'integer' ? 'number' : type
}

function arrayText(items: JsonSchema, indent: string): string {
  const item = typeText(items, indent)
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function objectText(schema: JsonSchema, indent: string): string {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined
  if (properties === undefined) return `Record<string, ${typeText(schema['additionalProperties'] as JsonSchema, indent)}>`
  const required = (schema['required'] ?? []) as readonly string[]
  const lines = Object.entries(properties).map(([name, property]) => {
    const note = property['description'] === undefined ? '' : `${indent}  /** ${property['description']} */\n`
    return `${note}${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeText(property, `${indent}  `)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
