/** The fonts of PDF pages: Noto Sans, and one further font for each script that it lacks. */

import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'
import { memoUntilFull } from '../../lib/memo.ts'

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
  sans:     weights('noto-sans',        'NotoSans'),
  arabic:   weights('noto-sans-arabic', 'NotoSansArabic'),
  hebrew:   weights('noto-sans-hebrew', 'NotoSansHebrew'),
  thai:     weights('noto-sans-thai',   'NotoSansThai'),
  japanese: single('sawarabi-gothic',   'SawarabiGothic'),
  chinese:  single('zcool-xiaowei',     'ZCOOLXiaoWei'),
  korean:   single('gowun-dodum',       'GowunDodum'),
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

/** Splits a text into runs of one font each; words written from right to left stay together with the spaces between them. */
export function textRuns(text: string): TextRun[] {
  const runs: { text: string; face: FaceName }[] = []
  for (const character of [...text].map(printable).join('')) {
    const last = runs.at(-1)
    const face = last !== undefined && staysWith(last.face, character) ? last.face : (faceOf(character) ?? 'sans')
    if (last?.face === face) last.text += character
    else runs.push({ text: character, face })
  }
  return runs.flatMap(({ text: all, face }): TextRun[] => {
    const isRightToLeft = face === 'arabic' || face === 'hebrew'
    const words = isRightToLeft ? all.trimEnd() : all
    // A space at the end of such words would be placed at their left.
    const blank: TextRun = { text: all.slice(words.length), face: 'sans', isRightToLeft: false }
    return [{ text: words, face, isRightToLeft }, ...(blank.text === '' ? [] : [blank])]
  })
}

const replacement = '\ufffd'

/** A character without a glyph is printed in its compatibility form, such as half-width letters in full width, or else as U+FFFD. */
function printable(character: string): string {
  if (faceOf(character) !== null) return character
  const plain = character.normalize('NFKC')
  return [...plain].every((part) => faceOf(part) !== null) ? plain : replacement
}

/** White space, marks and joiners stay with the letter before them if its font has them. */
function staysWith(face: FaceName, character: string): boolean {
  return face !== 'sans' && /[\p{M}\p{Cf}\s]/u.test(character) && hasGlyph(face, character)
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
