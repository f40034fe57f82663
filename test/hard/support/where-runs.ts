/** Runs tests in a copy of the source that lacks one condition, to learn which of them notices. */
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Reached } from '../../guards/bystanders/reach.ts'
import { reasonOf } from './equal-wheres.ts'
import { ownTree } from './tree.ts'
import type { WhereMutant } from './wheres.ts'

/** The cheapest goes first: it makes every change of the service once. */
export const guard = 'test/guards/bystanders.test.ts'
/** A mutant may make a test wait for ever. */
const longestMinutes = 8

export interface Outcome {
  readonly file: string
  readonly line: number
  readonly of: WhereMutant['of']
  readonly says: string
  /** The test file that noticed, or why none can; null if none did. */
  readonly noticed: string | null
}

export async function tryMutant(
  tree: string,
  reached: readonly Reached[],
  { from, to, file, at, line, of, says }: WhereMutant,
): Promise<Outcome> {
  const equal = reasonOf({ file, says })
  if (equal !== undefined) return { file, line, of, says, noticed: `equal: ${equal}` }
  const here = reached.filter(({ functions }) => functions[join(tree, file)]?.some(([start, end]) => start <= at && at < end))
  const elsewhere = reached.filter(({ isElsewhere }) => isElsewhere)
  const tried = async () => {
    for (const recipes of [here, elsewhere]) {
      const names = JSON.stringify(recipes.map(({ recipe }) => recipe))
      if (recipes.length > 0 && !(await passes(tree, guard, { TEST_RECIPES: names }))) return guard
    }
    for (const test of testsNear(file)) if (!(await passes(tree, test))) return test
    return null
  }
  writeFileSync(join(tree, file), to)
  try {
    return { file, line, of, says, noticed: await tried() }
  } finally {
    writeFileSync(join(tree, file), from)
  }
}

/** The tests of the same folder, and those of other folders that are named after the same noun. */
function testsNear(file: string): string[] {
  const [folder, noun] = [dirname(file).replace(/^src/, 'test'), basename(file, '.ts')]
  const named = globSync([`test/{api,web,cli,jobs}/**/${noun}.test.ts`], { cwd: ownTree })
  return [...named.sort(), ...globSync(`${folder}/*.test.ts`, { cwd: ownTree }).sort()]
}

/** On one engine: what a condition does is the same on both. */
export function passes(tree: string, test: string, more: Readonly<Record<string, string>> = {}): Promise<boolean> {
  // A run inside of a test would be skipped.
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env
  const env = { ...outer, TEST_ENGINE: 'sqlite', TEST_FAIL_FAST: '1', ...more }
  const child = spawn(process.execPath, [join(tree, 'test/run.ts'), test], { cwd: tree, env, stdio: 'ignore' })
  const timer = setTimeout(() => child.kill(), longestMinutes * 60_000)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

export function copyOf(source: string): string {
  const tree = mkdtempSync(join(tmpdir(), 'marquee-mutants-'))
  const left = ['node_modules', '.git', 'data', 'dist'].map((name) => join(source, name))
  cpSync(source, tree, { recursive: true, filter: (path) => !left.includes(path) })
  symlinkSync(join(source, 'node_modules'), join(tree, 'node_modules'))
  return tree
}
