import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accentCss, contrastOf } from '../../src/web/components/accent-color.ts'

const parts = /^:root\{--accent:(#\w{6});--on-accent:(#\w{6})\}[\s\S]*\[data-theme="dark"\]\{--accent:(#\w{6});--on-accent:(#\w{6})\}/

test('whatever colour a partner chooses, words in it can be read on every paper of both themes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (colour) => {
      const [, light = '', onLight = '', dark = '', onDark = ''] = parts.exec(accentCss(`#${colour.toString(16).padStart(6, '0')}`)) ?? []
      for (const paper of ['#ffffff', '#f6f6f3', '#f0f0ec']) assert.ok(contrastOf(light, paper) >= 4.5, `${light} on ${paper}`)
      for (const paper of ['#101215', '#191c21', '#22262c']) assert.ok(contrastOf(dark, paper) >= 4.5, `${dark} on ${paper}`)
      assert.ok(contrastOf(onLight, light) >= 4.5 && contrastOf(onDark, dark) >= 4.5)
    }),
  )
})

test('a colour that can be read stays as it is', () => {
  assert.match(accentCss('#0b5e3a'), /^:root\{--accent:#0b5e3a;/)
  assert.equal(Math.round(contrastOf('#000000', '#ffffff')), 21)
})
