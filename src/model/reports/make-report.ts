/** Makes a report in a reader thread, from the replica where it has the same data, otherwise from the database. */

import { Failure } from '../../lib/failures.ts'
import { Stopped, type WorkOutput } from '../../readers/output.ts'
import type { Maker, Making, Reading } from '../../readers/serve.ts'
import { writeReport } from './formats.ts'
import type { ReportSource, reportWork } from './open-report.ts'
import { scopeOf, versionOf } from './question.ts'
import { snapshotReader } from './snapshot-reader.ts'

type Asked = NonNullable<(typeof reportWork)['asked']>
type Head = NonNullable<(typeof reportWork)['head']>

const replicaRestMilliseconds = 10_000
/** Of this thread. */
let replicaRestsUntil = 0

export const makeReport: Maker<Asked, Head> = async (asked, making) => {
  const output = making.write(asked.coding)
  if (!(await writeFromReplica(asked, making, output))) await writeFrom(making.database, 'database', asked, making, output, null)
}

/** False if the replica does not answer or has other data; nothing was written then, and the report is read from the primary database. */
async function writeFromReplica(asked: Asked, making: Making<Head>, output: WorkOutput): Promise<boolean> {
  if (making.replica === null || performance.now() < replicaRestsUntil) return false
  const progress = { hasBegun: false }
  try {
    return await writeFrom(making.replica, 'replica', asked, making, output, asked.version, progress)
  } catch (error) {
    if (progress.hasBegun || error instanceof Stopped) throw error
    // Accounts and sites may not be replicated yet; a replica that is unreachable is not asked again for a while.
    if (!(error instanceof Failure) || error.code === 'unavailable') replicaRestsUntil = performance.now() + replicaRestMilliseconds
    return false
  }
}

/** One snapshot holds the version and the rows. If a version is required and the snapshot has another one, nothing is written. */
async function writeFrom(
  from: Reading,
  source: ReportSource,
  { partnerId, question }: Asked,
  making: Making<Head>,
  output: WorkOutput,
  wanted: string | null,
  progress = { hasBegun: false },
): Promise<boolean> {
  return from.snapshot(async (db) => {
    const reading = snapshotReader(db, from.words)
    const scope = await scopeOf(reading, partnerId, question)
    const version = versionOf(scope.accounts)
    if (wanted !== null && version !== wanted) return false
    progress.hasBegun = true
    making.tell({ version, source })
    await writeReport(reading, scope, question, output.chunks, output.pause)
    return true
  })
}
