/** Lines with text from right to left, in the order of the Unicode bidirectional algorithm (UAX 9). */

import bidiFactory from 'bidi-js'

export interface DirectedRun {
  readonly text: string
  readonly isRightToLeft: boolean
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
// Its types tell of a default export, and the module is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text)
}

/** Splits a line into runs of one direction, in visual order from left to right; the text of each run is in reading order. */
export function directedRuns(line: string): DirectedRun[] {
  if (!hasRightToLeft(line)) return line === '' ? [] : [{ text: line, isRightToLeft: false }]
  const embedding = bidi.getEmbeddingLevels(withPlainSymbols(line))
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels)
  const runs: { text: string; level: number; last: number }[] = []
  for (const index of bidi.getReorderedIndices(line, embedding)) {
    const level = embedding.levels[index] as number
    const [run, letter] = [runs.at(-1), mirrored.get(index) ?? line.charAt(index)]
    const isNext = run?.level === level && Math.abs(index - run.last) === 1
    if (run === undefined || !isNext) runs.push({ text: letter, level, last: index })
    else Object.assign(run, { text: isOdd(level) ? letter + run.text : run.text + letter, last: index })
  }
  return runs.map(({ text, level }) => ({ text, isRightToLeft: isOdd(level) }))
}

function isOdd(level: number): boolean {
  return level % 2 === 1
}

/** The library reads halves of characters, and takes those of emoji for letters from left to right: two symbols without a direction stand for each. */
function withPlainSymbols(line: string): string {
  return line.replace(/[\u{10000}-\u{10ffff}]/gu, '\u2606\u2606')
}
