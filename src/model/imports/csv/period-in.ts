/** Finds out of which days the totals in an archive are: from the filters it was made with, else from its table of days. */

import type { ZipArchive } from '../../../lib/zip/zip-file.ts'
import type { DaysTogether } from '../../../resources/imports/import-preset.ts'
import { dayWithin, readDay } from './days.ts'

const mostCharacters = 1 << 18
const filters = /(?:^|\/)filters?\.csv$/i
const days = /(?:^|\/)(?:chart|dates?)\.csv$/i

export async function periodIn(zip: ZipArchive): Promise<DaysTogether | undefined> {
  return inFilters(await textOf(zip, filters)) ?? inDays(await textOf(zip, days))
}

async function textOf(zip: ZipArchive, name: RegExp): Promise<string> {
  const file = zip.names.find((each) => name.test(each))
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of file === undefined ? [] : (zip.read(file) as AsyncIterable<Uint8Array>)) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > mostCharacters) break
  }
  return text
}

/** Two days in one line. `Last 28 days` does not say of which. */
function inFilters(text: string): DaysTogether | undefined {
  for (const line of text.split(/\r?\n/)) {
    const first = dayWithin(line)
    const second = first && dayWithin(first.rest)
    if (first !== undefined && second !== undefined) return between([first.day, second.day])
  }
  return undefined
}

/** Every row has a day in its first cell. */
function inDays(text: string): DaysTogether | undefined {
  const [, ...rows] = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const found = rows.map((row) => readDay(row.split(/[,;\t]/)[0] ?? ''))
  return found.every((day) => day !== undefined) ? between(found) : undefined
}

function between(found: readonly string[]): DaysTogether | undefined {
  const [start_date] = found.toSorted()
  const end_date = found.toSorted().at(-1)
  return start_date === undefined || end_date === undefined ? undefined : { start_date, end_date }
}
