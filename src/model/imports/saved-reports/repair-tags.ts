/** Repairs tags named by raw data: `<123>` and `<plumber chicago>`, which no parser accepts, become encoded names. */

import { decodeName, encodeName } from '../../../lib/xml/xml-name.ts'

const tag = /<(\/?)([^!?<>][^<>]*?)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)(\s*\/?)>/g
const wellFormed = /^[A-Za-z_][\w.-]*$/

/** Takes a document in pieces; a tag that is cut in two waits for its end. */
export class LiteralTags {
  #rest = ''
  #hasBegun = false

  take(piece: string): string {
    // White space before the XML declaration is ignored.
    const text = this.#hasBegun ? this.#rest + piece : piece.trimStart()
    this.#hasBegun ||= text !== ''
    const open = text.lastIndexOf('<')
    const end = open > text.lastIndexOf('>') ? open : text.length
    this.#rest = text.slice(end)
    return rewritten(text.slice(0, end))
  }

  end(): string {
    return rewritten(this.#rest)
  }
}

// Some characters of a literal name may already be escaped; they must not be escaped again.
function rewritten(text: string): string {
  return text.replace(tag, (whole, slash: string, name: string, attributes: string, close: string) =>
    wellFormed.test(name) ? whole : `<${slash}${encodeName(decodeName(name))}${attributes}${close}>`,
  )
}
