/** The launcher takes relative imports as they are written, and finds the very files that Node finds. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { relativeImports } from '../support/child-node.ts'

const root = join(import.meta.dirname, '..', '..')

/** Imports these files and prints each import on the way: the file it was found in, and its format. */
const printer = `
  import { registerHooks } from 'node:module'
  const found = new Set()
  registerHooks({
    resolve(specifier, context, next) {
      const { url, format } = next(specifier, context)
      if (specifier.startsWith('.')) found.add(format + ' ' + url)
      return { url, format }
    },
  })
  for (const path of process.argv.slice(1)) await import(path)
  console.log([...found].sort().join('\\n'))
  process.exit()
`

function importsOf(files: readonly string[], options: readonly string[]): string[] {
  return execFileSync(process.execPath, [...options, '--input-type=module', '-e', printer, ...files], { encoding: 'utf8' }).split('\n')
}

test('all files of the service and the command line, and Kysely, are found as Node finds them', () => {
  const files = ['src/service.ts', ...globSync('src/cli/**/*.ts', { cwd: root })].map((path) => join(root, path))
  const taken = importsOf(files, relativeImports)
  assert.deepEqual(taken, importsOf(files, []))
  assert.ok(taken.some((line) => line.startsWith('module ') && line.includes('/kysely/')))
  assert.ok(taken.filter((line) => line.startsWith('module-typescript ')).length > 300, `${taken.length} files`)
})
