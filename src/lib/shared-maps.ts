/** Maps that cost nothing while they are empty: forty thousand new competitors would hold 30 MB of empty ones. */

/** Shared by all that have no entry yet. */
export const emptyMap: ReadonlyMap<string, never> = new Map<string, never>()

export function withEntry<T>(map: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> {
  return map === emptyMap ? new Map([[key, value]]) : (map as Map<string, T>).set(key, value)
}
