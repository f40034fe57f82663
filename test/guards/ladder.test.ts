import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Source, sourcesIn } from '../support/sources.ts'
import * as rules from './rules.ts'

const sources = sourcesIn('src/**/*.ts')
const tests = sourcesIn('test/**/*.ts')

// Each rule is shown a house that breaks it, so that it is known to see, and then this one.
// biome-ignore format: a table reads by its columns
const houseRules: readonly (readonly [says: string, rule: rules.Rule, broken: readonly Source[]])[] = [
  ['imports go down only',                     rules.importsGoDown,             [file('src/lib/clock.ts', `import { x } from '../model/users.ts'`)]],
  ['doors do not import each other',           rules.importsGoDown,             [file('src/api/users.ts', `import type { X } from '../web/pages.ts'`)]],
  ['nothing below imports the service',        rules.importsGoDown,             [file('src/http/server.ts', `await import('../service.ts')`)]],
  ['the settings know nothing of partners',    rules.importsGoDown,             [file('src/config.ts', `import { x } from './model/users.ts'`)]],
  ['the model has floors of its own',          rules.importsGoDown,             [file('src/model/core/a.ts', `import { x } from '../people/users.ts'`)]],
  ['imports and reports are strangers',        rules.importsGoDown,             [file('src/model/reports/a.ts', `import { x } from '../imports/rows.ts'`)]],
  ['no file lies loose in the model',          rules.everyFileHasItsFloor,      [file('src/model/a.ts', '')]],
  ['no folder of more than 25 files',          rules.noCrowdedFolders,          Array.from({ length: 26 }, (_, n) => file(`src/lib/a${n}.ts`, ''))],
  ['every file stands on a floor',             rules.everyFileHasItsFloor,      [file('src/helpers/x.ts', '')]],
  ['no circle of imports',                     rules.noCycles,                  [file('src/lib/a.ts', `import './b.ts'`), file('src/lib/b.ts', `import type { A } from './a.ts'`)]],
  ['no file over 250 lines',                   rules.noLongFiles,               [file('src/lib/a.ts', 'x\n'.repeat(251))]],
  ['engines are named only in the store',      rules.enginesStayInTheStore,     [file('src/model/a.ts', `if (engine === 'sqlite') return`)]],
  ['an engine hides in no longer name',        rules.enginesStayInTheStore,     [file('src/jobs/a.ts', 'const isPostgres = true')]],
  ['drivers are imported only in the store',   rules.enginesStayInTheStore,     [file('src/http/a.ts', `import pg from 'pg'`)]],
  ['queries stay in the model and the store',  rules.queriesStayInTheModel,     [file('src/api/a.ts', `db.selectFrom('users')`)]],
  ['no pair with a row id is compared',        rules.noPairsWithRowIds,         [file('src/model/a.ts', 'sql`(date, id) > (?, ?)`')]],
  ['no default exports',                       rules.noDefaultExports,          [file('src/lib/a.ts', 'export default 1')]],
  ['an exported name means one thing',         rules.oneMeaningPerName,         [file('src/lib/a.ts', 'export const page = 1'), file('src/web/b.ts', 'export function page() {}')]],
  ['no barrels',                               rules.noBarrels,                 [file('src/lib/a.ts', `export { b } from './b.ts'`)]],
  ['every file begins with its promise',       rules.everyFileStatesItsPromise, [file('src/lib/a.ts', 'export const a = 1')]],
]

describe('the house', () => {
  for (const [says, rule, broken] of houseRules) {
    test(says, () => {
      assert.notDeepEqual(rule([...broken]), [], 'the rule does not see the fault it is there for')
      assert.deepEqual(rule(sources), [])
    })
  }

  test('the tests replace no part of the program', () => {
    assert.notDeepEqual(rules.noMocks([file('test/a.test.ts', `mock.method(users, 'find')`)]), [])
    assert.deepEqual(rules.noMocks(tests.filter(({ path }) => !path.startsWith('test/guards/'))), [])
  })

  test('is small', (t) => {
    const files = sources.map(({ text }) => rules.lineCount(text))
    const functions = sources.flatMap(({ text }) => rules.functionLengths(text))
    t.diagnostic(`${files.length} files, median ${median(files)} lines; ${functions.length} functions, median ${median(functions)} lines`)
    assert.ok(median(files) <= 80, 'files have grown')
    assert.ok(median(functions) <= 8, 'functions have grown')
  })
})

function file(path: string, text: string): Source {
  return { path, text }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
