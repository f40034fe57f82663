/** Which functions of the model and the store each recipe runs in this process: the mutator then tries only recipes that reach what it changes. */
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { nameOf, type Recipe } from './recipe.ts'

export interface Reached {
  readonly recipe: string
  /** Whether it runs in another process or thread, so that nothing is known. */
  readonly isElsewhere: boolean
  /** The first and the last character of each function, by the path of its file. */
  readonly functions: Readonly<Record<string, readonly (readonly [from: number, to: number])[]>>
}

export interface Reach {
  /** What was run since the last time. */
  note(recipe: Recipe): Promise<void>
}

export async function openReach(file: string): Promise<Reach> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    async note(recipe) {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const ours = result.filter(({ url }) => /^file:.*\/src\/(model|store)\//.test(url))
      const functions = ours.map(({ url, functions: all }) => {
        const run = all.flatMap(({ ranges: [range] }) => (range && range.count > 0 && range.startOffset > 0 ? [range] : []))
        return [fileURLToPath(url), run.map(({ startOffset, endOffset }) => [startOffset, endOffset] as const)] as const
      })
      const reached: Reached = {
        recipe: nameOf(recipe),
        isElsewhere: recipe.isElsewhere ?? false,
        functions: Object.fromEntries(functions),
      }
      appendFileSync(file, `${JSON.stringify(reached)}\n`)
    },
  }
}
