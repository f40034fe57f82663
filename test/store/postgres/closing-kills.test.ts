/** Closing a month whose connection is lost before any of its statements: nothing is lost or doubled, and the next attempt goes on. */
import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import { after, test } from 'node:test'
import pg from 'pg'
import { readSettings } from '../../../src/config.ts'
import type { MonthPartitions } from '../../../src/store/month-tables.ts'
import { openStore } from '../../../src/store/store.ts'
import { exported, importLines, type World, worldAt } from '../../support/data.ts'
import { onEngine } from '../../support/engines.ts'

const october = { from: Date.UTC(2026, 9, 1) / 1000, to: Date.UTC(2026, 10, 1) / 1000 }
const keywords = 40

onEngine('postgres', 'a month whose closing is killed', (place) => {
  const world = worldAt(place)
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  after(() => void Object.assign(pg.Client.prototype, { query }))

  test('holds what it held, before every statement of it', async () => {
    await importLines(world, dayOf(1), { createMissing: true })
    let expected = await exported(world)
    let statements = 0
    for (let outcome = 'killed'; outcome !== 'closed'; statements += 1) {
      outcome = await closeUntil(statements)
      assert.equal(await exported(world), expected, `killed before statement ${statements}`)
      if (statements % 7 !== 0) continue
      await importLines(world, dayOf(2 + statements / 7).slice(statements, statements + 5), { createMissing: true })
      expected = await exported(world)
    }
    assert.ok(statements > 25, `only ${statements} statements`)
    assert.equal(await rowsIn(world), keywords)
  })

  async function closeUntil(statement: number): Promise<string> {
    const store = openStore(readSettings(place.env))
    let left = statement
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client & { connection: { stream: Duplex } }, ...args: unknown[]) {
        if (left === 0) this.connection.stream.destroy()
        left -= 1
        return query.apply(this, args)
      },
    })
    try {
      const months = store.engine.months as MonthPartitions
      return (await months.close({ table: 'ranking_months', ...october }, new AbortController().signal)).outcome
    } catch {
      return 'killed'
    } finally {
      Object.assign(pg.Client.prototype, { query })
      await store.close()
    }
  }
})

function dayOf(day: number) {
  return Array.from({ length: keywords }, (_, keyword) => ({
    type: 'ranking',
    site: 'example.com',
    phrase: `word ${keyword}`,
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: `2026-10-${String(day).padStart(2, '0')} 04:00:00`,
    rank: 1 + keyword,
  }))
}

async function rowsIn({ app }: World): Promise<number> {
  const { count } = await app.store.db
    .selectFrom('ranking_months')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
