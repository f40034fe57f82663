/** Tables of fields for the documentation. */

import type { ReferenceTable } from '../lib/document.ts'
import { type Field, isKeyed, type Keyed, type Scalar, type Shape } from './shape.ts'

/** The table of a record in an answer. Nested fields follow their parent, named by their path. */
export function fieldTable(shape: Shape): ReferenceTable {
  return { head: ['Field', 'Type', 'Nullable', 'Notes'], rows: answeredRows(shape, '') }
}

/** The table of a record in a request. */
export function requestTable(shape: Shape): ReferenceTable {
  const rows = Object.entries(shape).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    isRequired(field) ? 'yes' : 'no',
    rulesOf(field),
  ])
  return { head: ['Name', 'Type', 'Required', 'Rule'], rows }
}

function answeredRows(shape: Shape, path: string): string[][] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const isNullable = field.is === 'scalar' && field.nullable === true
    const row = [`\`${path}${name}\``, typeOf(field), isNullable ? 'yes' : 'no', field.is === 'scalar' ? field.note : '']
    return [row, ...nestedRows(field, `${path}${name}`)]
  })
}

function nestedRows(field: Field, path: string): string[][] {
  if (field.is === 'scalar') return []
  if (field.is === 'one') return answeredRows(field.of, `${path}.`)
  return isKeyed(field.of) ? keyedRows(field.of, `${path}[]`) : answeredRows(field.of, `${path}[].`)
}

function keyedRows({ by, of }: Keyed, path: string): string[][] {
  return of.is === 'list' ? answeredRows(of.of, `${path}.{${by}}[].`) : answeredRows(of.of, `${path}.{${by}}.`)
}

function typeOf(field: Field): string {
  if (field.is === 'one') return 'record'
  if (field.is === 'list')
    return isKeyed(field.of) ? `array of \`${field.item}\`, each named by its ${field.of.by}` : `array of \`${field.item}\``
  return scalarTypes[field.kind]
}

const scalarTypes: Record<Scalar['kind'], string> = {
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  string: 'string',
  date: 'date (`YYYY-MM-DD`)',
  datetime: 'datetime (ISO 8601 with offset)',
  timestamp: 'string, UTC timestamp',
  moment: 'string, `YYYY-MM-DD HH:MM:SS` in UTC',
}

function isRequired(field: Field): boolean {
  return field.is === 'scalar' && field.required === true
}

function rulesOf(field: Field): string {
  if (field.is !== 'scalar') return ''
  const { note, min, max, maxBytes } = field
  const least = min !== undefined && !note.includes(`at least ${min}`) && `at least ${min} characters`
  const most = max !== undefined && `at most ${max} characters`
  return [note, least, most, maxBytes !== undefined && `at most ${maxBytes} bytes`].filter(Boolean).join('; ')
}
