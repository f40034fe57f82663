/** Finds the records of an import that have the same key and other figures, of which nobody can say which is meant. */

import type { Values } from '../../../fields/read-incoming.ts'
import type { ImportError } from '../../../resources/imports/import-fault.ts'
import { type ObservationKind, observations } from '../../../resources/observation.ts'
import { SeriesSpool } from '../spools.ts'

/** Two words of the key, the figures, the line, and the number of the file. */
const words = 5
/** Of two creation times the earlier one is kept, whichever comes first. */
const unlike = new Set(['created_at', 'account', 'site', 'business'])

interface Place {
  readonly line: number
  readonly file?: string
}

interface Told {
  readonly kind: ObservationKind
  readonly fields: readonly string[]
}

/** Keeps 20 bytes of each figure in a spool, so that memory does not grow with the import. */
export class DoubledKeys {
  readonly #spool = new SeriesSpool(words)
  readonly #files: string[] = []
  readonly #told: Told[] = []

  add(kind: ObservationKind, values: Values, place: Place): void {
    const { own, together, others } = fieldsOf[kind]
    const key = own(values)
    const [one, two] = [hashOf(kind, keyText(key, values), 0), hashOf(kind, keyText(key, values), 1)]
    if (together.length > 0) this.#put(one, two, kind, together, values, place)
    for (const field of others) if (values[field] !== undefined) this.#put(one, two, kind, [field], values, place)
  }

  #put(one: number, two: number, kind: ObservationKind, fields: readonly string[], values: Values, place: Place): void {
    const salt = this.#toldAt(kind, fields)
    const figures = hashOf(kind, fields.map((field) => `${values[field]}`).join('\n'), salt)
    this.#spool.add([(one ^ Math.imul(salt, 0x9e3779b1)) >>> 0, two, figures, place.line, this.#fileAt(place.file)])
  }

  #toldAt(kind: ObservationKind, fields: readonly string[]): number {
    const known = this.#told.findIndex((each) => each.kind === kind && each.fields[0] === fields[0])
    return (known < 0 ? this.#told.push({ kind, fields }) - 1 : known) + 1
  }

  #fileAt(file: string | undefined): number {
    if (file === undefined) return 0
    if (this.#files.at(-1) !== file) this.#files.push(file)
    return this.#files.length
  }

  /** The lines at fault; undefined if there are none. */
  lines(): DoubledLines | undefined {
    const places = [...this.#spool.blocks()].flatMap((block) => contradictions(block))
    const lines = [...new Map(places.map((place) => [`${place.file} ${place.line}`, place])).values()].toSorted(
      (a, b) => a.file - b.file || a.line - b.line,
    )
    const named = lines.map(({ line, file }): Place => {
      const name = this.#files[file - 1]
      return { line, ...(name !== undefined && { file: name }) }
    })
    return named.length === 0 ? undefined : new DoubledLines(named)
  }

  close(): void {
    this.#spool.close()
  }
}

/** The lines that have a key with different figures. */
export class DoubledLines {
  readonly #lines: readonly Place[]
  readonly #names: ReadonlySet<string>

  constructor(lines: readonly Place[]) {
    this.#lines = lines
    this.#names = new Set(lines.map(nameOf))
  }

  get many(): number {
    return this.#lines.length
  }

  has(place: Place): boolean {
    return this.#names.has(nameOf(place))
  }

  /** The first of them in words. */
  faults(most: number): ImportError[] {
    return this.#lines.slice(0, most).map((place) => ({ ...place, index: 0, field: '', code: 'doubled_key' }))
  }
}

function nameOf({ line, file = '' }: Place): string {
  return `${line} ${file}`
}

/** An open table of the first entry of each key. One that differs from it makes all entries of its key contradictions. */
function contradictions(block: Uint32Array): { line: number; file: number }[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, (2 * block.length) / words)))
  const table = new Int32Array(size).fill(-1)
  const isDoubled = new Uint8Array(size)
  const slotOf = (at: number) => {
    let slot = ((block[at] as number) >>> 6) & (size - 1)
    for (let held = table[slot] as number; held >= 0 && !isSameKey(block, held, at); held = table[slot] as number)
      slot = (slot + 1) & (size - 1)
    return slot
  }
  for (let at = 0; at < block.length; at += words) {
    const slot = slotOf(at)
    const first = table[slot] as number
    if (first < 0) table[slot] = at
    else if (block[first + 2] !== block[at + 2]) isDoubled[slot] = 1
  }
  const found: { line: number; file: number }[] = []
  if (!isDoubled.includes(1)) return found
  for (let at = 0; at < block.length; at += words)
    if (isDoubled[slotOf(at)] === 1) found.push({ line: block[at + 3] as number, file: block[at + 4] as number })
  return found
}

function isSameKey(block: Uint32Array, one: number, other: number): boolean {
  return block[one] === block[other] && block[one + 1] === block[other + 1]
}

function keyText(fields: readonly string[], values: Values): string {
  let text = ''
  for (const field of fields) text += `${values[field] ?? ''}\n`
  return text
}

/** FNV-1a with a seed; two of them make a key of 64 bits, which two different keys share by no chance that matters. */
function hashOf(kind: string, text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed + 1, 0x85ebca6b) ^ kind.length
  for (let i = 0; i < kind.length; i += 1) hash = Math.imul(hash ^ kind.charCodeAt(i), 0x01000193)
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 12)) >>> 0
}

interface KeyFields {
  /** The fields that identify a record. */
  readonly own: (values: Values) => readonly string[]
  /** Required figures, which are compared together. */
  readonly together: readonly string[]
  /** Figures that may be left out: a record that leaves them out contradicts nothing. */
  readonly others: readonly string[]
}

const fieldsOf = Object.fromEntries(
  Object.entries(observations).map(([kind, { key, fields }]) => [kind, keyFieldsOf(key, fields)]),
) as Record<ObservationKind, KeyFields>

function keyFieldsOf(key: readonly string[], fields: Readonly<Record<string, { readonly required?: true }>>): KeyFields {
  const named = ['account', 'site', ...key.filter((field) => Object.hasOwn(fields, field))]
  // The key of a review is its own id, or else who wrote what on which day.
  const [withRef, without] = [
    [...named, 'source', 'ref'],
    [...named, 'source', 'date', 'user', 'detail'],
  ]
  const isReview = key.some((field) => field.includes('`'))
  const figures = Object.keys(fields).filter((field) => !unlike.has(field) && !named.includes(field))
  return {
    own: isReview ? ({ ref }) => (ref === undefined ? without : withRef) : () => named,
    together: figures.filter((field) => fields[field]?.required && field !== 'source'),
    others: figures.filter((field) => !fields[field]?.required && field !== 'ref' && field !== 'page_source'),
  }
}
