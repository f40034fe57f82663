/** Asks a reader thread to look through files that came together: archives are unpacked there, and of each file it is said what it is and whose. */

import type { ReaderWork } from '../../../readers/messages.ts'
import { askReaders } from '../../../readers/pool.ts'
import type { StaffCaller } from '../../core/caller.ts'
import type { StoredFile } from '../upload-files.ts'
import type { Looked } from './look.ts'
import type { Whose } from './whose.ts'

/** A file as it came. */
export interface CameFile {
  readonly name: string
  readonly file: StoredFile
}

export interface AskedSorting {
  readonly files: readonly CameFile[]
  readonly staff: Omit<StaffCaller, 'app' | 'repeat'>
  readonly now: string
}

export interface SortedFile {
  readonly name: string
  /** Null if it cannot be read, and is gone. */
  readonly file: StoredFile | null
  /** Where it stood among the files that came; null if it was unpacked. */
  readonly at: number | null
  readonly looked: Looked
  readonly whose: Whose | null
}

export const sortingWork: ReaderWork<AskedSorting, readonly SortedFile[]> = { name: 'sorting', lane: 'long' }

export const mostDelivered = 500

/** Goes on when the sender has left: what has come is not lost. */
export async function sortFiles(caller: StaffCaller, files: readonly CameFile[]): Promise<readonly SortedFile[]> {
  const { app, repeat: _, ...staff } = caller
  const asking = { party: String(caller.partnerId), person: String(caller.userId) }
  const came = files.map(({ name, file }) => ({ name, file }))
  return (await askReaders(app, sortingWork, { files: came, staff, now: app.clock.now() }, asking)).begun()
}
