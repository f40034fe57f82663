/** Every command that changes something, on a large world: judged by the longest time for which it holds the lock of the embedded database, in the processor's time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings } from '../../../src/config.ts'
import { openApp } from '../../../src/model/core/app.ts'
import { commandNames, commandRecipes, elsewhere, shows } from '../../guards/bystanders/command-recipes.ts'
import { nameOf } from '../../guards/bystanders/recipe.ts'
import { differencesOf, openRowbook } from '../../guards/bystanders/rows.ts'
import type { World } from '../../guards/bystanders/world.ts'
import { bareEnvironment, relativeImports } from '../../support/child-node.ts'
import type { marquee } from '../../support/command.ts'
import { goalMilliseconds, isRestored, type Judged } from './judged.ts'
import type { Env } from './process.ts'

/** What these take away is not put back, so they come last. */
const irrevocable = ['keyword delete', 'competitor delete', 'page delete', 'intake undo', 'retention', 'subject erase', 'site delete']
const tries = 3

export async function judgeCommands(world: World, env: Env, folder: string): Promise<Judged[]> {
  const notes = join(folder, 'holds')
  const place = { engine: 'sqlite' as const, folder, env: { ...env }, remove: async () => {} }
  const imports = [...relativeImports, '--import', join(import.meta.dirname, 'watch-holds.ts')]
  const loop = join(import.meta.dirname, '../../support/command-loop.ts')
  const child = fork(loop, { env: { ...bareEnvironment(), MARQUEE_ENV_FILE: '/dev/null', ...env, WATCH_HOLDS: notes }, execArgv: imports })
  const app = await openApp(readSettings(env))
  try {
    const recipes = await commandRecipes({ app, world: { ...world, operator: { ...world.operator, app } } }, place, typedInto(child))
    const changing = recipes.filter(({ of, as }) => of !== 'whatever only shows' && as !== 'found by way of another')
    const book = await openRowbook(app.store, 'sqlite', isRestored)
    let start = await book.read()
    const known = [...recipes.map(({ of }) => of), ...Object.keys(elsewhere), ...Object.keys(shows)]
    const judged = commandNames
      .filter((name) => !known.includes(name))
      .map((name) => judgedAs(`command ${name}`, 0, 'nobody knows how to type it'))
    for (const recipe of changing.toSorted((one, other) => irrevocable.indexOf(one.of) - irrevocable.indexOf(other.of))) {
      let best: Judged | undefined
      for (
        let left = irrevocable.includes(recipe.of) ? 1 : tries;
        left > 0 && !(best && (best.failure || best.own <= goalMilliseconds));
        left -= 1
      ) {
        await recipe.prepare?.()
        rmSync(notes, { force: true })
        const failure = await recipe.act().then(
          () => undefined,
          (error: unknown) => String(error),
        )
        const one = judgedAs(`command ${nameOf(recipe)}`, longestIn(notes), failure)
        if (best === undefined || (failure === undefined && one.own < best.own)) best = one
        if (recipe.stays) start = await book.read()
        else await book.restore(differencesOf(start, await book.read()))
      }
      if (best !== undefined) judged.push(best)
    }
    return judged
  } finally {
    child.disconnect()
    await app.close()
  }
}

function typedInto(child: ChildProcess): typeof marquee {
  return async (_, words) => {
    child.send({ words: words.split(' '), env: {}, stdin: '' })
    const [outcome] = (await once(child, 'message')) as [{ code: number; stdout: string; stderr: string }]
    return { ...outcome, json: () => JSON.parse(outcome.stdout) }
  }
}

function longestIn(notes: string): number {
  return existsSync(notes) ? Math.max(0, ...readFileSync(notes, 'utf8').split('\n').map(Number)) : 0
}

function judgedAs(name: string, own: number, failure?: string): Judged {
  return { name, own: Math.round(own * 10) / 10, collected: 0, collections: 0, ...(failure !== undefined && { failure }) }
}
