/** Hears every statement that this process sends to a database, of either engine, from when it is opened until it is closed. */
import Database from 'better-sqlite3'
import pg from 'pg'

export interface Statements {
  /** The texts since the last time, in their order. */
  take(): string[]
  close(): void
}

const ways = ['all', 'get', 'run', 'iterate'] as const

export function hearStatements(): Statements {
  let heard: string[] = []
  const { prepare } = Database.prototype
  const { query } = pg.Client.prototype
  Object.assign(Database.prototype, {
    prepare(this: Database.Database, text: string) {
      const statement = prepare.call(this, text)
      for (const way of ways) {
        const plain = statement[way].bind(statement) as (...values: unknown[]) => unknown
        const told = (...values: unknown[]) => {
          heard.push(text)
          return plain(...values)
        }
        Object.defineProperty(statement, way, { value: told, configurable: true })
      }
      return statement
    },
  })
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...args: unknown[]) {
      const [asked] = args
      heard.push(typeof asked === 'string' ? asked : String((asked as { text?: string }).text))
      return (query as (...all: unknown[]) => unknown).apply(this, args)
    },
  })
  return {
    take() {
      const taken = heard
      heard = []
      return taken
    },
    close() {
      Object.assign(Database.prototype, { prepare })
      Object.assign(pg.Client.prototype, { query })
    },
  }
}
