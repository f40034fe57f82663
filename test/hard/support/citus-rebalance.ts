/** A worker that is added while partners push and read takes its share of the data; nothing fails and nothing is lost. */
import assert from 'node:assert/strict'
import { dayNumber, dayText } from '../../../src/lib/time/days.ts'
import type { CitusCluster } from './citus-cluster.ts'
import { type CitusAccount, openCitusWorld, portsOf } from './citus-world.ts'

export async function checkRebalance(cluster: CitusCluster): Promise<object> {
  const world = await openCitusWorld(cluster, 'growing', 16)
  const before = await portsOf(cluster, world)
  const failed: string[] = []
  const stored = new Map<CitusAccount, number>(world.accounts.map((account) => [account, 0]))
  let isOver = false
  let reads = 0
  const load = async (accounts: readonly CitusAccount[]) => {
    while (!isOver) {
      for (const account of accounts) {
        const count = stored.get(account) ?? 0
        const status = await world.push(account, dayText(dayNumber('2024-01-01') + count))
        if (status === 200) stored.set(account, count + 1)
        else failed.push(`push ${status}`)
        const read = await world.acme.get(`/api/seo_report.xml?account_id=${account.id}`)
        reads += 1
        if (read.status !== 200) failed.push(`read ${read.status}`)
      }
    }
  }
  const loads = [0, 1].map((half) => load(world.accounts.filter((_, index) => index % 2 === half)))
  await cluster.addWorker(['growing'])
  await cluster.coordinator.ask('growing', 'select rebalance_table_shards()')
  isOver = true
  await Promise.all(loads)
  const after = await portsOf(cluster, world)
  const moved = world.accounts.filter(({ id }) => before.get(id) !== after.get(id)).length
  assert.ok(moved > 0, 'no account has moved')
  for (const [account, count] of stored) assert.equal(await countRankings(account), count, `account ${account.id}`)
  await world.stop()
  assert.deepEqual(failed, [])
  const pushes = [...stored.values()].reduce((sum, count) => sum + count, 0)
  return { accounts: world.accounts.length, moved, pushes, reads, failed: failed.length, lost: 0 }

  async function countRankings({ id }: CitusAccount): Promise<number> {
    const { text } = await world.acme.get(`/api/seo_report.csv?account_id=${id}&table=rankings`)
    return text.trim().split('\n').length - 1
  }
}
