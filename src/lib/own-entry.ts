/** What a table holds under a name that somebody outside has chosen: `constructor` and the like are in every object, and in no table. */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string | null): T | undefined {
  return name !== null && Object.hasOwn(table, name) ? table[name] : undefined
}
