/** Text inside XML: escaped so that any parser reads back what was written, but for the characters XML has no place for. */

/** For element content: `& < >` always, and a carriage return as a reference, because parsers would turn it into a line feed. */
export function escapeText(text: string): string {
  // One pass that looks before any that copies: most texts need nothing, and short ones are the most.
  return suspicious.test(text) ? scrub(withReferences(text)) : text
}

/** From mark to mark: that takes half the time of a replacement that is called back for each. */
function withReferences(text: string): string {
  let written = ''
  let rest = text
  for (let at = rest.search(marks); at >= 0; at = rest.search(marks)) {
    written += rest.slice(0, at) + reference(rest[at] as string)
    rest = rest.slice(at + 1)
  }
  return written + rest
}

/** For values in double quotes; tab and line feed too, because parsers turn those into spaces there. */
export function escapeAttribute(text: string): string {
  return scrub(text.replace(/[&<>"\t\n\r]/g, reference))
}

/** The text with U+FFFD for every character XML forbids, even as a reference; U+0080-009F are allowed and stay. */
export function scrub(text: string): string {
  return hasForbiddenCharacters(text) ? text.replace(everyForbidden, '\ufffd') : text
}

export function hasForbiddenCharacters(text: string): boolean {
  return forbiddenUnit.test(text) || !text.isWellFormed()
}

function reference(character: string): string {
  return references[character] as string
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const marks = /[&<>\r]/

const suspicious = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/

const forbiddenUnit = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

// With the u flag a surrogate in a class matches only where its other half is missing.
const everyForbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu
