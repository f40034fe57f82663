/** Days in a workbook are numbers; the format of a cell says that it is one. */

/** The numbers of the formats that every workbook has, for days and times, and of those for East Asia. */
const dateFormats: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** The day 1970-01-01, counted from the beginning of 1900 with the leap day that was none. */
const unixDay = 25_569
const daysBetweenCalendars = 1_462

/** Whether a format is one of a day; colours, currencies and texts in quotes are no part of it. */
export function isDateFormatCode(id: number, code: string | undefined): boolean {
  if (code === undefined) return dateFormats.some(([from, to]) => id >= from && id <= to)
  const [first = ''] = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').split(';')
  return /[dmyhs]/i.test(first) && !/general/i.test(first)
}

export function dayMilliseconds(serial: number, is1904: boolean): number {
  return Math.round((serial + (is1904 ? daysBetweenCalendars : 0) - unixDay) * 86_400) * 1000
}
