/** Escapes text for XML so that any parser reads back what was written, except for characters that XML cannot represent. */

/** For element content: escapes `& < >`, and a carriage return, which parsers would turn into a line feed. */
export function escapeText(text: string): string {
  // One test before anything is copied: most texts are short and need no escaping.
  return suspicious.test(text) ? scrub(withReferences(text)) : text
}

/** Jumps from character to character that needs escaping, which takes half the time of a replacement with a callback. */
function withReferences(text: string): string {
  let written = ''
  let rest = text
  for (let at = rest.search(marks); at >= 0; at = rest.search(marks)) {
    written += rest.slice(0, at) + reference(rest[at] as string)
    rest = rest.slice(at + 1)
  }
  return written + rest
}

/** For values in double quotes: also escapes tab and line feed, which parsers would turn into spaces. */
export function escapeAttribute(text: string): string {
  return scrub(text.replace(/[&<>"\t\n\r]/g, reference))
}

/** Replaces every character that XML forbids, even as a reference, by U+FFFD; U+0080-009F are allowed. */
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

// With the u flag, a surrogate in a class matches only when its other half is missing.
const everyForbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]/gu
