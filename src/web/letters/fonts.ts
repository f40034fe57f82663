/** The fonts of PDF pages: Noto Sans, and one further font for each script that it lacks. */

import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'
import { memoUntilFull } from '../../lib/memo.ts'
import { directedRuns } from './bidi.ts'

interface Face {
  readonly regular: string
  readonly bold: string
}

const fileOf = createRequire(import.meta.url).resolve
const weights = (folder: string, name: string): Face => ({
  regular: fileOf(`@expo-google-fonts/${folder}/400Regular/${name}_400Regular.ttf`),
  bold: fileOf(`@expo-google-fonts/${folder}/700Bold/${name}_700Bold.ttf`),
})
const single = (folder: string, name: string): Face => {
  const regular = fileOf(`@expo-google-fonts/${folder}/400Regular/${name}_400Regular.ttf`)
  return { regular, bold: regular }
}

/** The fonts in the order in which they are searched for a glyph. The first has Latin, Greek, Cyrillic, Devanagari and Vietnamese. */
// biome-ignore format: a table reads by its columns
export const faces = {
  sans:        weights('noto-sans',               'NotoSans'),
  arabic:      weights('noto-sans-arabic',        'NotoSansArabic'),
  hebrew:      weights('noto-sans-hebrew',        'NotoSansHebrew'),
  thai:        weights('noto-sans-thai',          'NotoSansThai'),
  japanese:    single('sawarabi-gothic',          'SawarabiGothic'),
  chinese:     single('zcool-xiaowei',            'ZCOOLXiaoWei'),
  korean:      single('gowun-dodum',              'GowunDodum'),
  traditional: single('chocolate-classical-sans', 'ChocolateClassicalSans'),
  emoji:       weights('noto-emoji',              'NotoEmoji'),
}

export type FaceName = keyof typeof faces

export interface TextRun {
  readonly text: string
  readonly face: FaceName
  readonly isRightToLeft: boolean
}

/** Characters that no font has; each is printed as U+FFFD. */
export function missingCharacters(text: string): string[] {
  return [...new Set(text)].filter((character) => printable(character) === replacement)
}

/** Splits a line into runs of one font and one direction each, in visual order from left to right. */
export function textRuns(line: string): TextRun[] {
  return isolatesOf(line).flatMap((part) =>
    directedRuns([...part].map(printable).join('')).flatMap(({ text, isRightToLeft }) => {
      const runs = faceRuns(text)
      return isRightToLeft ? runs.reverse().map(turned) : runs.map((run) => ({ ...run, isRightToLeft }))
    }),
  )
}

const [isolate, endOfIsolate] = ['\u2068', '\u2069']

/** Isolates a name within a line that is read from left to right: whatever its own direction is, the line around it keeps its order. */
export function isolated(name: string): string {
  return `${isolate}${name}${endOfIsolate}`
}

function isolatesOf(line: string): string[] {
  return line.split(/\u2068([^\u2069]*)\u2069?/).filter((part) => part !== '')
}

/** pdfkit reverses letters of these two scripts itself, but not the punctuation between them. */
function turned({ text, face }: FaceRun): TextRun {
  const isScript = face === 'arabic' || face === 'hebrew'
  return { face, isRightToLeft: isScript, text: isScript ? text : [...text].reverse().join('') }
}

interface FaceRun {
  readonly text: string
  readonly face: FaceName
}

/** Splits a text into runs of one font each, in reading order. */
function faceRuns(text: string): FaceRun[] {
  const runs: { text: string; face: FaceName }[] = []
  for (const [piece, isHan] of piecesOf(text)) {
    const last = runs.at(-1)
    const stays = last !== undefined && staysWith(last.face, piece)
    const face = stays ? last.face : ((isHan ? faceOfAll(piece) : null) ?? faceOf(piece) ?? 'sans')
    if (last?.face === face) last.text += piece
    else runs.push({ text: piece, face })
  }
  return runs
}

/** Splits a text into letters, but keeps a word of Chinese characters whole if one font has all of them: two fonts in one word look uneven. */
function piecesOf(text: string): [piece: string, isHan: boolean][] {
  const stretches = text.split(/([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+)/u)
  return stretches.flatMap((stretch, index): [string, boolean][] => {
    const isHan = index % 2 === 1
    return isHan && faceOfAll(stretch) !== null ? [[stretch, true]] : [...stretch].map((letter) => [letter, false])
  })
}

function faceOfAll(word: string): FaceName | null {
  const names: readonly FaceName[] = ['japanese', 'chinese', 'traditional']
  return names.find((name) => [...word].every((letter) => hasGlyph(name, letter))) ?? null
}

const replacement = '\ufffd'

/** A character without a glyph is printed in its compatibility form, such as half-width letters in full width, or else as U+FFFD; invisible characters are left out. */
function printable(character: string): string {
  if (/\p{Variation_Selector}/u.test(character)) return ''
  if (faceOf(character) !== null) return character
  if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return ''
  const plain = character.normalize('NFKC')
  return [...plain].every((part) => faceOf(part) !== null) ? plain : replacement
}

/** White space, marks and joiners stay with the letter before them if its font has them. */
function staysWith(face: FaceName, character: string): boolean {
  return face !== 'sans' && /^[\p{M}\p{Cf}\s]$/u.test(character) && hasGlyph(face, character)
}

/** Null if no font has the character. */
const faceOf = memoUntilFull(5_000, (character: string): FaceName | null => {
  const names = Object.keys(faces) as FaceName[]
  return names.find((name) => hasGlyph(name, character)) ?? null
})

function hasGlyph(face: FaceName, character: string): boolean {
  return fontOf(face).hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
}

/** Opened when a character first needs it; most services never need more than the first. */
const fontOf = memoUntilFull(10, (face: FaceName) => openSync(faces[face].regular) as Font)
