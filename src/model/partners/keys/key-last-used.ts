/** Records when each key was last used: collected in memory and written at most once a minute, outside of requests. */

import { type Kysely, sql } from 'kysely'
import { batchesOf } from '../../../lib/work/batches.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { type App, perApp } from '../../core/app.ts'

interface Uses {
  lastUsed: Map<number, string>
  timer: NodeJS.Timeout | null
}

const flushMilliseconds = 60_000
const keysPerStatement = 200

const usesOn = perApp((app): Uses => {
  app.beforeClose.push(() => writeUses(app))
  return { lastUsed: new Map(), timer: null }
})

export function noteUse(app: App, keyId: number): void {
  const uses = usesOn(app)
  uses.lastUsed.set(keyId, app.clock.now())
  uses.timer ??= setTimeout(() => void writeUses(app), flushMilliseconds).unref()
}

async function writeUses(app: App): Promise<void> {
  const uses = usesOn(app)
  const { lastUsed } = uses
  uses.lastUsed = new Map()
  if (uses.timer !== null) clearTimeout(uses.timer)
  uses.timer = null
  if (lastUsed.size === 0) return
  try {
    await app.store.write(async (tx) => {
      for (const some of batchesOf([...lastUsed], keysPerStatement)) await writeTimes(tx, some)
    })
  } catch {
    // No request waits for this; while the store is unavailable, the times are kept for the next attempt.
    for (const [id, at] of lastUsed) if (!uses.lastUsed.has(id)) uses.lastUsed.set(id, at)
  }
}

function writeTimes(tx: Kysely<Tables>, some: readonly (readonly [id: number, at: string])[]): Promise<unknown> {
  const times = some.map(([id, at]) => sql`when ${id} then ${at}`)
  return tx
    .updateTable('keys')
    .set({ last_used_at: sql<string>`case id ${sql.join(times, sql` `)} end` })
    .where(
      'id',
      'in',
      some.map(([id]) => id),
    )
    .execute()
}
