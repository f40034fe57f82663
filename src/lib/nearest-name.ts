/** Finds the known name that was probably meant: one that begins with the given text, or differs by at most two letters. */

const leastPrefix = 4
const mostEdits = 2
const longestName = 40

export function nearest(given: string, known: readonly string[]): string | undefined {
  const name = given.toLowerCase().replaceAll('-', '_')
  if (name.length > longestName) return undefined
  const begun = name.length >= leastPrefix ? known.find((one) => one.startsWith(name)) : undefined
  if (begun !== undefined) return begun
  const [best] = known.map((one) => ({ one, edits: editsBetween(name, one) })).toSorted((a, b) => a.edits - b.edits)
  // Any two names of two letters are at most two edits apart, so a match must keep more letters than it changes.
  return best !== undefined && best.edits <= mostEdits && best.edits < name.length ? best.one : undefined
}

/** The Levenshtein distance: the number of letters inserted, removed or replaced. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[other.length] as number
}
