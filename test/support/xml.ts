/** A second, strict XML parser for the tests: what it accepts, any conforming parser accepts. */
import { ParseOption, XmlDocument, XmlParseError } from 'libxml2-wasm'

/** The parser's complaint, or null when the document is well-formed. */
export function xmlFault(document: string | Uint8Array): string | null {
  try {
    parse(document).dispose()
    return null
  } catch (error) {
    if (error instanceof XmlParseError) return error.message
    throw error
  }
}

/** The text of every node that an XPath expression finds. */
export function xmlTexts(document: string | Uint8Array, path: string): string[] {
  const parsed = parse(document)
  try {
    return parsed.find(path).map((node) => node.content)
  } finally {
    parsed.dispose()
  }
}

function parse(document: string | Uint8Array): XmlDocument {
  // A long report is deeper and larger than the library's caution allows for by default.
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_HUGE
  return typeof document === 'string' ? XmlDocument.fromString(document, { option }) : XmlDocument.fromBuffer(document, { option })
}
