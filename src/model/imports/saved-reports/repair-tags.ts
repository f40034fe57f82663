/** Makes tags named by raw data readable: `<123>` and `<plumber chicago>`, which no parser takes, become encoded names. */

import { decodeName, encodeName } from '../../../lib/xml/xml-name.ts'

const tag = /<(\/?)([^!?<>][^<>]*?)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)(\s*\/?)>/g
const wellFormed = /^[A-Za-z_][\w.-]*$/

/** Takes a document piece by piece; a tag that is cut in two waits for its end. */
export class LiteralTags {
  #rest = ''
  #hasBegun = false

  take(piece: string): string {
    // Blanks before the declaration are no fault of what follows.
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

// Some characters of a literal name may have been escaped already: those must not be escaped again.
function rewritten(text: string): string {
  return text.replace(tag, (whole, slash: string, name: string, attributes: string, close: string) =>
    wellFormed.test(name) ? whole : `<${slash}${encodeName(decodeName(name))}${attributes}${close}>`,
  )
}
