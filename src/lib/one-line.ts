/** Names are one line: neither line breaks and other controls nor what turns the direction of the text around them. */

const apart = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const runs = new RegExp(` *(?:${apart.source} *)+`, 'gu')

export function isOneLine(text: string): boolean {
  return !apart.test(text)
}

/** Runs of what does not belong into a line become one blank, with the blanks beside them. */
export function oneLine(text: string): string {
  return isOneLine(text) ? text : text.replace(runs, ' ').trim()
}
