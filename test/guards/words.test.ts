import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { projectSources, type Source } from '../support/sources.ts'
import { matches } from './rules.ts'

const sources = projectSources().filter(({ path }) => !path.startsWith('test/guards/'))
const code = sources.filter(({ path }) => path.startsWith('src/'))

// biome-ignore format: a table reads by its columns
const unwanted: readonly (readonly [says: string, pattern: RegExp, within: Source[], example: string])[] = [
  ['a path of one machine',            /(?<![\w.)}])\/(work|root|home\/\w+|Users\/\w+)\/\w/g,                sources, 'see /root/notes'],
  ['the host of a package registry',   /https?:\/\/[^/\s"']*(registry|npmjs|verdaccio)[^/\s"']*/gi,          sources, 'https://registry.example.org/x'],
  ['a promise to do it later',         /\b(TODO|FIXME|XXX|HACK)\b/g,                                         sources, '// TODO: later'],
  ['a reference that nobody can open', /\bissues? #?\d+|\bshared\/(guide|spec)\b/gi,                         sources, 'as issue 7 says'],
  ['an agent instead of a verb',       /\b(class|interface|type) (\w*(Manager|Helper|Utils?|Handler|Impl)|\w+Service)\b/g, code, 'class UserManager'],
  ['a drawer for anything',            /\/(helpers?|utils?|misc|common)(\.ts|\/)/g,                          code,    `from '../lib/utils.ts'`],
  ['an escape from the types',         /\bas any\b|@ts-(ignore|nocheck|expect-error)/g,              sources, 'value as any'],
]

describe('the words', () => {
  for (const [says, pattern, within, example] of unwanted) {
    test(`nowhere is ${says}`, () => {
      assert.notDeepEqual(matches([{ path: 'x', text: example }], pattern, says), [], 'the rule does not see the fault it is there for')
      assert.deepEqual(matches(within, pattern, 'holds'), [])
    })
  }

  test('file names are in kebab-case', () => {
    const named = code.map(({ path }) => path).filter((path) => !/^src\/([a-z0-9-]+\/)*[a-z0-9-]+(\.[a-z0-9]+)+$/.test(path))
    assert.deepEqual(named, [])
  })
})
