/** Asks a reader thread which tool wrote a file that has just come, so that the answer to its sender can say it. */

import type { ReaderWork } from '../../readers/messages.ts'
import { askReaders } from '../../readers/pool.ts'
import type { MappingWords } from '../imports/csv/mappings.ts'
import type { FileSender } from './file-senders.ts'
import type { StoredFile } from './upload-files.ts'

export interface AskedGuess {
  readonly file: string
  readonly bytes: number
  readonly words: MappingWords
}

export interface Guess {
  readonly presets: readonly string[]
}

export const guessWork: ReaderWork<AskedGuess, Guess> = { name: 'guess', lane: 'short' }

/** Nothing is guessed where the sender said it. */
export async function guessTool(
  { app, partnerId }: FileSender,
  { name, bytes }: StoredFile,
  words: MappingWords,
): Promise<string | undefined> {
  if ([words.preset, words.kind, words.columns].some((word) => word !== undefined)) return undefined
  // The intake tells it later where no thread has time now.
  const guess = await askReaders(app, guessWork, { file: name, bytes, words }, { party: String(partnerId) })
    .then((work) => work.begun())
    .catch(() => undefined)
  return guess === undefined || guess.presets.length === 0 ? undefined : guess.presets.join()
}
