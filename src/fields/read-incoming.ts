/** Reads a record by its table of incoming fields and reports every fault, including unknown fields. */

import { type Incoming, isValueError, type Value, type ValueError } from './incoming.ts'

const maxNameShown = 100

export type Values = Record<string, Value>

export interface IncomingFieldError extends Omit<ValueError, 'code'> {
  readonly field: string
  readonly code: ValueError['code'] | 'unknown_field'
}

/** Returns the given values, or the errors found, in the order of the table. `exempt` may be left out although it is required. */
export function readIncoming(
  fields: Readonly<Record<string, Incoming>>,
  given: Readonly<Record<string, unknown>>,
  exempt?: string,
): Values | IncomingFieldError[] {
  const values: Values = {}
  const flaws: IncomingFieldError[] = []
  let known = 0
  for (const name in fields) {
    const value = given[name]
    const read = value === undefined ? absent(fields[name] as Incoming, name === exempt) : readValue(fields[name] as Incoming, value)
    if (value !== undefined) known++
    if (read === undefined) continue
    if (isValueError(read)) flaws.push({ field: name, ...read })
    else values[name] = read
  }
  if (flaws.length > 0) return flaws
  return hasOthers(given, known) ? unknownFields(fields, given) : values
}

function absent(field: Incoming, isExempt: boolean): ValueError | undefined {
  return field.required && !isExempt ? { code: 'blank' } : undefined
}

function readValue(field: Incoming, value: unknown): Value | ValueError {
  if (value !== null) return field.read(value)
  return field.nullable ? null : { code: 'null' }
}

/** Counting is faster than checking each name: there may be nothing but the fields of the table and `type`. */
function hasOthers(given: Readonly<Record<string, unknown>>, known: number): boolean {
  let count = 0
  for (const name in given) if (given[name] !== undefined) count++
  return count !== known + (given.type === undefined ? 0 : 1)
}

function unknownFields(fields: Readonly<Record<string, Incoming>>, given: Readonly<Record<string, unknown>>): IncomingFieldError[] {
  const names = Object.keys(given).filter((name) => name !== 'type' && !Object.hasOwn(fields, name))
  return names.map((name) => ({ field: name.slice(0, maxNameShown), code: 'unknown_field' }))
}
