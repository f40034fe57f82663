/** Every change of every table is made once, in a world where everything has others of its kind beside it: only what was named differs afterwards. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { marqueeOn } from '../support/command.ts'
import { type EngineName, engineNames, onEngine, type Place } from '../support/engines.ts'
import { matchesGolden } from '../support/golden.ts'
import { commandNames, commandRecipes, elsewhere, shows } from './bystanders/command-recipes.ts'
import { changing, endpointRecipes } from './bystanders/endpoint-recipes.ts'
import { groundOn } from './bystanders/ground.ts'
import { jobRecipes, jobsOf } from './bystanders/job-recipes.ts'
import { forms, pageRecipes } from './bystanders/page-recipes.ts'

const parts = ['requests', 'forms', 'jobs', 'commands'] as const
type Part = (typeof parts)[number]

/** What is changed is tested on both engines elsewhere, so the short form tries half of the recipes on each. */
const isWhole = process.env.BYSTANDERS === 'each' || engineNames.length < 2 || process.env.TEST_RECIPES !== undefined
const tried: Record<EngineName, readonly Part[]> = isWhole
  ? { sqlite: parts, postgres: parts }
  : { sqlite: ['forms', 'commands'], postgres: ['requests', 'jobs'] }
const recorded = new Set<string>()

for (const engine of engineNames) onEngine(engine, `bystanders, on ${engine}`, (place) => tryRecipes(engine, place))

function tryRecipes(engine: EngineName, place: Place): void {
  const ground = groundOn(place)
  const run = marqueeOn(place)
  const testOf = (part: Part, title: string, body: () => Promise<void>) => {
    if (tried[engine].includes(part)) test(title, body)
  }

  test('everything has others of its kind beside it', () => {
    assert.deepEqual(ground.emptyTables(), [], 'nobody has a row in these tables')
  })

  testOf('requests', 'every request changes what it names, and nothing else', async () => {
    const recipes = await endpointRecipes(ground)
    assert.deepEqual(
      [...changing.keys()].filter((name) => !recipes.some(({ of }) => of === name)),
      [],
      'these endpoints have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  testOf('forms', 'every form changes what it names, and nothing else', async () => {
    const recipes = pageRecipes(ground)
    assert.deepEqual(
      forms.filter((name) => !recipes.some(({ of }) => of === name)),
      [],
      'these forms have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  testOf('jobs', 'every job changes what it is to be done to, and nothing else', async () => {
    const recipes = await jobRecipes(ground)
    assert.deepEqual(
      [...jobsOf(ground.app).keys()].filter((name) => !recipes.some(({ of }) => of === name)),
      [],
      'these jobs have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  testOf('commands', 'every command changes what it names, and nothing else', async () => {
    const recipes = await commandRecipes(ground, place, run)
    const known = [...recipes.map(({ of }) => of), ...Object.keys(elsewhere), ...Object.keys(shows)]
    assert.deepEqual(
      commandNames.filter((name) => !known.includes(name)),
      [],
      'these commands have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  after(() => {
    for (const entry of ground.recorded()) recorded.add(entry)
  })

  if (engine === engineNames.at(-1))
    test('every entry of the audit log is about what its action has always been about', () => {
      for (const entry of ground.recorded()) recorded.add(entry)
      if (process.env.TEST_RECIPES === undefined) matchesGolden('audit.txt', `${[...recorded].toSorted().join('\n')}\n`)
    })
}
