/** Turns any text into an XML element name from which the text can be read back (ISO/IEC 9075-14). */
import { followingCharacters, leadingCharacters, refusedByRexml } from './xml-name-characters.ts'

/** The name in the default dialect, which every parser accepts, including REXML, with or without namespaces. */
export function encodeName(raw: string): string {
  if (raw === '') throw new RangeError('an XML name cannot be made of an empty text')
  return plain.test(raw) ? raw.replaceAll(' ', '_x0020_') : raw.replace(unnameable, escapeCharacter)
}

export function decodeName(name: string): string {
  return name.replace(escaped, (whole, digits: string) => {
    const codePoint = Number.parseInt(digits, 16)
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole
  })
}

/** The name as the legacy service wrote it: `plumber-chicago`, and even `123`, which no current parser accepts. */
export function legacyName(raw: string): string {
  const name = raw.slice(...extent(raw, '\t\n\v\f\r '))
  const [start, end] = extent(name, '_')
  const hyphenated = name.slice(0, start) + name.slice(start, end).replace(/[_ ]/g, '-') + name.slice(end)
  if (name === '') return encodeName(raw)
  return hyphenated.replace(looksEscaped, escapeCharacter).replace(breaksTag, escapeCharacter)
}

/** Where the text begins and ends without the given characters around it. A loop, because the regular expression `_+$` takes quadratic time on `a____b`. */
function extent(text: string, outer: string): [number, number] {
  let start = 0
  let end = text.length
  while (start < end && outer.includes(text.charAt(start))) start++
  while (end > start && outer.includes(text.charAt(end - 1))) end--
  return [start, end]
}

function escapeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) as number
  const digits = codePoint.toString(16).toUpperCase()
  return `_x${digits.padStart(codePoint > 0xffff ? 8 : 4, '0')}_`
}

// Most phrases and domains need no escape except for spaces; underscores and a leading x are handled by the slower rule.
const plain = /^[A-WYZa-wyz][A-Za-z0-9 .-]*$/

const unnameable = new RegExp(
  [
    '^[Xx](?=[Mm][Ll])',
    '_(?=x|X(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})_)',
    `^[^${leadingCharacters}]`,
    `[^${leadingCharacters}${followingCharacters}]`,
    `[${refusedByRexml}]`,
  ].join('|'),
  'gu',
)

const escaped = /_x([0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})_/g

/** An underscore that begins what would be read as an escape. */
const looksEscaped = /_(?=x(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{4})[_<>&"'=/\s\p{Cc}\p{Cs}\ufffe\uffff])/gu

// Unescaped, these would end the name or open other markup (`<!--`, `<?`): data must never break out of its tag.
const breaksTag = /^[!?]|[<>&"'=/\s\p{Cc}\p{Cs}\ufffe\uffff]/gu
