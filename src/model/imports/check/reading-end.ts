/** When the reading of an import ends early: what was read by then is not what the sender meant, and the rest would only cost time. */

import type { LineError } from '../../../resources/imports/import-fault.ts'

/** A push stores what is good of it, and so does a part of a file; of a whole file nothing is stored once a line has a fault, so that its faults are only counted. */
export type ReadAs = 'push' | 'file' | 'part'

const maxStated = 100
const maxWithoutGood = 1_000
const maxInFile = 100_000

/** The fault of the first line that is not read; undefined while reading goes on. */
export function readingEnd(readAs: ReadAs, lines: number, refused: number): LineError | undefined {
  const end = readAs === 'push' ? endOfPush(lines, refused) : endOfFile(lines, refused, readAs === 'file')
  return end && { field: '', ...end }
}

type End = Pick<LineError, 'code' | 'max'> | undefined

/** More than can be stated, and most of them. */
function endOfPush(lines: number, refused: number): End {
  return refused > maxStated && refused > lines / 2 ? { code: 'not_read', max: maxStated } : undefined
}

function endOfFile(lines: number, refused: number, isWhole: boolean): End {
  if (refused >= maxWithoutGood && refused === lines) return { code: 'none_good', max: maxWithoutGood }
  return isWhole && refused >= maxInFile ? { code: 'too_many_faults', max: maxInFile } : undefined
}
