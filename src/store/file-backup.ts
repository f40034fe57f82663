/** Backs up the embedded database while it is in use, checks the copy in full, and restores one where no process uses the database. */

import { chownSync, closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { refuse } from '../lib/failures.ts'
import { makeFolder } from '../lib/folders.ts'
import { connect } from './sqlite/connection.ts'

/** Copies page by page through a connection of its own, so that nobody waits, and then checks the copy. */
export async function backUpFile(file: string, target: string): Promise<void> {
  if (existsSync(target)) refuse('conflict', `There is a file ${target} already.`)
  makeFolder(dirname(target))
  const draft = `${target}.part`
  closeSync(openSync(draft, 'w', 0o600))
  try {
    const source = connect(file, 'reader')
    await source.backUp(draft).finally(source.close)
    check(draft)
    sync(draft)
    renameSync(draft, target)
    sync(dirname(target))
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${end}`, { force: true })
  }
}

/** Replaces the database by a checked copy, with the owner and mode of the old file, which is kept beside it. Returns the path of the old file. */
export function restoreFile(backup: string, dataDir: string, stamp: string, finish: (draft: string) => void = () => {}): string | null {
  const file = join(dataDir, 'marquee.db')
  const draft = `${file}.restoring`
  makeFolder(dataDir)
  refuseInUse(file)
  try {
    closeSync(openSync(draft, 'w', 0o600))
    copyFileSync(backup, draft)
    check(draft)
    finish(draft)
    takeOver(draft, existsSync(file) ? file : dataDir)
    sync(draft)
    const aside = existsSync(file) ? keepAside(file, `${file}.before-restore-${stamp}`) : null
    // The rename is atomic: there is a complete database under this name at every moment.
    renameSync(draft, file)
    sync(dataDir)
    return aside
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Links the file under a second name, so that the first name always exists. */
function keepAside(file: string, aside: string): string {
  try {
    linkSync(file, aside)
  } catch {
    copyFileSync(file, aside)
    sync(aside)
  }
  return aside
}

/** A file restored by root must belong to its former owner, or the service cannot open it. */
export function takeOver(path: string, like: string): void {
  const { uid, gid } = statSync(like)
  const own = statSync(path)
  if (own.uid !== uid || own.gid !== gid) chownSync(path, uid, gid)
}

/** Deletes every session and login link in a copy, so that people must log in again. */
export function endSessionsIn(file: string): void {
  inFile(file, (database) => {
    for (const table of ['sessions', 'login_links', 'pending_logins', 'email_changes']) database.prepare(`delete from ${table}`).run()
  })
}

/** What was backed up may go on fetching where it was: sources rest until somebody starts them. A backup of an earlier version has none. */
export function restSourcesIn(file: string, reason: string): void {
  inFile(file, (database) => {
    if (database.prepare("select 1 from sqlite_master where name = 'data_sources'").get() === undefined) return
    database.prepare("update data_sources set state = 'resting', reason = ? where state = 'active'").run(reason)
  })
}

/** Reads a value of the table `facts` in a copy; undefined when the file is not a database of Marquee. */
export function factIn(file: string, name: string): string | undefined {
  return inFile(file, (database) => {
    const row = database.prepare('select value from facts where name = ?').get(name) as { value: string } | undefined
    return row?.value
  })
}

/** The proof of the server secret that was current in a copy. Before secrets had numbers, it was stored in `facts`. */
export function proofIn(file: string): string | undefined {
  return inFile(file, (database) => {
    const hasNumbers = database.prepare("select 1 from sqlite_master where name = 'server_secrets'").get() !== undefined
    const proofs = hasNumbers
      ? "select proof from server_secrets where starts_at <= strftime('%Y-%m-%dT%H:%M:%SZ') order by id desc limit 1"
      : "select value as proof from facts where name = 'server_secret_check'"
    return (database.prepare(proofs).get() as { proof: string } | undefined)?.proof
  })
}

export function setFactIn(file: string, name: string, value: string | null): void {
  inFile(file, (database) => {
    database.prepare('delete from facts where name = ?').run(name)
    if (value !== null) database.prepare('insert into facts (name, value) values (?, ?)').run(name, value)
  })
}

export function check(file: string): void {
  inFile(file, (database) => {
    // Leaves a single file, without a write-ahead log beside it.
    database.pragma('journal_mode = delete')
    const found = database.pragma('integrity_check', { simple: true })
    if (found !== 'ok') refuse('unavailable', `The database in ${file} is damaged: ${found}`)
    if (hasLooseEnds(database)) refuse('unavailable', `The database in ${file} has loose ends.`)
    database.prepare('select count(*) from schema_migrations').get()
  })
}

/** Asked table by table: SQLite can say nothing of one that refers to keys which are not there, as `migrate` finds them in the layout of the first version. */
function hasLooseEnds(database: Database.Database): boolean {
  const names = database.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all()
  return names.some((name) => {
    try {
      return (database.pragma(`foreign_key_check("${name}")`) as unknown[]).length > 0
    } catch (error) {
      if (error instanceof Database.SqliteError && error.message.startsWith('foreign key mismatch')) return false
      throw error
    }
  })
}

function inFile<T>(file: string, work: (database: Database.Database) => T): T {
  if (!existsSync(file)) refuse('not_found', `There is no file ${file}.`)
  const database = new Database(file)
  try {
    database.pragma('secure_delete = on')
    return work(database)
  } catch (error) {
    const isForeign = error instanceof Database.SqliteError && ['SQLITE_NOTADB', 'SQLITE_ERROR', 'SQLITE_CORRUPT'].includes(error.code)
    if (isForeign) return refuse('conflict', `The file ${file} is no backup of Marquee, or it is damaged.`)
    throw error
  } finally {
    database.close()
  }
}

/** Fails where a service has the file open, because leaving WAL mode needs exclusive access. */
function refuseInUse(file: string): void {
  if (!existsSync(file)) return
  const database = new Database(file, { timeout: 0 })
  try {
    if (database.pragma('journal_mode = delete', { simple: true }) !== 'delete') inUse(file)
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) inUse(file)
    throw error
  } finally {
    database.close()
  }
}

function inUse(file: string): never {
  return refuse('conflict', `The database ${file} is in use: stop the service first.`)
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
