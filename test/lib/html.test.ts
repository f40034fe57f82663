/** Markup for pages: text never becomes markup. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html, raw } from '../../src/lib/html.ts'
import { fc } from '../support/properties.ts'

describe('a page template', () => {
  test('escapes what a reviewer wrote', () => {
    const review = `<script>alert("1 & 2")</script> it's`
    assert.equal(String(html`<p>${review}</p>`), '<p>&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt; it&#39;s</p>')
  })

  test('keeps markup of other templates and of constants', () => {
    assert.equal(String(html`<ul>${html`<li>${'a&b'}</li>`}${raw('<hr>')}</ul>`), '<ul><li>a&amp;b</li><hr></ul>')
  })

  test('joins lists, however deep', () => {
    assert.equal(String(html`${['a', html`<b>${'<'}</b>`, [1, ['>']]]}`), 'a<b>&lt;</b>1&gt;')
  })

  test('prints nothing for null, undefined and false, but zero and the empty text as they are', () => {
    assert.equal(String(html`[${null}${undefined}${false}${[]}][${0}${''}]`), '[][0]')
  })

  test('may be written one element a line: the breaks are not sent', () => {
    const [item, none] = [html`<li>one</li>`, null]
    const page = html`
      <ul class="a"
        id="b">
        ${item}
        ${none}
        <li>two words
          and more</li>
      </ul>
    `
    assert.equal(String(page), '<ul class="a" id="b"><li>one</li><li>two words and more</li></ul>')
    assert.equal(String(html`${'a'} ${'b'}\n${'c'}`), 'a bc')
  })

  test('does not take an object that looks like markup for markup', () => {
    const forged = JSON.parse('["<i>"]') as string[]
    assert.equal(String(html`${forged}`), '&lt;i&gt;')
  })

  test('lets no text out of an attribute', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[<>"']/.test(String(html`${text}`))))
  })
})
