/** Two parsers that had no part in writing our XML: each gives the root element's name and text, or throws. */
import { SaxesParser } from 'saxes'
import { libxml2 } from './libxml2.ts'

interface Root {
  readonly name: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
}

export function readWithLibxml(xml: string): Root {
  const { XmlDocument, XmlElement } = libxml2()
  const document = XmlDocument.fromBuffer(new TextEncoder().encode(xml))
  try {
    const root = document.root
    const attributes = Object.fromEntries(root.attrs.map((attribute) => [attribute.name, attribute.value]))
    return { name: root.name, text: root.firstChild instanceof XmlElement ? '' : root.content, attributes }
  } finally {
    document.dispose()
  }
}

export function readWithSaxes(xml: string): Root {
  const parser = new SaxesParser({ xmlns: true })
  let root: Root = { name: '', text: '', attributes: {} }
  parser.on('opentag', ({ name, attributes }) => {
    root = { name, text: '', attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])) }
  })
  parser.on('text', (text) => {
    root = { ...root, text: root.text + text }
  })
  parser.write(xml).close()
  return root
}
