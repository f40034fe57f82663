import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentCss, contrastOf } from '../../src/web/components/accent-color.ts'
import { fc } from '../support/properties.ts'

const rule = '\\{--accent:(#\\w{6});--fill:(#\\w{6});--on-fill:(#\\w{6})\\}'
const parts = new RegExp(`^:root${rule}[\\s\\S]*\\[data-theme="dark"\\]${rule}`)

test('whatever colour a partner chooses, words in it and on it can be read on every paper, and a fill is that very colour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const colour = `#${number.toString(16).padStart(6, '0')}`
      const [, light = '', fill = '', ink = '', dark = '', darkFill = '', darkInk = ''] = parts.exec(accentCss(colour)) ?? []
      for (const paper of ['#ffffff', '#f6f6f3', '#f0f0ec']) assert.ok(contrastOf(light, paper) >= 4.5, `${light} on ${paper}`)
      for (const paper of ['#101215', '#191c21', '#22262c']) assert.ok(contrastOf(dark, paper) >= 4.5, `${dark} on ${paper}`)
      assert.deepEqual([fill, darkFill], [colour, colour])
      assert.ok(contrastOf(ink, fill) >= 4.5 && contrastOf(darkInk, darkFill) >= 4.5, `${ink} on ${fill}`)
    }),
    { numRuns: 2_000 },
  )
})

test('a colour that can be read stays as it is in text and lines', () => {
  assert.match(accentCss('#0b5e3a'), /^:root\{--accent:#0b5e3a;/)
  assert.equal(Math.round(contrastOf('#000000', '#ffffff')), 21)
})
