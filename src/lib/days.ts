/** Days as `YYYY-MM-DD` and as whole numbers since 1970-01-01, so that arithmetic on them is plain addition. */

const millisecondsPerDay = 86_400_000
/** A page names the same few hundred days thousands of times. */
const numbers = new Map<string, number>()
const texts = new Map<number, string>()
const mostKept = 10_000

export function dayNumber(day: string): number {
  // Date.UTC would take the year 1 for 1901.
  return kept(numbers, day, () => Date.parse(`${day}T00:00:00Z`) / millisecondsPerDay)
}

export function dayText(number: number): string {
  return kept(texts, number, () => new Date(number * millisecondsPerDay).toISOString().slice(0, 10))
}

export function daysLater(day: string, count: number): string {
  return dayText(dayNumber(day) + count)
}

/** The Monday of the week a day lies in (1970-01-01 was a Thursday). */
export function weekOf(number: number): number {
  return number - ((((number + 3) % 7) + 7) % 7)
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(`${text}T00:00:00Z`)) && dayText(dayNumber(text)) === text
}

function kept<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  if (known.size < mostKept) known.set(key, made)
  return made
}
