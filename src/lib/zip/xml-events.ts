/** Reads the XML of a workbook as events, without namespaces, and refuses what no workbook has: document types and endless texts. */

import { SaxesParser } from 'saxes'

interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** A cell has at most 32,767 characters. */
const maxTextLength = 1 << 20

/** Calls the events of each piece, and then yields, so that what they have found can be passed on. */
export async function* xmlPieces(bytes: AsyncIterable<Uint8Array>, { open, text, close }: XmlEvents): AsyncGenerator<undefined> {
  const parser = new SaxesParser({ xmlns: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => parser.fail('a document type is not taken'))
  parser.on('opentag', ({ name, attributes }) => open(local(name), attributes as Record<string, string>))
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }) => close(local(name)))
  let run = 0
  for await (const chunk of bytes) {
    const piece = decoder.decode(chunk, { stream: true })
    // The parser holds a text until its end, so an endless one is refused before it gets there.
    const mark = Math.max(piece.lastIndexOf('<'), piece.lastIndexOf('>'))
    run = mark < 0 ? run + piece.length : piece.length - mark
    if (run > maxTextLength) parser.fail('a text is too long')
    parser.write(piece)
    yield
  }
  parser.write(decoder.decode()).close()
  yield
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
