/** Loaded into a command before anything else: notes how much processor time the thread used from the beginning of each writing transaction of the embedded database to its end. */
import { appendFileSync } from 'node:fs'
import Database from 'better-sqlite3'

const file = process.env.WATCH_HOLDS
if (file !== undefined) watch(file)

function watch(notes: string): void {
  const { prepare } = Database.prototype
  let begun: NodeJS.CpuUsage | undefined
  const noteEnd = () => {
    if (begun === undefined) return
    const { user, system } = process.threadCpuUsage(begun)
    begun = undefined
    appendFileSync(notes, `${(user + system) / 1000}\n`)
  }
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql)
    const isBeginning = /^begin immediate/i.test(sql)
    if (!isBeginning && !/^(commit|rollback)$/i.test(sql)) return statement
    const run = statement.run.bind(statement) as (...values: unknown[]) => Database.RunResult
    statement.run = (...values: unknown[]) => {
      const result = run(...values)
      if (isBeginning) begun = process.threadCpuUsage()
      else noteEnd()
      return result
    }
    return statement
  } as typeof prepare
}
