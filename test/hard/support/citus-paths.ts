/** Which statements of the hot paths ask more than one shard, as the coordinator itself counts them. */
import assert from 'node:assert/strict'
import type { CitusCluster } from './citus-cluster.ts'
import { openCitusWorld } from './citus-world.ts'

export async function checkPaths(cluster: CitusCluster): Promise<object> {
  const world = await openCitusWorld(cluster, 'paths', 4, "citus.multi_task_query_log_level = 'warning'")
  const { acme, accounts } = world
  const [first] = accounts as [(typeof accounts)[number]]
  for (const account of accounts) assert.equal(await world.push(account, '2026-11-01'), 200)
  const before = scattered(cluster)
  let requests = 0
  for (let round = 0; round < 10; round += 1) {
    const account = accounts[round % accounts.length] ?? first
    const question = `account_id=${account.id}`
    const paths = [
      `seo_report.xml?${question}`,
      `seo_report.json?${question}&site_id=${account.siteId}`,
      `seo_report.csv?${question}&table=rankings`,
      `accounts/${account.id}/reputation_report/detail.xml`,
      `accounts/${account.id}/reputation_report/counts.json`,
      'users.json',
      `sites/${account.siteId}/keywords.json`,
      `sites/${account.siteId}/competitors.json`,
    ]
    for (const path of paths) {
      const { status } = await acme.get(`/api/${path}`)
      assert.equal(status, 200, path)
      requests += 1
    }
    assert.equal(await world.push(account, `2026-11-${String(2 + round).padStart(2, '0')}`), 200)
    requests += 1
  }
  const found = scattered(cluster).slice(before.length)
  assert.deepEqual(found, [])
  // A report that names no account asks for the versions of all of them, in one statement (test/support/plane-exceptions.ts).
  assert.equal((await acme.get('/api/seo_report.xml')).status, 200)
  const ofAll = new Set(scattered(cluster).slice(before.length))
  await world.stop()
  assert.deepEqual([...ofAll], ['select * from "measured_versions" where "account_id" = any($1::bigint[])'])
  return { requests, multi_shard_statements: found.length }
}

/** The statements of which the server says that they go to several shards. Making the table of a month, by its job or the first write into it, concerns all of them by its nature and happens once a month. */
function scattered({ coordinator }: CitusCluster): readonly string[] {
  const said = coordinator.log().matchAll(/multi-task query about to be executed[\s\S]*?STATEMENT: +([\s\S]*?)\n(?=\d{4}-)/g)
  return [...said].map(([, statement = '']) => statement).filter((statement) => !/^(alter|create) table/.test(statement))
}
