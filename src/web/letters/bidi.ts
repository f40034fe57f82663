/** The Unicode bidirectional algorithm (UAX 9), without explicit embeddings, for lines with text from right to left. */

export interface DirectedRun {
  readonly text: string
  readonly isRightToLeft: boolean
}

type Kind = 'left' | 'right' | 'number' | 'neutral'

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text)
}

/** Splits a line into runs of one direction, in visual order from left to right; the text of each run is in reading order. */
export function directedRuns(line: string): DirectedRun[] {
  if (!hasRightToLeft(line)) return line === '' ? [] : [{ text: line, isRightToLeft: false }]
  const letters = [...line]
  const runs = levelRuns(letters, levelsOf(letters))
  return inPlace(runs).map(({ text, level }) => ({ text: level % 2 === 1 ? mirrored(text) : text, isRightToLeft: level % 2 === 1 }))
}

interface LevelRun {
  readonly text: string
  readonly level: number
}

function levelRuns(letters: readonly string[], levels: readonly number[]): LevelRun[] {
  const runs: { text: string; level: number }[] = []
  for (const [index, letter] of letters.entries()) {
    const [last, level] = [runs.at(-1), levels[index] as number]
    if (last?.level === level) last.text += letter
    else runs.push({ text: letter, level })
  }
  return runs
}

/** Reverses every sequence of runs of a level or higher, from the highest level down (rule L2). */
function inPlace(runs: readonly LevelRun[]): LevelRun[] {
  const placed = [...runs]
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--) {
    for (let start = 0; start < placed.length; start++) {
      let end = start
      while (end < placed.length && (placed[end] as LevelRun).level >= level) end++
      if (end > start) placed.splice(start, end - start, ...placed.slice(start, end).reverse())
      start = end
    }
  }
  return placed
}

/** The direction of a line is that of its first letter with a direction. */
function levelsOf(letters: readonly string[]): number[] {
  const kinds = resolved(letters, letters.map(kindOf))
  const base = kinds.base === 'right' ? 1 : 0
  const levelOf = (kind: Kind) => (kind === 'right' ? 1 : kind === 'number' ? 2 : base === 1 ? 2 : 0)
  const levels = kinds.all.map(levelOf)
  // White space at the end of a line stays at its end.
  for (let index = letters.length - 1; index >= 0 && /\s/.test(letters[index] as string); index--) levels[index] = base
  return levels
}

function resolved(letters: readonly string[], kinds: readonly Kind[]): { base: Side; all: Kind[] } {
  const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'right' ? 'right' : 'left'
  const all = withBrackets(letters, withNumbers(kinds, base), base)
  for (let start = 0; start < all.length; start++) {
    if (all[start] !== 'neutral') continue
    let end = start
    while (all[end] === 'neutral') end++
    const [before, after] = [sideOf(all[start - 1]) ?? base, sideOf(all[end]) ?? base]
    all.fill(before === after ? before : base, start, end)
    start = end - 1
  }
  return { base, all }
}

type Side = 'left' | 'right'

/** For neighbouring neutral characters, a number counts as right to left. */
function sideOf(kind: Kind | undefined): Side | null {
  return kind === undefined || kind === 'neutral' ? null : kind === 'left' ? 'left' : 'right'
}

/** Both brackets of a pair take the direction of the line if something inside has it, and otherwise the direction that is both inside and before them. */
function withBrackets(letters: readonly string[], kinds: readonly Kind[], base: Side): Kind[] {
  const all = [...kinds]
  const open: number[] = []
  for (const [index, letter] of letters.entries()) {
    if (/[([{]/.test(letter)) open.push(index)
    else if (/[)\]}]/.test(letter) && letters[open.at(-1) ?? -1] === brackets[letter]) {
      const start = open.pop() as number
      const inside = new Set(kinds.slice(start, index).map(sideOf))
      const before = all.slice(0, start).findLast((kind) => sideOf(kind) !== null)
      const other = base === 'left' ? 'right' : 'left'
      const side = inside.has(base) ? base : inside.has(other) ? ((sideOf(before) ?? base) === other ? other : base) : null
      if (side !== null) all[start] = all[index] = side
    }
  }
  return all
}

/** A number after letters from left to right takes their direction. */
function withNumbers(kinds: readonly Kind[], base: Side): Kind[] {
  let strong: Kind = base
  return kinds.map((kind, index) => {
    if (kind === 'left' || kind === 'right') strong = kind
    const isSeparator = kind === 'neutral' && kinds[index - 1] === 'number' && kinds[index + 1] === 'number'
    return (kind === 'number' || isSeparator) && strong === 'left' ? 'left' : isSeparator ? 'number' : kind
  })
}

/** Combining marks take the kind of the letter before them. */
function kindOf(letter: string, index: number, all: readonly string[]): Kind {
  if (/\p{M}/u.test(letter) && index > 0) return kindOf(all[index - 1] as string, index - 1, all)
  if (/\p{Nd}/u.test(letter)) return 'number'
  if (rightToLeft.test(letter) && /\p{L}/u.test(letter)) return 'right'
  return /\p{L}/u.test(letter) ? 'left' : 'neutral'
}

/** Brackets are mirrored in text from right to left. */
function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>«»‹›]/g, (mark) => brackets[mark] ?? mark)
}

const brackets: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
  '‹': '›',
  '›': '‹',
}
