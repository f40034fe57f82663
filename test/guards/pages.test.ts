import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { projectRoot, type Source, sourcesIn } from '../support/sources.ts'

const pages = [...sourcesIn('*.md'), ...sourcesIn('docs/**/*.md')]

describe('the pages', () => {
  test('every link within the project leads somewhere', () => {
    assert.deepEqual(lostLinks({ path: 'README.md', text: 'see [this](docs/nowhere.md)' }), ['README.md links to docs/nowhere.md'])
    assert.deepEqual(pages.flatMap(lostLinks), [])
  })

  test('every file that a page names exists', () => {
    assert.deepEqual(lostFiles({ path: 'README.md', text: 'open `src/nowhere.ts`' }), ['README.md names src/nowhere.ts'])
    assert.deepEqual(pages.flatMap(lostFiles), [])
  })

  test('the list of decisions names each page', () => {
    const index = pages.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? ''
    const unlisted = pages
      .map(({ path }) => /^docs\/decisions\/(\d{4}.+)$/.exec(path)?.[1])
      .filter((name) => name && !index.includes(`(${name})`))
    assert.deepEqual(unlisted, [])
  })

  test('a decision that another replaces says by which', () => {
    const [older, newer] = ['docs/decisions/older.md', 'docs/decisions/newer.md']
    const replacing = { path: newer, text: 'Accepted. Replaces "one thread" of [Older](older.md).' }
    assert.deepEqual(untoldReplacements([replacing, { path: older, text: 'Accepted.' }]), [
      `${older} does not say that newer.md replaces it`,
    ])
    assert.deepEqual(untoldReplacements(pages), [])
  })

  test('no stylesheet needs a colour function that half of the browsers lack', () => {
    assert.deepEqual(
      sourcesIn('src/**/*.css')
        .filter(({ text }) => /light-dark\(/.test(text))
        .map(({ path }) => path),
      [],
    )
    assert.ok(sourcesIn('src/**/*.css').length > 1)
  })

  test('the two commands stand in the first page as they are run', () => {
    const readme = pages.find(({ path }) => path === 'README.md')?.text ?? ''
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) assert.ok(readme.includes(`    ${command}\n`), command)
  })
})

function untoldReplacements(all: readonly Source[]): string[] {
  return all.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:[Rr]eplaces|[Nn]arrows|Changes) [^.]*?\(([\w-]+\.md)\)/g)].flatMap(([, name = '']) => {
      const older = all.find((page) => page.path === join(dirname(path), name))
      return older === undefined || older.text.includes(`(${basename(path)})`)
        ? []
        : [`${older.path} does not say that ${basename(path)} replaces it`]
    }),
  )
}

function lostLinks({ path, text }: Source): string[] {
  const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !existsSync(join(projectRoot, dirname(path), target))).map((target) => `${path} links to ${target}`)
}

// `<noun>` stands for any noun, so such a name is tried as a pattern.
function lostFiles({ path, text }: Source): string[] {
  const names = [...text.matchAll(/`((?:src|test|docs|bench|scripts)\/[\w./*<>-]+)`/g)].map(([, name = '']) => name)
  return names
    .filter((name) => globSync(name.replace(/<\w+>/g, '*').replace(/\/$/, ''), { cwd: projectRoot }).length === 0)
    .map((name) => `${path} names ${name}`)
}
