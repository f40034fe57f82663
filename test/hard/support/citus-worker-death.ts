/** A worker that dies is felt by the accounts whose data lies there, as 503, and by no others. */
import assert from 'node:assert/strict'
import type { CitusCluster, CitusNode } from './citus-cluster.ts'
import { openCitusWorld, portsOf } from './citus-world.ts'

export async function checkWorkerDeath(cluster: CitusCluster): Promise<object> {
  const world = await openCitusWorld(cluster, 'deaths', 12)
  const ports = await portsOf(cluster, world)
  const dead = cluster.workers[1] as CitusNode
  const lost = world.accounts.filter(({ id }) => ports.get(id) === dead.port)
  assert.ok(lost.length > 0 && lost.length < world.accounts.length, `${lost.length} accounts lie on the worker`)
  const ask = async () => {
    const answers: [id: number, read: number, pushed: number, directory: number][] = []
    for (const [index, account] of world.accounts.entries()) {
      const { status: read } = await world.acme.get(`/api/seo_report.xml?account_id=${account.id}`)
      const pushed = await world.push(account, '2026-11-01', index + 1)
      const { status: directory } = await world.acme.get('/api/users.json')
      answers.push([account.id, read, pushed, directory])
    }
    return answers
  }
  const all = (status: number) => (id: number) =>
    lost.some((account) => account.id === id) ? [id, status, status, 200] : [id, 200, 200, 200]
  const ids = world.accounts.map(({ id }) => id)
  assert.deepEqual(await ask(), ids.map(all(200)))
  await dead.kill()
  assert.deepEqual(await ask(), ids.map(all(503)))
  await dead.restart()
  assert.deepEqual(await ask(), ids.map(all(200)))
  await world.stop()
  return { accounts: ids.length, on_the_dead_worker: lost.length, answered_503: lost.length, answered_200: ids.length - lost.length }
}
