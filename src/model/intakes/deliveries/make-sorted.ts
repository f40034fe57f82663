/** Looks through files that came together, in a reader thread: of each it is said what it is and whose, and archives of tables are taken apart. */

import { readingApp } from '../../../readers/reading-app.ts'
import type { Maker, Making } from '../../../readers/serve.ts'
import { importErrorSentence } from '../../../resources/imports/import-fault.ts'
import { unreadableFault } from '../../imports/formats.ts'
import { removeUpload } from '../upload-files.ts'
import { lookAt, unreadable } from './look.ts'
import { type AskedSorting, type CameFile, mostDelivered, type SortedFile } from './sorting.ts'
import { type Room, type Unpacked, unpack } from './unpack.ts'
import { guessWhose, type WhoseGuess } from './whose.ts'

type Sorting = Pick<Making<readonly SortedFile[]>, 'settings' | 'pause'> & { readonly guess: WhoseGuess; readonly room: Room }

export const makeSorted: Maker<AskedSorting, readonly SortedFile[]> = async ({ files, staff, now }, making) => {
  const { settings, pause, database, tell } = making
  const guess = await database.snapshot((db) => guessWhose({ ...staff, app: readingApp(db, settings, now) }, db))
  const room = { files: mostDelivered - files.length, bytes: settings.maxUpload }
  const sorted: SortedFile[] = []
  try {
    for (const [at, came] of files.entries()) sorted.push(...(await sortOne(came, at, { settings, pause, guess, room })))
  } catch (error) {
    for (const { at, file } of sorted) if (at === null && file !== null) await removeUpload(settings, file.name)
    throw error
  }
  tell(sorted)
}

async function sortOne(came: CameFile, at: number, sorting: Sorting): Promise<SortedFile[]> {
  const within = await unpackOrSay(came, sorting)
  if (within === null) return [await looked(came, at, sorting)]
  const sorted: SortedFile[] = []
  for (const one of within) {
    if ('file' in one) sorted.push(await looked(one, null, sorting))
    else sorted.push({ name: one.name, file: null, at: null, looked: unreadable(one.fault), whose: null })
  }
  return sorted
}

/** An archive that cannot be taken apart is one file with a fault. */
async function unpackOrSay(came: CameFile, { settings, room }: Sorting): Promise<readonly Unpacked[] | null> {
  try {
    return await unpack(settings, came, room)
  } catch (error) {
    const code = unreadableFault(error)
    const fault =
      code === 'packed_files' ? `has too many files: at most ${mostDelivered} come at once` : importErrorSentence({ field: '', code })
    return [{ name: came.name, fault }]
  }
}

/** What is not read, whatever is said of it, is not kept. */
async function looked({ name, file }: CameFile, at: number | null, { settings, pause, guess }: Sorting): Promise<SortedFile> {
  await pause()
  const found = await lookAt(settings, file)
  if (found.fault === null || found.isMendable) return { name, file, at, looked: found, whose: guess(name, found) }
  if (at === null) await removeUpload(settings, file.name)
  return { name, file: null, at, looked: found, whose: null }
}
