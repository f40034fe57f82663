/** The items of a JSON array as texts, told apart without reading any of them, so that each can be read and refused alone. */

const quote = 34
const backslash = 92
const comma = 44
const opening = new Set([91, 123])
const closing = new Set([93, 125])

/** Undefined when the text is no array. Whether an item is JSON is for its reader to see. */
export function jsonItems(text: string): string[] | undefined {
  const inside = /^\s*\[([\s\S]*)\]\s*$/.exec(text)?.[1]
  if (inside === undefined) return undefined
  return inside.trim() === '' ? [] : parted(inside)
}

function parted(text: string): string[] | undefined {
  const items: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at)
    else if (opening.has(character)) depth++
    else if (closing.has(character)) depth--
    else if (character === comma && depth === 0) {
      items.push(text.slice(start, at))
      start = at + 1
    }
    if (depth < 0) return undefined
  }
  return depth === 0 ? [...items, text.slice(start)] : undefined
}

/** Place of the quote that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}
