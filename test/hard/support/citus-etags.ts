/** An entity tag names one sequence of bytes on a cluster too, where the versions and the data of an account lie on a worker. */
import assert from 'node:assert/strict'
import type { CitusCluster } from './citus-cluster.ts'
import { openCitusWorld } from './citus-world.ts'
import { makeEtagWorld, readWhilePushing } from './etags.ts'
import { startHard } from './process.ts'
import { chanceFrom } from './random.ts'
import { ownTree } from './tree.ts'

const reads = Number(process.env.CITUS_READS ?? 10_000)

export async function checkEtags(cluster: CitusCluster): Promise<object> {
  const { env, service, stop } = await openCitusWorld(cluster, 'tags', 0)
  try {
    const world = await makeEtagWorld(service.operator, 6)
    const workers = await startHard(ownTree, { env: { ...env, LOG_LEVEL: 'silent', MARQUEE_WORKERS: '2' } })
    try {
      const { counts, faults } = await readWhilePushing(workers.url, world, reads, chanceFrom())
      assert.deepEqual(faults, [])
      return counts
    } finally {
      await workers.kill('SIGTERM')
    }
  } finally {
    await stop()
  }
}
