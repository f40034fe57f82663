/** Reads on in an index of days and ids, behind the row that was read last. */

type Read<R> = () => Promise<R[]>

/**
 * Two statements, the rest of the last row's day and the days behind it: SQLite finds no pair of a column and its row id in an index. Compared
 * with such a pair, each piece would go through its day from the beginning, and a day of many rows would take quadratic time.
 */
export async function readBehind<R>(most: number, restOfDay: Read<R>, otherDays: Read<R>): Promise<R[]> {
  const rest = await restOfDay()
  return rest.length >= most ? rest : [...rest, ...(await otherDays())].slice(0, most)
}
