/** Loaded into a command before anything else: kills the process right before the statement that `KILL_AT` counts, on either engine. */
import Database from 'better-sqlite3'
import pg from 'pg'

const killAt = Number(process.env.KILL_AT)
let taken = 0

function count(): void {
  if (taken++ === killAt) process.kill(process.pid, 'SIGKILL')
}

const prepare = Database.prototype.prepare
Object.assign(Database.prototype, {
  prepare(this: Database.Database, text: string) {
    const statement = prepare.call(this, text)
    const run = statement.run.bind(statement) as (...values: unknown[]) => unknown
    return Object.assign(statement, {
      run: (...values: unknown[]) => {
        count()
        return run(...values)
      },
    })
  },
})

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    count()
    return query.apply(this, args)
  },
})
