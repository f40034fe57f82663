/** Rows of several groups: in order, up to a limit, and without reading what belongs to other groups. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { draftOf } from '../../src/fields/read.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { createPartner } from '../../src/model/partners/partners.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { rowsOfEach } from '../../src/store/grouped-rows.ts'
import { groundAt } from '../support/app.ts'
import { onEachEngine } from '../support/engines.ts'

const phrases = ['apples', 'bread', 'cakes']

onEachEngine('rows of several groups', (place) => {
  const at = groundAt(place)
  let accountId: number
  let subjectIds: number[]
  before(async () => {
    const { account } = await createPartner(at.operator, 'Acme')
    accountId = account.id
    const business = await createBusiness(at.operator, draftOf(newBusiness, { name: 'Acme', account_id: accountId }))
    const site = await createSite(at.operator, business.id, 'acme.example')
    const created_at = '2026-11-14T12:00:00Z'
    const subjects = Array.from({ length: 900 }, (_, index) => ({
      account_id: accountId,
      site_id: site.id,
      domain: `d${index}.example`,
      created_at,
    }))
    await at.app.store.write(async (tx) => {
      subjectIds = (await tx.insertInto('subjects').values(subjects).returning('id').execute()).map(({ id }) => id)
      for (const subject_id of subjectIds)
        await tx
          .insertInto('keywords')
          .values(phrases.toReversed().map((phrase) => ({ account_id: accountId, subject_id, phrase, search_volume: null, tags: null })))
          .execute()
    })
  })
  const keywordsOf = (ids: readonly number[], limit: number) => {
    const { db } = at.app.store
    const select = db.selectFrom('keywords').select(['subject_id', 'phrase']).where('account_id', '=', accountId)
    return rowsOfEach(db, ids, { select, group: 'subject_id', order: ['phrase'], limit })
  }

  test('come by group, then in their own order', async () => {
    const some = [subjectIds[7], subjectIds[300], subjectIds[899]] as number[]
    const expected = some.flatMap((subject_id) => phrases.map((phrase) => ({ subject_id, phrase })))
    assert.deepEqual(await keywordsOf(some, 100).execute(), expected)
    assert.deepEqual(await keywordsOf(some, 4).execute(), expected.slice(0, 4))
    assert.deepEqual(await keywordsOf([...some.toReversed(), ...some], 100).execute(), expected)
    assert.deepEqual(await keywordsOf([], 4).execute(), [])
    assert.deepEqual(await keywordsOf([0], 4).execute(), [])
  })

  test('are found without reading those of other groups, also before the planner knows how many there are', async () => {
    const { db, engine } = at.app.store
    const every = subjectIds.filter((_, index) => index % 9 === 0)
    const { sql, parameters } = keywordsOf(every, 1_000).compile()
    const explain = async <R>(words: string) => (await db.executeQuery<R>(CompiledQuery.raw(`${words} ${sql}`, [...parameters]))).rows[0]
    if (engine.name === 'sqlite') {
      const line = await explain<{ detail: string }>('explain query plan')
      assert.match(line?.detail ?? '', /^SEARCH keywords USING .*\(account_id=\? AND subject_id=\?\)$/)
    } else {
      const line = await explain<{ 'QUERY PLAN': [{ Plan: Plan }] }>('explain (analyze, format json)')
      assert.equal(rowsRead(line?.['QUERY PLAN'][0].Plan as Plan), every.length * phrases.length)
    }
  })
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** How many rows were taken from tables, whether or not they were wanted. */
function rowsRead(plan: Plan): number {
  const own = plan['Relation Name'] === undefined ? 0 : (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), own)
}
