/** Rows of several groups: in order, up to a limit, and without reading what belongs to other groups. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Compilable, CompiledQuery, sql } from 'kysely'
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
  let siteId: number
  let subjectIds: number[]
  before(async () => {
    const { account } = await createPartner(at.operator, 'Acme')
    accountId = account.id
    const business = await createBusiness(at.operator, draftOf(newBusiness, { name: 'Acme', account_id: accountId }))
    const site = await createSite(at.operator, business.id, 'acme.example')
    siteId = site.id
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
    const every = subjectIds.filter((_, index) => index % 9 === 0)
    if (at.app.store.engine.name === 'sqlite') {
      assert.match((await steps(keywordsOf(every, 1_000)))[0] ?? '', /^SEARCH keywords USING .*\(account_id=\? AND subject_id=\?\)$/)
    } else {
      const { plan } = await explained(keywordsOf(every, 1_000))
      assert.equal(rowsRead(plan, 'keywords'), every.length * phrases.length)
    }
  })

  test('a subject that has all rows of a table does not make the others read them', async () => {
    const { db, engine } = at.app.store
    const days = Array.from({ length: 4_000 }, (_, index) => new Date(Date.UTC(2010, 0, index + 1)).toISOString().slice(0, 10))
    const measured = days.map((day) => ({ account_id: accountId, subject_id: subjectIds[0] as number, day, authority_known: 0 }))
    await at.app.store.write(async (tx) => {
      for (let start = 0; start < days.length; start += 1_000)
        await tx
          .insertInto('snapshots')
          .values(measured.slice(start, start + 1_000) as never)
          .execute()
    })
    await at.app.store.write((tx) => sql`analyze`.execute(tx))
    const latest = db
      .selectFrom('subjects')
      .select((subject) =>
        subject
          .selectFrom('snapshots')
          .select('snapshots.domain_count')
          .where('snapshots.account_id', '=', accountId)
          .whereRef('snapshots.subject_id', '=', 'subjects.id')
          .where('day', '<=', '2026-11-14')
          .where('domain_count', 'is not', null)
          .orderBy('day', 'desc')
          .limit(1)
          .as('domain_count'),
      )
      .where('account_id', '=', accountId)
    if (engine.name === 'sqlite') {
      assert.ok(
        (await steps(latest)).some((step) => /^SEARCH snapshots USING .*\(account_id=\? AND subject_id=\? AND day<\?\)$/.test(step)),
      )
    } else {
      const { plan, isCompiled } = await explained(latest)
      // Rows are told by loop and rounded.
      assert.ok(rowsRead(plan, 'snapshots') <= 2 * days.length, `${rowsRead(plan, 'snapshots')} rows were read`)
      assert.equal(isCompiled, false)
    }
  })

  test('a group that has all rows of a table does not make the others read them', async () => {
    const { db, engine } = at.app.store
    await at.app.store.write((tx) => sql`analyze`.execute(tx))
    const select = db.selectFrom('subjects').select(['id', 'domain']).where('account_id', '=', accountId).where('id', '>', 0)
    const others = Array.from({ length: 50 }, (_, index) => siteId + 1 + index)
    const asked = rowsOfEach(db, others, { select, group: 'site_id', order: ['id'], limit: 64 })
    if (engine.name === 'sqlite')
      assert.match((await steps(asked))[0] ?? '', /^SEARCH subjects USING .*\(account_id=\? AND site_id=\? AND id>\?\)$/)
    else assert.equal(rowsRead((await explained(asked)).plan, 'subjects'), 0)
    assert.deepEqual((await rowsOfEach(db, [siteId], { select, group: 'site_id', order: ['id'], limit: 2 }).execute()).length, 2)
  })

  /** The steps of SQLite. */
  async function steps(query: Compilable): Promise<string[]> {
    const { sql: text, parameters } = query.compile()
    const { rows } = await at.app.store.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
    )
    return rows.map(({ detail }) => detail)
  }

  async function explained(query: Compilable): Promise<{ plan: Plan; isCompiled: boolean }> {
    const { sql: text, parameters } = query.compile()
    const asked = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
    const { rows } = await at.app.store.db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan; JIT?: object }] }>(asked)
    const whole = rows[0]?.['QUERY PLAN'][0]
    return { plan: whole?.Plan as Plan, isCompiled: whole?.JIT !== undefined }
  }
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** How many rows were taken from a table, whether or not they were wanted. */
function rowsRead(plan: Plan, table: string): number {
  const perLoop = plan['Relation Name'] === table ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below, table), perLoop * plan['Actual Loops'])
}
