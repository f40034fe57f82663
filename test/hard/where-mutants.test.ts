/** The conditions that `npm run hard:mutants` takes away, and that a lack of one is noticed. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { equals } from './support/equal-wheres.ts'
import { ownTree } from './support/tree.ts'
import { copyOf, guard, passes } from './support/where-runs.ts'
import { wheresIn } from './support/wheres.ts'

const schedules = 'src/model/mail/schedules.ts'

test('the conditions of writes are found, and those of reads whose row is then written', () => {
  const found = wheresIn(ownTree, 'src/model/people/share-links.ts').map(({ of, says }) => `${of} ${says}`)
  assert.ok(found.includes("write .where('id', '=', id)"))
  assert.ok(found.includes("read .where('site_id', '=', site.id)"))
  assert.deepEqual(wheresIn(ownTree, 'src/model/people/sessions.ts'), wheresIn(ownTree, 'src/model/people/sessions.ts'))
})

test('a condition goes alone, and the rest of the text stays', () => {
  const text = readFileSync(join(ownTree, schedules), 'utf8')
  for (const { from, to, at, says } of wheresIn(ownTree, schedules)) {
    assert.equal(from, text)
    const gone = text.slice(at, at + text.length - to.length)
    assert.equal(gone.replace(/\s+/g, ' ').trim(), says)
    assert.equal(text.slice(0, at) + text.slice(at + gone.length), to)
  }
})

test('a condition that may go is one that is there', () => {
  const lost = equals.filter(({ where: [file, says] }) => !wheresIn(ownTree, `src/${file}`).some((mutant) => mutant.says === says))
  assert.deepEqual(lost, [])
})

test('a change of a schedule that changes all others with it is noticed', async () => {
  const mutant = wheresIn(ownTree, schedules).find(({ says }) => says === ".where('id', '=', held.id)")
  assert.ok(mutant)
  const recipes = { TEST_RECIPES: JSON.stringify(['PUT accounts/{account_id}/schedules/{schedule_id}']) }
  const tree = copyOf(ownTree)
  try {
    assert.equal(await passes(tree, guard, recipes), true)
    writeFileSync(join(tree, schedules), mutant.to)
    assert.equal(await passes(tree, guard, recipes), false)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
})
