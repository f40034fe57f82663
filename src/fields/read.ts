/** Reads a record of a request: each field by its rules, reporting the first broken rule of each field. */

import { member, type Node } from '../lib/body/tree.ts'
import { type FieldError, invalid } from '../lib/failures.ts'
import { isOneLine, oneLine } from '../lib/one-line.ts'
import { hasForbiddenCharacters } from '../lib/xml/xml.ts'
import type { RequestOf, Rules, Scalar, Shape } from './shape.ts'

/** The values that could be read, and what is wrong with the others. */
export interface Draft<T> {
  readonly values: Partial<T>
  readonly faults: readonly FieldError[]
}

export function readDraft<S extends Shape>(shape: S, body: Node): Draft<RequestOf<S>> {
  const values: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [name, field] of Object.entries(shape)) {
    const read = readScalar(name, field as Scalar, member(body, name))
    if (typeof read === 'object') faults.push(read)
    else if (read !== undefined) values[name] = read
  }
  return { values: values as Partial<RequestOf<S>>, faults }
}

/** The entries of a list; the pointer of each fault tells its entry and field. */
export interface Drafts<T> {
  readonly entries: readonly Partial<T>[]
  readonly faults: readonly FieldError[]
}

export function readDrafts<S extends Shape>(shape: S, body: Node, name: string, most: number): Drafts<RequestOf<S>> {
  const list = member(body, name)
  const fault = listFault(list, name, most)
  if (list === undefined || fault !== undefined) return { entries: [], faults: fault === undefined ? [] : [fault] }
  const read = list.children.map((node, index) => readEntry(shape, node, `/${name}/${index}`, name))
  return { entries: read.map(({ values }) => values), faults: read.flatMap(({ faults }) => faults) }
}

/** Returns all entries, or fails with all faults in the order of the list. */
export function completeAll<T>({ entries, faults }: Drafts<T>): readonly T[] {
  return faults.length === 0 ? (entries as readonly T[]) : invalid(faults)
}

function listFault(list: Node | undefined, field: string, most: number): FieldError | undefined {
  if (list === undefined || list.kind === 'null') return { field, code: 'blank' }
  if (list.kind !== 'list') return { field, code: 'invalid' }
  return list.children.length > most ? { field, code: 'too_many', limit: most } : undefined
}

function readEntry<S extends Shape>(shape: S, node: Node, pointer: string, field: string): Draft<RequestOf<S>> {
  if (node.kind !== 'map') return { values: {}, faults: [{ field, code: 'invalid', pointer }] }
  const { values, faults } = readDraft(shape, node)
  return { values, faults: faults.map((fault) => ({ ...fault, field, pointer: `${pointer}/${fault.field}` })) }
}

/** Returns the whole record, or fails with all faults in the order of the table, one per field. */
export function complete<S extends Shape>(shape: S, draft: Draft<RequestOf<S>>, found: readonly FieldError[] = []): RequestOf<S> {
  const faults = [...draft.faults, ...found]
  if (faults.length === 0) return draft.values as RequestOf<S>
  return invalid(Object.keys(shape).flatMap((name) => faults.find(({ field }) => field === name) ?? []))
}

/** Makes a draft from named values, such as the options of a command. */
export function draftOf<S extends Shape>(shape: S, values: Readonly<Record<string, string | number | undefined>>): Draft<RequestOf<S>> {
  const children = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, kind: 'text' as const, text: String(value), children: [] }],
  )
  return readDraft(shape, { name: '', kind: 'map', text: '', children })
}

type Read = string | number | FieldError | undefined

function readScalar(name: string, field: Scalar, node: Node | undefined): Read {
  if (node === undefined) return field.required ? { field: name, code: 'blank' } : undefined
  if (node.kind === 'null' || (node.kind === 'text' && node.text.trim() === '')) return readBlank(name, field)
  return field.kind === 'integer' ? readInteger(name, field, node) : readText(name, field, node)
}

function readBlank(name: string, { required, blank }: Scalar): Read {
  if (required || blank === 'refused') return { field: name, code: 'blank' }
  return blank === 'kept' ? '' : undefined
}

/** No id exceeds 2^53. A larger number is read as 0, which does not exist either, so that no digits are lost. */
function readInteger(field: string, { range = anyInteger }: Rules, node: Node): Read {
  const isNumber = (node.kind === 'text' || node.kind === 'number') && /^[+-]?\d{1,40}$/.test(node.text.trim())
  if (!isNumber) return { field, code: 'not_an_integer' }
  const value = Number(node.text)
  if (value < range[0] || value > range[1]) return { field, code: 'invalid', range }
  return Number.isSafeInteger(value) ? value : 0
}

const anyInteger = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

function readText(field: string, rules: Rules & { oneOf?: readonly string[] }, node: Node): Read {
  if (node.kind !== 'text') return { field, code: 'invalid' }
  const given = rules.line === 'made' ? oneLine(node.text) : node.text
  const text = rules.trim ? given.trim() : given
  return lengthFault(field, rules, text) ?? formatFault(field, rules, text) ?? text
}

function lengthFault(field: string, rules: Rules, text: string): FieldError | undefined {
  const length = [...text].length
  if (rules.min !== undefined && length < rules.min) return { field, code: 'too_short', limit: rules.min }
  if (rules.max !== undefined && length > rules.max) return { field, code: 'too_long', limit: rules.max }
  if (rules.maxBytes !== undefined && Buffer.byteLength(text) > rules.maxBytes) return { field, code: 'too_long', limit: rules.maxBytes }
  return undefined
}

function formatFault(field: string, rules: Rules & { oneOf?: readonly string[] }, text: string): FieldError | undefined {
  if (rules.oneOf && !rules.oneOf.includes(text)) return { field, code: 'inclusion', words: rules.oneOf }
  if (rules.line === 'asked' && !isOneLine(text)) return { field, code: 'not_one_line' }
  if (hasForbiddenCharacters(text) || rules.test?.(text) === false) return { field, code: rules.fault ?? 'invalid' }
  return undefined
}
