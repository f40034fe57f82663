/** Repeatable random numbers: the same names and days always give the same numbers, so that a later run only adds what is new. */

export type Seed = number

export function seedOf(...parts: readonly (string | number)[]): Seed {
  let hash = 0x811c9dc5
  for (const character of parts.join('\n')) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193)
  return hash >>> 0
}

/** A number from 0 up to 1, exclusive. */
export function chance(seed: Seed, number = 0, other = 0): number {
  let hash = Math.imul(seed ^ Math.imul(number, 0x9e3779b1) ^ Math.imul(other, 0x85ebca77), 0xc2b2ae3d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f)
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

export function between(low: number, high: number, seed: Seed, number = 0, other = 0): number {
  return Math.floor(low + chance(seed, number, other) * (high - low + 1))
}

export function pick<T>(all: readonly T[], seed: Seed, number = 0, other = 0): T {
  return all[Math.floor(chance(seed, number, other) * all.length)] as T
}

/** A smooth curve between -1 and 1 with a period of about `days`. */
export function wander(seed: Seed, day: number, days: number): number {
  const phase = (part: number) => chance(seed, part) * 2 * Math.PI
  return (
    (Math.sin((day / days) * 2 * Math.PI + phase(1)) +
      0.5 * Math.sin((day / days) * 5.3 + phase(2)) +
      0.25 * Math.sin((day / days) * 17 + phase(3))) /
    1.75
  )
}
