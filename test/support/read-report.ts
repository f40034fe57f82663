/** Reads a report in XML back into the tree of the same report in JSON, by saxes and by nothing of ours. */
import { SaxesParser } from 'saxes'

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** `hash` vanishes in JSON; any other root stays as the root key. */
export function readReport(xml: string): unknown {
  const root = parse(xml)
  const value = readElement(root)
  return root.name === 'hash' ? value : { [keyOf(root)]: value }
}

export function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]))
    const element: Element = { name, attributes: values, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root.children[0] as Element
}

function keyOf({ name, attributes }: Element): string {
  return attributes['name'] ?? name.replaceAll('-', '_')
}

function readElement(element: Element): unknown {
  const { attributes, children, text } = element
  if (attributes['nil'] === 'true') return null
  if (attributes['type'] === 'array') return children.map(readElement)
  if (children.length > 0) return Object.fromEntries(children.map((child) => [keyOf(child), readElement(child)]))
  return attributes['type'] === 'integer' || attributes['type'] === 'float' ? Number(text) : text
}
