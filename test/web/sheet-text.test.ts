/** Text on paper: every letter has a glyph in a named font, and lines of both directions stand in the order in which they are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Font, openSync } from 'fontkit'
import { directedRuns } from '../../src/web/letters/bidi.ts'
import { type FaceName, faces, isolated, missingCharacters, textRuns } from '../../src/web/letters/fonts.ts'

const names = [
  'Zażółć gęślą jaźń, Ελλάδα, Привет, हिन्दी, Việt – “€” · • é',
  'عيادة الأسنان (فرع ٢) في دبي، مُريح جدًا Acme 2026',
  'מרפאת שיניים תל אביב (סניף 12) — Harbor Dental',
  'คลินิกทันตกรรม กรุงเทพฯ',
  '渋谷の歯医者さん カタカナ ｶﾀｶﾅ',
  '北京市朝阳区牙科诊所电话预约',
  '臺灣牙醫診所 鑰匙 齒科 龜 鬱 嘅 嗰 嚟 冇',
  '서울 강남역 치과',
  '⭐️ would come again 😀 ❤️ ✅ 👩‍⚕️',
]

test('no letter of names from anywhere is drawn as a missing glyph, and what no font has is named', () => {
  const fonts = new Map((Object.keys(faces) as FaceName[]).map((face) => [face, openSync(faces[face].regular) as Font]))
  for (const name of names) {
    assert.deepEqual(missingCharacters(name), [], name)
    for (const { face, text } of textRuns(name)) {
      const glyphs = fonts.get(face)?.layout(text).glyphs ?? []
      assert.ok(glyphs.length > 0 && glyphs.every(({ id }) => id !== 0), `${face} lacks a letter of ${text}`)
    }
  }
  assert.deepEqual(missingCharacters('a\u{12000}b\u{1D800}'), ['\u{12000}', '\u{1D800}'])
  assert.equal(
    textRuns('a\u{12000}')
      .map(({ text }) => text)
      .join(''),
    'a\ufffd',
  )
})

test('a word of Chinese characters is set in one font where one has all of it', () => {
  assert.deepEqual(
    ['北京诊所', '臺灣鑰匙', '渋谷の歯医者'].map((word) => textRuns(word).map(({ face }) => face)),
    [['chinese'], ['traditional'], ['japanese']],
  )
})

/** As it stands on paper: words from right to left are turned around letter by letter. */
function onPaper(line: string): string {
  return directedRuns(line)
    .map(({ text, isRightToLeft }) => (isRightToLeft ? [...text].reverse().join('') : text))
    .join('')
}

test('lines of both directions stand in the order of the Unicode bidirectional algorithm', () => {
  assert.equal(onPaper('Acme 24/7'), 'Acme 24/7')
  assert.equal(onPaper('Acme אבג דהו 12'), 'Acme 12 והד גבא')
  assert.equal(onPaper('אבג Acme דהו'), 'והד Acme גבא')
  assert.equal(onPaper('אבג (12) Acme, Inc'), 'Acme, Inc (12) גבא')
  assert.equal(onPaper('Acme (אבג) 5'), 'Acme (גבא) 5')
  assert.equal(onPaper('אבג 1,200.50'), '1,200.50 גבא')
  assert.equal(onPaper('אבג %50'), '%50 גבא')
  assert.equal(onPaper('«אבג»'), '«גבא»')
  assert.deepEqual(directedRuns(''), [])
})

test('an emoji has no direction: the line takes that of its letters', () => {
  assert.deepEqual(directedRuns('💡 אבג'), [{ text: '💡 אבג', isRightToLeft: true }])
  assert.equal(onPaper('אבג 💡 Acme'), 'Acme 💡 גבא')
})

test('a name within a line keeps the line around it in order', () => {
  const line = ['אבג Acme', 'דהו', '7 Nov'].map(isolated).join(' · ')
  const texts = textRuns(line).map(({ text, isRightToLeft }) => (isRightToLeft ? [...text].reverse().join('') : text))
  assert.equal(texts.join(''), 'Acme גבא · והד · 7 Nov')
})
