/**
 * XML writers, compiled from a shape once at start into straight-line string concatenation instead of a walk over the table. The code is generated from our
 * own tables only; no request data becomes code.
 */

import { escapeAttribute, escapeText } from '../lib/xml/xml.ts'
import { encodeName, legacyName } from '../lib/xml/xml-name.ts'
import { CodeBuilder, embed, expressionOf, flush, type Loop } from './code-builder.ts'
import { kinds } from './kinds.ts'
import { type Field, isKeyed, type Keyed, type List, type RecordOf, type Scalar, type Shape, xmlFieldName } from './shape.ts'
import type { FlowWriter, PackedWriter, PackedWriters } from './streaming.ts'

export type NameStyle = 'encoded' | 'legacy'

export interface XmlOptions {
  /** Whether a null element keeps its type attribute: in records it does, in reports it does not. */
  readonly nulls: 'typed' | 'untyped'
  readonly names?: NameStyle
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export type XmlWriter<S extends Shape> = (record: RecordOf<S>) => string

/** Compiles a writer of whole documents with this root. */
export function compileXml<S extends Shape>(root: string, shape: S, options: XmlOptions): XmlWriter<S> {
  const code = new XmlCode(options)
  code.document(root, shape)
  return code.compiled() as XmlWriter<S>
}

/** Compiles a writer of documents that are one list: `<users type="array">`. */
export function compileXmlList<S extends Shape>(
  root: string,
  items: List<S>,
  options: XmlOptions,
): (records: Iterable<RecordOf<S>>) => string {
  const code = new XmlCode(options)
  code.literal(xmlDeclaration)
  code.list(xmlFieldName(root), items, 'v0', 0)
  return code.compiled() as never
}

/** Compiles a writer of whole documents whose lists come in batches. */
export function compileXmlFlow<S extends Shape>(root: string, shape: S, options: XmlOptions, spans?: PackedWriters): FlowWriter<S> {
  const code = new XmlCode(options, true, spans)
  code.document(root, shape)
  return code.compiled() as never
}

/** Compiles a writer of a record's fields at a given depth, without the element around them. */
export function compileXmlFields<S extends Shape>(shape: S, depth: number, options: XmlOptions): (record: RecordOf<S>) => string {
  const code = new XmlCode(options)
  code.fields(shape, 'v0', depth)
  return code.compiled() as never
}

class XmlCode extends CodeBuilder {
  private readonly options: XmlOptions
  private readonly spans: PackedWriters | undefined
  private readonly spanWriters: PackedWriter[] = []

  constructor(options: XmlOptions, isFlow = false, spans?: PackedWriters) {
    super(isFlow)
    this.options = options
    this.spans = spans
  }

  compiled(): (value: unknown) => string {
    const nameOf = this.isLegacy ? legacyName : encodeName
    return this.compile({ kinds, escapeText, escapeAttribute, nameOf, spanWriters: this.spanWriters })
  }

  document(root: string, shape: Shape): void {
    const name = xmlFieldName(root)
    this.literal(`${xmlDeclaration}<${name}>\n`)
    this.fields(shape, 'v0', 1)
    this.literal(`</${name}>\n`)
  }

  private field(name: string, field: Field, value: string, depth: number): void {
    if (field.is === 'scalar') this.scalar(name, field, value, depth)
    else if (field.is === 'list') this.list(name, field, value, depth)
    else this.record(name, field.of, value, depth)
  }

  list(name: string, field: List, value: string, depth: number): void {
    this.array(name, value, depth, '', (item) => this.item(field, item, `<${xmlFieldName(field.item)}>`, depth + 1))
  }

  private array(name: string, value: string, depth: number, attributes: string, write: (item: string) => void, each: Loop = 'each'): void {
    const [items, item, isEmpty] = [this.variable(), this.variable(), this.variable()]
    this.line(`const ${items} = ${value}; let ${isEmpty} = true`)
    this[each](items, item, () => {
      this.line(`if (${isEmpty}) { ${isEmpty} = false`)
      this.literal(`${indent(depth)}<${name} type="array"${attributes}>\n`)
      this.line('}')
      write(item)
    })
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
    this.literal(`${indent(depth)}${closing(open)}\n`)
  }

  /** The name of the element is data, so the code computes it for each item. */
  private keyed({ of }: Keyed, item: string, depth: number): void {
    const name = this.variable()
    this.line(`const ${name} = nameOf(String(${item}.key))`)
    const attributes = this.isLegacy ? '' : ` name="${embed(`escapeAttribute(String(${item}.key))`)}"`
    if (of.is === 'list') this.series(embed(name), of, `${item}.value`, depth, attributes)
    else this.record(embed(name), of.of, `${item}.value`, depth, attributes)
  }

  /** In the legacy dialect, items are named like their parent. */
  private series(name: string, field: List, value: string, depth: number, attributes: string): void {
    const open = this.isLegacy ? `<${name}>` : `<${xmlFieldName(field.item)}>`
    if (this.isFlow) this.array(name, value, depth, attributes, (item) => this.span(item, open, depth + 1), 'eachSpan')
    else this.array(name, value, depth, attributes, (item) => this.item(field, item, open, depth + 1))
  }

  /** If the element has a fixed name, the span's writer writes it, joined with the text around it. */
  private span(item: string, open: string, depth: number): void {
    const writer = this.spanWriters.push((this.spans as PackedWriters).at(depth, this.isLegacy ? null : open.slice(1, -1))) - 1
    const [before, behind] = [open, closing(open)].map((tag) => expressionOf(this.isLegacy ? `${indent(depth)}${tag}\n` : ''))
    this.line(`${flush}; spanWriters[${writer}](${item}, out, ${before}, ${behind})`)
  }

  private get isLegacy(): boolean {
    return this.options.names === 'legacy'
  }

  private record(name: string, shape: Shape, value: string, depth: number, attributes = ''): void {
    const record = this.variable()
    this.line(`const ${record} = ${value}`)
    this.literal(`${indent(depth)}<${name}${attributes}>\n`)
    this.fields(shape, record, depth + 1)
    this.literal(`${indent(depth)}</${name}>\n`)
  }

  fields(shape: Shape, record: string, depth: number): void {
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

function closing(open: string): string {
  return open.replace('<', '</')
}

export function indent(depth: number): string {
  return '  '.repeat(depth)
}
