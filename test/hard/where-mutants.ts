/**
 * `npm run hard:mutants -- src/model/mail`: takes away each condition of a statement that writes, and of a read whose row is then written, one at a time, in
 * a copy of the source, and tells which of them no test notices. Without a path it does so for the whole model and store, which takes hours: HARD_RESULTS
 * names a file to which each outcome is added, and what stands there is not tried again.
 */
import { appendFileSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Reached } from '../guards/bystanders/reach.ts'
import { startPostgres } from '../support/postgres.ts'
import { ownTree } from './support/tree.ts'
import { copyOf, guard, type Outcome, passes, tryMutant } from './support/where-runs.ts'
import { wheresIn } from './support/wheres.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(paths: readonly string[]): Promise<number> {
  const named = paths.length === 0 ? ['src/model', 'src/store'] : paths
  const files = named.flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`, { cwd: ownTree }))).sort()
  const mutants = files.filter((file) => !file.includes('/migrations/')).flatMap((file) => wheresIn(ownTree, file))
  const known = outcomesBefore()
  const postgres = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres()
  if (postgres !== undefined) process.env.TEST_POSTGRES_URL = postgres.url
  const tree = copyOf(ownTree)
  try {
    const reach = join(tree, 'reach')
    if (!(await passes(tree, guard, { TEST_REACH: reach }))) throw new Error(`${guard} fails without any mutant.`)
    const reached = readFileSync(reach, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reached)
    const outcomes: Outcome[] = []
    for (const mutant of mutants) {
      const outcome = known.find((each) => nameOf(each) === nameOf(mutant)) ?? (await tryMutant(tree, reached, mutant))
      outcomes.push(outcome)
      if (!known.includes(outcome)) report(outcome)
    }
    const survivors = outcomes.filter(({ noticed }) => noticed === null)
    const figures = { mutants: outcomes.length, writes: outcomes.filter(({ of }) => of === 'write').length, survivors: survivors.length }
    console.log(JSON.stringify({ ...figures, survived: survivors.map(nameOf) }, null, 2))
    return survivors.length === 0 ? 0 : 1
  } finally {
    rmSync(tree, { recursive: true, force: true })
    await postgres?.stop()
  }
}

function nameOf({ file, line, says }: Pick<Outcome, 'file' | 'line' | 'says'>): string {
  return `${file}:${line} ${says}`
}

function outcomesBefore(): readonly Outcome[] {
  const file = process.env.HARD_RESULTS
  if (!file || !existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Outcome)
}

function report(outcome: Outcome): void {
  console.log(
    `${outcome.noticed === null ? 'SURVIVED' : 'noticed '} ${nameOf(outcome)}${outcome.noticed === null ? '' : ` (${outcome.noticed})`}`,
  )
  if (process.env.HARD_RESULTS) appendFileSync(process.env.HARD_RESULTS, `${JSON.stringify(outcome)}\n`)
}
