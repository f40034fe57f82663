/** The stylesheet works in browsers that lack its newer functions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { heads } from '../../src/web/screens/desk/customers-table.ts'

const css = readFileSync(new URL('../../src/web/assets/style.css', import.meta.url), 'utf8')

/** The oldest browsers that are served: whatever a younger one brought needs a fallback. */
const oldest = { chrome: 111, firefox: 121, safari: 16.4 }

/** What the stylesheet uses of recent years: since when each browser knows it, and what older ones do without it. */
// biome-ignore format: a table reads by its columns
const recent: readonly { name: string; used: RegExp; since: typeof oldest; without?: RegExp }[] = [
  { name: 'color-mix',         used: /color-mix\(/,            since: { chrome: 111, firefox: 113, safari: 16.2 } },
  { name: ':has',              used: /:has\(/,                 since: { chrome: 105, firefox: 121, safari: 15.4 } },
  { name: 'container queries', used: /@container/,             since: { chrome: 105, firefox: 110, safari: 16 } },
  { name: 'inset',             used: /inset:/,                 since: { chrome: 87,  firefox: 66,  safari: 14.1 } },
  { name: 'subgrid',           used: /: subgrid/,              since: { chrome: 117, firefox: 71,  safari: 16 },   without: /grid-row: span \d;\s*grid-template-rows: subgrid/ },
  { name: 'names of marks',    used: /content: "[^"]*" \/ ""/, since: { chrome: 77,  firefox: 128, safari: 17.4 }, without: /@supports \(content: "▲" \/ ""\)/ },
  { name: 'pretty wrapping',   used: /text-wrap: pretty/,      since: { chrome: 117, firefox: 999, safari: 26 },   without: /text-wrap: pretty/ },
  { name: 'content of details', used: /::details-content/,     since: { chrome: 131, firefox: 143, safari: 18.4 }, without: /@media print[\s\S]*::details-content/ },
]

/** Younger than the oldest browsers, and not to be used without a line above. */
const younger = [
  /light-dark\(/,
  /oklch\(/,
  /@scope/,
  /@starting-style/,
  /anchor-name/,
  /field-sizing/,
  /interpolate-size/,
  /@layer/,
  /^\s*&/m,
  /text-wrap: balance/,
]

describe('the stylesheet', () => {
  test('names the oldest browsers that are served, and uses nothing that they drop without a fallback', () => {
    for (const { name, used, since, without } of recent) {
      assert.match(css, used, `${name} is no longer used, and its line can go`)
      const isKnown = (Object.keys(oldest) as (keyof typeof oldest)[]).every((browser) => since[browser] <= oldest[browser])
      assert.ok(isKnown || without?.test(css), `${name} needs a fallback`)
    }
    for (const feature of younger) assert.doesNotMatch(css, feature)
    // Each mark has a plain declaration before the one with an empty name.
    const [plain = '', named = ''] = css.split('@supports (content: "▲" / "")')
    for (const [, selector = ''] of (named.split('\n}\n')[0] ?? '').matchAll(/^ {2}([^\s}][^{]*) \{/gm))
      assert.ok(plain.includes(`${selector} {`), selector)
  })

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
