/** Plain reads of SQLite that happen in one turn of the event loop share a transaction, because taking the locks costs as much as a small read. */

import { performance } from 'node:perf_hooks'
import type { SqliteConnection } from './connection.ts'

/** Sharing hides nothing that a reader may expect: a transaction ends before the event loop polls again, so it began after every request that it serves had arrived. */
export interface SharedReader extends SqliteConnection {
  /** Ends the shared transaction, so that later reads see everything committed by now. */
  endSharedRead(): void
  /** A number that stays the same until somebody else commits, in this or another process. */
  version(): number
}

export function sharedPerTick(connection: SqliteConnection): SharedReader {
  let version: number | null = null
  let isOpen = false
  let ending: NodeJS.Immediate | null = null
  let polls = 0
  const endSharedRead = () => {
    if (isOpen && connection.inTransaction) connection.run('commit')
    if (ending !== null) clearImmediate(ending)
    isOpen = false
    version = null
    ending = null
  }
  /** What a timer began would still be open for the requests that the next poll brings, and these may have come later. */
  const enterTurn = () => {
    const now = pollsSoFar()
    if (now !== polls) endSharedRead()
    polls = now
  }
  const begin = () => {
    enterTurn()
    if (isOpen) return
    connection.run('begin')
    isOpen = true
    ending ??= setImmediate(endSharedRead)
  }
  const askVersion = () => {
    ending ??= setImmediate(endSharedRead)
    const [row] = connection.all('pragma data_version', []) as { data_version: number }[]
    return row?.data_version ?? 0
  }
  return {
    ...connection,
    get inTransaction() {
      return connection.inTransaction
    },
    endSharedRead,
    version() {
      enterTurn()
      version ??= askVersion()
      return version
    },
    all(sql, values) {
      begin()
      return connection.all(sql, values)
    },
    executeQuery(query) {
      begin()
      return connection.executeQuery(query)
    },
  }
}

/** Differs before and after the event loop has asked for what arrived. With more events than it takes at once, it asks several times in a turn. */
function pollsSoFar(): number {
  const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
  return loopCount + events
}

/**
 * A writer whose commits end the shared read, so that every later read sees them. An open read would also keep the write-ahead log from being reset, and it
 * would grow.
 */
export function endingSharedReads(writer: SqliteConnection, reader: SharedReader): SqliteConnection {
  return {
    ...writer,
    get inTransaction() {
      return writer.inTransaction
    },
    run(sql, values) {
      if (sql === 'commit') reader.endSharedRead()
      writer.run(sql, values)
    },
  }
}
