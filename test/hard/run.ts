/** `npm run hard -- R2`: the long form of a goal; `--short` a quick look, `--mutants` whether it can fail; no name means all. */
import { appendFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { goals } from './goals.ts'
import type { Goal, Result } from './support/goal.ts'
import { ownTree, withMutant } from './support/tree.ts'

const words = process.argv.slice(2)
const named = words.filter((word) => !word.startsWith('--')).map((word) => word.toUpperCase())
const has = (flag: string) => words.includes(`--${flag}`)
const quietLoad = 0.3

process.exitCode = await main()

async function main(): Promise<number> {
  const chosen = goals.filter(({ id }) => named.length === 0 || named.includes(id.toUpperCase()))
  if (chosen.length === 0) {
    console.error(`There is no such goal: ${goals.map(({ id }) => id).join(', ')}`)
    return 2
  }
  let isRed = false
  for (const goal of chosen) isRed = (has('mutants') ? await tryMutants(goal) : await tryGoal(goal)) || isRed
  return isRed ? 1 : 0
}

async function tryGoal(goal: Goal<never>): Promise<boolean> {
  const load = loadavg()[0] ?? 0
  if (goal.isTimed && load > quietLoad && !has('busy')) {
    report({ goal: goal.id, refused: `the load is ${load.toFixed(2)}: its times would be worth nothing (--busy runs it all the same)` })
    return true
  }
  const { milliseconds, figures, faults } = await timed(() => goal.run(ownTree, has('short') ? goal.short : goal.long))
  report({
    goal: goal.id,
    says: goal.says,
    passed: faults.length === 0,
    seconds: Math.round(milliseconds / 1000),
    load,
    figures,
    faults: faults.slice(0, 20),
  })
  return faults.length > 0
}

/** A mutant that stays green shows that the goal measures nothing. */
async function tryMutants(goal: Goal<never>): Promise<boolean> {
  let isGreen = false
  for (const mutant of goal.mutants) {
    const { milliseconds, figures, faults, isBroken } = await timed(() => withMutant(mutant, (tree) => goal.run(tree, goal.forMutants)))
    const hasTurned = faults.length > 0 && !isBroken
    report({
      goal: goal.id,
      mutant: mutant.says,
      turned_red: hasTurned,
      seconds: Math.round(milliseconds / 1000),
      figures,
      faults: faults.slice(0, 3),
    })
    isGreen = isGreen || !hasTurned
  }
  return isGreen
}

async function timed(work: () => Promise<Result>): Promise<Result & { milliseconds: number; isBroken: boolean }> {
  const startedAt = performance.now()
  try {
    return { ...(await work()), milliseconds: performance.now() - startedAt, isBroken: false }
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { figures: {}, faults: [fault], milliseconds: performance.now() - startedAt, isBroken: true }
  }
}

function report(result: object): void {
  const line = JSON.stringify({ at: new Date().toISOString(), node: process.version, ...result })
  console.log(line)
  if (process.env.HARD_RESULTS) appendFileSync(process.env.HARD_RESULTS, `${line}\n`)
}
