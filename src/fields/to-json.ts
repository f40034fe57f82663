/** JSON writers, compiled from a shape once, at start: the same tree as the XML, with underscored keys. */

import { scrub } from '../lib/xml.ts'
import { kinds } from './kinds.ts'
import { type Field, isKeyed, type Keyed, type List, type RecordOf, type Scalar, type Shape } from './shape.ts'
import { type Drain, StraightLine } from './straight-line.ts'

export type JsonWriter<S extends Shape> = (record: RecordOf<S>, drain?: Drain) => string

/** A writer of whole documents; the root is the root key, or none where the XML root is only a `hash`. */
export function compileJson<S extends Shape>(root: string | null, shape: S): JsonWriter<S> {
  const code = new JsonCode()
  if (root !== null) code.literal(`{${JSON.stringify(root)}:`)
  code.fields(shape, 'v0')
  if (root !== null) code.literal('}')
  return code.compiled() as JsonWriter<S>
}

export function compileJsonList<S extends Shape>(root: string, items: List<S>): (records: Iterable<RecordOf<S>>, drain?: Drain) => string {
  const code = new JsonCode()
  code.literal(`{${JSON.stringify(root)}:`)
  code.list(items, 'v0')
  code.literal('}')
  return code.compiled() as never
}

/** Text as JSON, without the control characters that XML could not carry either. */
export function jsonText(text: string): string {
  return JSON.stringify(scrub(text))
}

class JsonCode extends StraightLine {
  compiled(): (value: unknown, drain?: Drain) => string {
    return this.compile({ kinds, jsonText })
  }

  fields(shape: Shape, record: string): void {
    let before = '{'
    for (const [name, field] of Object.entries(shape)) {
      this.literal(`${before}${JSON.stringify(name)}:`)
      this.field(field, `${record}.${name}`)
      before = ','
    }
    this.literal(before === '{' ? '{}' : '}')
  }

  list(field: List, value: string): void {
    const [item, isFirst] = [this.variable(), this.variable()]
    this.literal('[')
    this.line(`let ${isFirst} = true; for (const ${item} of ${value}) {`)
    this.line(`if (${isFirst}) ${isFirst} = false; else s += ','`)
    if (isKeyed(field.of)) this.keyed(field.of, item)
    else this.fields(field.of, item)
    this.drainPoint()
    this.line('}')
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
    if (field.of.is === 'list') this.list(field.of, `${item}.value`)
    else this.record(field.of.of, `${item}.value`)
    this.literal('}')
  }

  private scalar(field: Scalar, value: string): void {
    const { isBareInJson, isFreeText } = kinds[field.kind]
    const bare = field.kind === 'boolean' ? `kinds.boolean.write(${value})` : value
    const quoted = isFreeText && field.oneOf === undefined ? `jsonText(${value})` : `'"' + kinds.${field.kind}.write(${value}) + '"'`
    const written = isBareInJson ? bare : quoted
    this.value(field.nullable ? `(${value} === null ? 'null' : ${written})` : written)
  }
}
