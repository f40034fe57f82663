/** Every change of every table is made once, in a world where everything has others of its kind beside it: only what was named differs afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marqueeOn } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden } from '../support/golden.ts'
import { commandNames, commandRecipes, elsewhere, shows } from './bystanders/command-recipes.ts'
import { changing, endpointRecipes } from './bystanders/endpoint-recipes.ts'
import { groundOn } from './bystanders/ground.ts'
import { jobRecipes, jobsOf } from './bystanders/job-recipes.ts'
import { forms, pageRecipes } from './bystanders/page-recipes.ts'

onEachEngine('bystanders', (place) => {
  const ground = groundOn(place)
  const run = marqueeOn(place)

  test('everything has others of its kind beside it', () => {
    assert.deepEqual(ground.emptyTables(), [], 'nobody has a row in these tables')
  })

  test('every request changes what it names, and nothing else', async () => {
    const recipes = await endpointRecipes(ground)
    assert.deepEqual(
      [...changing.keys()].filter((name) => !recipes.some(({ of }) => of === name)),
      [],
      'these endpoints have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  test('every form changes what it names, and nothing else', async () => {
    const recipes = pageRecipes(ground)
    assert.deepEqual(
      forms.filter((name) => !recipes.some(({ of }) => of === name)),
      [],
      'these forms have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  test('every job changes what it is to be done to, and nothing else', async () => {
    const recipes = await jobRecipes(ground)
    assert.deepEqual(
      [...jobsOf(ground.app).keys()].filter((name) => !recipes.some(({ of }) => of === name)),
      [],
      'these jobs have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  test('every command changes what it names, and nothing else', async () => {
    const recipes = await commandRecipes(ground, place, run)
    const known = [...recipes.map(({ of }) => of), ...Object.keys(elsewhere), ...Object.keys(shows)]
    assert.deepEqual(
      commandNames.filter((name) => !known.includes(name)),
      [],
      'these commands have no recipe',
    )
    assert.deepEqual(await ground.faultsIn(recipes), [])
  })

  test('every entry of the audit log is about what its action has always been about', () => {
    if (process.env.TEST_RECIPES === undefined) matchesGolden('audit.txt', `${ground.recorded().join('\n')}\n`)
  })
})
