/** `marquee move` from a database that is spread over a cluster is refused with a sentence, and the database goes on accepting writes. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CitusCluster } from './citus-cluster.ts'
import { openCitusWorld } from './citus-world.ts'
import { commandOf } from './process.ts'
import { ownTree } from './tree.ts'

export async function checkMove(cluster: CitusCluster): Promise<object> {
  const world = await openCitusWorld(cluster, 'staying', 2)
  const target = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  try {
    const moved = commandOf(ownTree, world.env, 'move', '--to', target)
    await assert.rejects(moved, ({ stderr }: { stderr: string }) => /spread over a cluster, which cannot be moved/.test(stderr))
    assert.deepEqual(readdirSync(target), [], 'a refused move makes nothing')
    for (const account of world.accounts) assert.equal(await world.push(account, '2026-11-01'), 200, 'the source accepts writes')
    return { refused: true, pushes_after_it: world.accounts.length }
  } finally {
    await world.stop()
    rmSync(target, { recursive: true, force: true })
  }
}
