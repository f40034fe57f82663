/** Recognizes the tool that wrote a file by the beginning of the file. */

import type { Making } from '../../readers/serve.ts'
import { readMapping } from '../imports/csv/mappings.ts'
import { openImport } from '../imports/formats.ts'
import { readLines } from '../imports/read/read-lines.ts'
import type { AskedGuess, Guess } from './guess.ts'
import { largestArchiveRead, maxUnfolded, readUpload } from './upload-files.ts'

export async function makeGuess({ file, bytes, words }: AskedGuess, { settings, tell }: Making<Guess>): Promise<void> {
  const presets = new Set<string>()
  const limits = { encoding: words.encoding, isRemembered: true, maxBytes: maxUnfolded(settings, bytes) }
  const stream = readUpload(settings, file)
  try {
    const opened = await openImport(stream, limits)
    const isRead = opened.format !== 'zip' || bytes <= largestArchiveRead
    const lines = isRead ? readLines(opened, readMapping(words), { ...limits, guessed: (preset) => presets.add(preset) }) : []
    for await (const _ of lines) break
  } finally {
    stream.destroy()
  }
  tell({ presets: [...presets] })
}
