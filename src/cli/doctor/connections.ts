/** The doctor's check of the connections to a database server: as many as the processes of this machine may want. */

import { type Settings, workerCount } from '../../config.ts'
import { moreConnections } from '../../lib/work/budget.ts'
import type { Finding } from '../../store/engine.ts'
import type { Store } from '../../store/store.ts'
import { complain } from './settings.ts'

const patienceMilliseconds = 2_000

export async function connections(settings: Settings, { engine: { tryConnections } }: Store): Promise<readonly Finding[]> {
  if (tryConnections === null) return []
  const count = workerCount(settings)
  const more = Object.values(moreConnections).reduce((sum, many) => sum + many, 0)
  const wanted = count * (settings.databasePool + more)
  const { had, milliseconds } = await tryConnections(wanted, patienceMilliseconds)
  const found = { name: 'connections', value: `${wanted} may be wanted, ${had} were had within ${Math.ceil(milliseconds)} ms` }
  if (had >= wanted) return [found]
  return [
    complain(
      found,
      `The ${count === 1 ? 'process' : `${count} processes`} of this machine may want ${wanted} connections to the database at once, and ${had === 1 ? 'only one is' : `only ${had} are`} given.`,
      'A connection pooler, the server, the role or the database allows no more; then reports, uploads and requests wait for each other.',
      'Raise default_pool_size of PgBouncer or max_connections of the server to the sum of all machines, or lower DATABASE_POOL or MARQUEE_WORKERS (docs/scaling.md, Connections).',
    ),
  ]
}
