/** Plain reads of SQLite: those of one turn of the event loop share a transaction, because the locks of a transaction cost as much as a small read. */

import type { SqliteConnection } from './connection.ts'

/** Nobody sees less than they may expect: what is asked in a turn was asked before the turn began. */
export interface SharedReader extends SqliteConnection {
  /** Whoever reads after this sees all that has been committed by now. */
  endSharedRead(): void
  /** Stays the same as long as nobody else has committed anything, be it in another process. */
  version(): number
}

export function sharedPerTick(connection: SqliteConnection): SharedReader {
  let version: number | null = null
  let isOpen = false
  let ending: NodeJS.Immediate | null = null
  const endSharedRead = () => {
    if (isOpen && connection.inTransaction) connection.run('commit')
    if (ending !== null) clearImmediate(ending)
    isOpen = false
    version = null
    ending = null
  }
  const begin = () => {
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

/** A writer after whose commit every read sees it. A reader in the middle of its turn would also keep the log of the file from starting over, and it would grow. */
export function endingSharedReads(writer: SqliteConnection, reader: SharedReader): SqliteConnection {
  return {
    ...writer,
    get inTransaction() {
      return writer.inTransaction
    },
    run(sql) {
      if (sql === 'commit') reader.endSharedRead()
      writer.run(sql)
    },
  }
}
