/**
 * XML writers, compiled from a shape once, at start: straight-line string building, not a walk over the table per value.
 * Generated code comes from our own tables only; no request ever reaches it.
 */

import { escapeAttribute, escapeText } from '../lib/xml.ts'
import { encodeName, legacyName } from '../lib/xml-name.ts'
import { kinds } from './kinds.ts'
import { type Field, isKeyed, type Keyed, type List, type RecordOf, type Scalar, type Shape, xmlFieldName } from './shape.ts'
import { type Drain, embed, StraightLine } from './straight-line.ts'

export type NameStyle = 'encoded' | 'legacy'

export interface XmlOptions {
  /** Whether a null keeps its type: records do, reports do not. */
  readonly nulls: 'typed' | 'untyped'
  readonly names?: NameStyle
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export type XmlWriter<S extends Shape> = (record: RecordOf<S>, drain?: Drain) => string

/** A writer of whole documents with this root. */
export function compileXml<S extends Shape>(root: string, shape: S, options: XmlOptions): XmlWriter<S> {
  const code = new XmlCode(options)
  code.literal(`${xmlDeclaration}<${root}>\n`)
  for (const [name, field] of Object.entries(shape)) code.field(xmlFieldName(name), field, `v0.${name}`, 1)
  code.literal(`</${root}>\n`)
  return code.compiled() as XmlWriter<S>
}

/** A writer of documents that are one list: `<users type="array">`. */
export function compileXmlList<S extends Shape>(
  root: string,
  items: List<S>,
  options: XmlOptions,
): (records: Iterable<RecordOf<S>>, drain?: Drain) => string {
  const code = new XmlCode(options)
  code.literal(xmlDeclaration)
  code.list(root, items, 'v0', 0)
  return code.compiled() as never
}

class XmlCode extends StraightLine {
  private readonly options: XmlOptions

  constructor(options: XmlOptions) {
    super()
    this.options = options
  }

  compiled(): (value: unknown, drain?: Drain) => string {
    const nameOf = this.options.names === 'legacy' ? legacyName : encodeName
    return this.compile({ kinds, escapeText, escapeAttribute, nameOf })
  }

  field(name: string, field: Field, value: string, depth: number): void {
    if (field.is === 'scalar') this.scalar(name, field, value, depth)
    else if (field.is === 'list') this.list(name, field, value, depth)
    else this.record(name, field.of, value, depth)
  }

  list(name: string, field: List, value: string, depth: number, attributes = '', itemName = `<${xmlFieldName(field.item)}>`): void {
    const [items, item, isEmpty] = [this.variable(), this.variable(), this.variable()]
    this.line(`const ${items} = ${value}; let ${isEmpty} = true`)
    this.line(`for (const ${item} of ${items}) {`)
    this.line(`if (${isEmpty}) { ${isEmpty} = false`)
    this.literal(`${indent(depth)}<${name} type="array"${attributes}>\n`)
    this.line('}')
    this.item(field, item, itemName, depth + 1)
    this.drainPoint()
    this.line('}')
    this.line(`if (${isEmpty}) {`)
    this.literal(`${indent(depth)}<${name} type="array"${attributes}/>\n`)
    this.line('} else {')
    this.literal(`${indent(depth)}</${name}>\n`)
    this.line('}')
  }

  private item(field: List, item: string, open: string, depth: number): void {
    this.literal(`${indent(depth)}${open}\n`)
    if (isKeyed(field.of)) this.keyed(field.of, item, depth + 1)
    else this.fields(field.of, item, depth + 1)
    this.literal(`${indent(depth)}${open.replace('<', '</')}\n`)
  }

  /** The name is only known when writing, so it is put in between literals; legacy items are named like their parent. */
  private keyed(field: Keyed, item: string, depth: number): void {
    const name = this.variable()
    this.line(`const ${name} = nameOf(String(${item}.key))`)
    const element = embed(name)
    const attributes = this.options.names === 'legacy' ? '' : ` name="${embed(`escapeAttribute(String(${item}.key))`)}"`
    if (field.of.is === 'list') {
      const items = this.options.names === 'legacy' ? `<${element}>` : `<${xmlFieldName(field.of.item)}>`
      this.list(element, field.of, `${item}.value`, depth, attributes, items)
    } else {
      this.record(element, field.of.of, `${item}.value`, depth, attributes)
    }
  }

  private record(name: string, shape: Shape, value: string, depth: number, attributes = ''): void {
    const record = this.variable()
    this.line(`const ${record} = ${value}`)
    this.literal(`${indent(depth)}<${name}${attributes}>\n`)
    this.fields(shape, record, depth + 1)
    this.literal(`${indent(depth)}</${name}>\n`)
  }

  private fields(shape: Shape, record: string, depth: number): void {
    for (const [name, field] of Object.entries(shape)) this.field(xmlFieldName(name), field, `${record}.${name}`, depth)
  }

  private scalar(name: string, field: Scalar, value: string, depth: number): void {
    const kind = kinds[field.kind]
    const type = kind.xmlType === null ? '' : ` type="${kind.xmlType}"`
    const text = kind.isFreeText ? `escapeText(${value})` : `kinds.${field.kind}.write(${value})`
    const written = `${indent(depth)}<${name}${type}>${embed(text)}</${name}>\n`
    if (field.nullable === undefined) {
      this.literal(written)
    } else {
      const nullType = this.options.nulls === 'typed' ? type : ''
      this.line(`if (${value} === null) {`)
      this.literal(`${indent(depth)}<${name}${nullType} nil="true"></${name}>\n`)
      this.line('} else {')
      this.literal(written)
      this.line('}')
    }
  }
}

function indent(depth: number): string {
  return '  '.repeat(depth)
}
