/** The stylesheet works in browsers that lack its newer functions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { heads } from '../../src/web/screens/desk/customers-table.ts'

const css = readFileSync(new URL('../../src/web/assets/style.css', import.meta.url), 'utf8')

describe('the stylesheet', () => {
  test('every token has a plain value that any browser draws', () => {
    assert.doesNotMatch(css, /light-dark\(/)
    const root = /:root \{([\s\S]*?)\n\}/.exec(css)?.[1] ?? ''
    const tokens = new Map([...root.matchAll(/(--[\w-]+): ([^;]*);/g)].map(([, name = '', value = '']) => [name, value]))
    for (const [name, value] of tokens) assert.doesNotMatch(value, /color-mix|oklch|var\(/, name)
    for (const name of ['--accent', '--line', '--quiet', '--rival-1', '--rival-2', '--rival-3'])
      assert.match(tokens.get(name) ?? '', /^#[0-9a-f]{6}$/)
    const defined = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
    for (const [, name] of css.matchAll(/var\((--[\w-]+)/g)) assert.ok(defined.has(name), `${name} is defined`)
  })

  test('each area filled with a mixed colour has a plain one where colours cannot be mixed', () => {
    const [mixing = '', fallback = ''] = css.split('@supports not (color: color-mix')
    const mixed = [...mixing.matchAll(/([^{}]+)\{[^{}]*color-mix[^{}]*\}/g)].flatMap(([, selectors = '']) =>
      selectors
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .split(',')
        .map((one) => one.trim()),
    )
    assert.ok(mixed.length > 8)
    for (const selector of mixed) assert.ok(fallback.includes(selector.replace(/\.wrong$/, '')), selector)
  })

  test('both ways to dark mean the same', () => {
    const [bySystem, byChoice] = [/prefers-color-scheme: dark\) \{\s*:root[^{]*\{([^}]*)\}/, /:root\[data-theme="dark"\] \{([^}]*)\}/].map(
      (pattern) => [...(pattern.exec(css)?.[1] ?? '').matchAll(/--[\w-]+: [^;]*/g)].map(([token]) => token),
    )
    assert.ok(bySystem && bySystem.length > 10)
    assert.deepEqual(byChoice, bySystem)
  })

  test('calls the cells of a customer on a phone as the heads of their columns do', () => {
    const called = [...css.matchAll(/\.customers td:nth-child\((\d)\)::before \{\s*content: "([^"]+)"/g)].map(([, at, label]) => [
      Number(at),
      label,
    ])
    assert.deepEqual(
      called,
      heads.slice(1).map(({ label }, at) => [at + 2, label]),
    )
  })
})
