/** JSON writers, compiled from a shape once at start: the same tree as the XML, with underscores in names. */

import { scrub } from '../lib/xml/xml.ts'
import { CodeBuilder, flush, type Loop } from './code-builder.ts'
import { kinds } from './kinds.ts'
import { type Field, isKeyed, type Keyed, type List, type RecordOf, type Scalar, type Shape } from './shape.ts'
import type { FlowWriter, PackedWriter, PackedWriters } from './streaming.ts'

export type JsonWriter<S extends Shape> = (record: RecordOf<S>) => string

/** Compiles a writer of whole documents; `root` is the root key, or null where the XML root is only a `hash`. */
export function compileJson<S extends Shape>(root: string | null, shape: S): JsonWriter<S> {
  const code = new JsonCode()
  code.document(root, shape)
  return code.compiled() as JsonWriter<S>
}

export function compileJsonList<S extends Shape>(root: string, items: List<S>): (records: Iterable<RecordOf<S>>) => string {
  const code = new JsonCode()
  code.literal(`{${JSON.stringify(root)}:`)
  code.list(items, 'v0')
  code.literal('}')
  return code.compiled() as never
}

/** Compiles a writer of whole documents whose lists come in batches. */
export function compileJsonFlow<S extends Shape>(root: string | null, shape: S, spans?: PackedWriters): FlowWriter<S> {
  const code = new JsonCode(true, spans)
  code.document(root, shape)
  return code.compiled() as never
}

/** Compiles a writer of a record's members without the braces around them. */
export function compileJsonMembers<S extends Shape>(shape: S): (record: RecordOf<S>) => string {
  const code = new JsonCode()
  code.members(shape, 'v0')
  return code.compiled() as never
}

/** Text as JSON, without the characters that XML cannot represent. */
export function jsonText(text: string): string {
  return needsCare.test(text) ? JSON.stringify(scrub(text)) : `"${text}"`
}

const needsCare = /["\\\0-\x1f\ufffe\uffff\ud800-\udfff]/

class JsonCode extends CodeBuilder {
  private readonly spans: PackedWriters | undefined
  private readonly spanWriters: PackedWriter[] = []

  constructor(isFlow = false, spans?: PackedWriters) {
    super(isFlow)
    this.spans = spans
  }

  compiled(): (value: unknown) => string {
    return this.compile({ kinds, jsonText, spanWriters: this.spanWriters })
  }

  document(root: string | null, shape: Shape): void {
    if (root !== null) this.literal(`{${JSON.stringify(root)}:`)
    this.fields(shape, 'v0')
    if (root !== null) this.literal('}')
  }

  members(shape: Shape, record: string): void {
    for (const [index, [name, field]] of Object.entries(shape).entries()) {
      this.literal(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`)
      this.field(field, `${record}.${name}`)
    }
  }

  private fields(shape: Shape, record: string): void {
    this.literal('{')
    this.members(shape, record)
    this.literal('}')
  }

  list(field: List, value: string): void {
    this.array(value, (item, lead) => {
      this.line(`s += ${lead}`)
      if (isKeyed(field.of)) this.keyed(field.of, item)
      else this.fields(field.of, item)
    })
  }

  private array(value: string, write: (item: string, lead: string) => void, each: Loop = 'each'): void {
    const [item, lead] = [this.variable(), this.variable()]
    this.literal('[')
    this.line(`let ${lead} = ''`)
    this[each](value, item, () => {
      write(item, lead)
      this.line(`${lead} = ','`)
    })
    this.literal(']')
  }

  private field(field: Field, value: string): void {
    if (field.is === 'scalar') this.scalar(field, value)
    else if (field.is === 'list') this.list(field, value)
    else this.record(field.of, value)
  }

  private record(shape: Shape, value: string): void {
    const record = this.variable()
    this.line(`const ${record} = ${value}`)
    this.fields(shape, record)
  }

  private keyed(field: Keyed, item: string): void {
    this.literal('{')
    this.value(`jsonText(String(${item}.key))`)
    this.literal(':')
    if (field.of.is === 'list' && this.isFlow) this.series(`${item}.value`)
    else if (field.of.is === 'list') this.list(field.of, `${item}.value`)
    else this.record(field.of.of, `${item}.value`)
    this.literal('}')
  }

  private series(value: string): void {
    const writer = this.spanWriters.push((this.spans as PackedWriters).at(0, null)) - 1
    this.array(value, (item, lead) => this.line(`s += ${lead}; ${flush}; spanWriters[${writer}](${item}, out, '', '')`), 'eachSpan')
  }

  private scalar(field: Scalar, value: string): void {
    const { isBareInJson, isFreeText } = kinds[field.kind]
    const bare = field.kind === 'boolean' ? `kinds.boolean.write(${value})` : value
    const quoted = isFreeText && field.oneOf === undefined ? `jsonText(${value})` : `'"' + kinds.${field.kind}.write(${value}) + '"'`
    const written = isBareInJson ? bare : quoted
    this.value(field.nullable ? `(${value} === null ? 'null' : ${written})` : written)
  }
}
