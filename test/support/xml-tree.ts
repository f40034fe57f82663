/** An XML document as plain values, the way a client of the dialect reads it: by two parsers that had no part in writing it. */
import type { XmlElement as ParsedElement } from 'libxml2-wasm'
import { SaxesParser } from 'saxes'
import { libxml2 } from './libxml2.ts'

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

export type Tree = string | number | boolean | null | Tree[] | { [name: string]: Tree }

export function readWithLibxml(xml: string): Element {
  const document = libxml2().XmlDocument.fromBuffer(new TextEncoder().encode(xml))
  try {
    return elementOf(document.root)
  } finally {
    document.dispose()
  }
}

export function readWithSaxes(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true })
  const open: Element[] = [{ name: '', attributes: {}, children: [], text: '' }]
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element = { name, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.write(xml).close()
  return open[0]?.children[0] as Element
}

/** The value an element stands for: by its type, and by the `name` it carries where its name comes from data. */
export function treeOf({ attributes: { type, nil }, children, text }: Element): Tree {
  if (nil === 'true') return null
  if (type === 'array') return children.map(treeOf)
  if (type === 'integer' || type === 'float') return Number(text)
  if (type === 'boolean') return text === 'true'
  if (children.length === 0) return text
  return Object.fromEntries(children.map((child) => [child.attributes.name ?? child.name.replaceAll('-', '_'), treeOf(child)]))
}

function elementOf(element: ParsedElement): Element {
  const { XmlElement, XmlText } = libxml2()
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]))
  const found: Element = { name: element.name, attributes, children: [], text: '' }
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) found.children.push(elementOf(node))
    else if (node instanceof XmlText) found.text += node.content
  }
  return found
}
