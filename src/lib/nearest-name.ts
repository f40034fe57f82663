/** Which known name was probably meant: one that begins with what was given, or one at most two letters away. */

const leastPrefix = 4
const mostEdits = 2
const longestName = 40

export function nearest(given: string, known: readonly string[]): string | undefined {
  const name = given.toLowerCase().replaceAll('-', '_')
  if (name.length > longestName) return undefined
  const begun = name.length >= leastPrefix ? known.find((one) => one.startsWith(name)) : undefined
  if (begun !== undefined) return begun
  const [best] = known.map((one) => ({ one, edits: editsBetween(name, one) })).toSorted((a, b) => a.edits - b.edits)
  // A name of two letters is two edits from any other: what is left must be more than what was changed.
  return best !== undefined && best.edits <= mostEdits && best.edits < name.length ? best.one : undefined
}

/** The Levenshtein distance: letters put in, taken out or replaced. */
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
