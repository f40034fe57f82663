/** Loaded into a command before anything else: kills the process right before the statement that `KILL_AT` counts, on either engine. It counts from the statement with the value `KILL_AFTER` on, where that is given. */
import Database from 'better-sqlite3'
import pg from 'pg'

const killAt = Number(process.env.KILL_AT)
const killAfter = process.env.KILL_AFTER
let isCounting = killAfter === undefined
let taken = 0

function count(values: unknown[] = []): void {
  if (isCounting && taken++ === killAt) process.kill(process.pid, 'SIGKILL')
  isCounting ||= values.flat().includes(killAfter)
}

const prepare = Database.prototype.prepare
Object.assign(Database.prototype, {
  prepare(this: Database.Database, text: string) {
    const statement = prepare.call(this, text)
    const run = statement.run.bind(statement) as (...values: unknown[]) => unknown
    return Object.assign(statement, {
      run: (...values: unknown[]) => {
        count(values)
        return run(...values)
      },
    })
  },
})

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    count((args[0] as { values?: unknown[] }).values)
    return query.apply(this, args)
  },
})
