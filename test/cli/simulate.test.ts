/** `marquee simulate` measures on the installation's own engine, leaves nothing behind, and its figures follow from what it measured. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readSettings } from '../../src/config.ts'
import type { Costs } from '../../src/model/upkeep/costs.ts'
import { type Plan, planGrowth } from '../../src/model/upkeep/simulate.ts'
import { openStore } from '../../src/store/store.ts'
import { marquee, marqueeEach } from '../support/command.ts'
import { onEachEngine, type Place } from '../support/engines.ts'

const costs: Costs = {
  rankings: 1,
  page_bytes: 8192,
  bytes_a_ranking: 18.7,
  bytes_a_keyword: 208,
  journal_bytes_a_ranking: 0,
  imported_a_second: 10_000,
  report_milliseconds: 10,
  reported_a_second: 600_000,
  report_bytes_a_ranking: 360,
  cores: 2,
}

test('a plan follows from the costs: 100,000 sites for three years, and ten times as many', () => {
  const growth = { sites: 100_000, keywords: 50, engines: 3, days: 1_095, competitors: 0 }
  const plan = planGrowth(growth, costs, 30)
  assert.equal(plan.rankings, 16_425_000_000)
  assert.equal(Math.round(plan.disk_bytes / 1e9), 308)
  assert.equal(Math.round(plan.import_seconds_a_day), 1_500)
  assert.deepEqual([plan.nodes, plan.importing_processes], [{ data: 1, coordinators: 0, standbys: 1 }, 1])
  assert.ok(plan.report_seconds > 0.28 && plan.report_seconds < 0.29)
  const larger = planGrowth({ ...growth, sites: 1_000_000, competitors: 3 }, costs, 30)
  assert.deepEqual([larger.rankings, larger.nodes], [657e9, { data: 13, coordinators: 1, standbys: 14 }])
  assert.equal(larger.importing_processes, 5)
})

onEachEngine('simulate', (place) => {
  test('tells disk, pages, times and nodes, and leaves nothing behind', async () => {
    const before = await leftIn(place)
    const words = 'simulate --sites 1000 --keywords 50 --engines 3 --days 365'
    const [json, shown] = [await marquee(place, words, '--json'), place.engine === 'sqlite' ? await marquee(place, words) : null]
    const refused = await marqueeEach(place, [
      'simulate --sites 0 --keywords 5 --engines 1 --days 1',
      'simulate --sites 5 --keywords 5 --engines 1 --days 99999',
      'simulate --sites many --keywords 5 --engines 1 --days 1',
      'simulate --sites 5 --keywords 5 --engines 1',
    ])
    assert.equal(json.code, 0, json.stderr)
    const { measured, plan } = json.json<{ measured: Costs; plan: Plan }>()
    assert.equal(measured.rankings, 27_000)
    assert.ok(measured.bytes_a_ranking > 8 && measured.bytes_a_ranking < 80, `${measured.bytes_a_ranking} bytes a ranking`)
    assert.ok(
      Object.values(measured).every((figure) => figure > 0),
      JSON.stringify(measured),
    )
    assert.equal(plan.rankings, 54_750_000)
    assert.equal(plan.disk_bytes, planGrowth({ sites: 1000, keywords: 50, engines: 3, days: 365, competitors: 0 }, measured, 30).disk_bytes)
    if (shown !== null)
      assert.match(
        shown.stdout,
        /disk: .*B\n[\s\S]*import time: [\s\S]*nodes: 1 with data, 1 in standby\nMeasured here and now on 27,000 rankings/,
      )
    const sentences = [/--sites must be between 1/, /--days must be between 1 and 36,500/, /whole number/, /--days <count>/]
    for (const [index, sentence] of sentences.entries()) {
      assert.equal(refused[index]?.code, 2)
      assert.match(refused[index]?.stderr ?? '', sentence)
    }
    assert.deepEqual(await leftIn(place), before)
  })
})

/** Files beside the database, and schemas in it. */
async function leftIn(place: Place): Promise<readonly string[]> {
  if (place.engine === 'sqlite') return readdirSync(place.folder).filter((name) => !name.startsWith('marquee.db'))
  const store = openStore(readSettings(place.env))
  const { rows } = await sql<{ name: string }>`select nspname as name from pg_namespace order by 1`.execute(store.db)
  await store.close()
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('pg_'))
}
