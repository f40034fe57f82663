/** A second, strict XML parser for the tests: what it accepts, any conforming parser accepts. */
import type { XmlDocument as Parsed } from 'libxml2-wasm'
import { libxml2 } from './libxml2.ts'

/** The parser's complaint, or null when the document is well-formed. */
export function xmlFault(document: string | Uint8Array): string | null {
  try {
    parse(document).dispose()
    return null
  } catch (error) {
    if (error instanceof libxml2().XmlParseError) return error.message
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

function parse(document: string | Uint8Array): Parsed {
  const { ParseOption, XmlDocument } = libxml2()
  // A long report is deeper and larger than the library's caution allows for by default.
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_HUGE
  return typeof document === 'string' ? XmlDocument.fromString(document, { option }) : XmlDocument.fromBuffer(document, { option })
}
