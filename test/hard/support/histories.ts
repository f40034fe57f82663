/** A database that goes back to an earlier state under a running service, as after a restored backup or a failover to a standby that had not received everything. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Env } from './process.ts'

export interface History {
  /** Remembers the present state. */
  keep(): Promise<void>
  /** Goes back to what was kept last. */
  goBack(): Promise<void>
  close(): Promise<void>
}

export async function historyOf(env: Env): Promise<History> {
  return env.DATABASE_URL === undefined ? ofFile(env.DATA_DIR as string) : await ofServer(env.DATABASE_URL)
}

/** The rows are replaced in one transaction, so that the service need not be stopped. */
function ofFile(folder: string): History {
  const db = new Database(join(folder, 'marquee.db'), { timeout: 20_000 })
  db.pragma('foreign_keys = off')
  const list = `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
  const tables = (db.prepare(list).all() as { name: string }[]).map(({ name }) => name)
  let kept = ''
  return {
    async keep() {
      kept = join(folder, `kept-${crypto.randomUUID()}.db`)
      db.prepare('vacuum into ?').run(kept)
    },
    async goBack() {
      db.prepare('attach ? as kept').run(kept)
      const replaced = tables.map((name) => `delete from main."${name}"; insert into main."${name}" select * from kept."${name}";`)
      db.exec(`begin immediate; ${replaced.join('')} commit; detach kept`)
    },
    async close() {
      db.close()
    },
  }
}

async function ofServer(url: string): Promise<History> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  // Foreign keys are not checked on the way: what is put back held before.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ name: string }>(wholeTables)
  const all = (of: (name: string) => string) => rows.map(({ name }) => of(`"${name}"`)).join('; ')
  await client.query(`create schema kept; ${all((name) => `create unlogged table kept.${name} as table public.${name} with no data`)}`)
  return {
    async keep() {
      await client.query(`begin; ${all((name) => `delete from kept.${name}; insert into kept.${name} table public.${name}`)}; commit`)
      // The rows deleted by hundreds of histories would be looked at again in each.
      await client.query('vacuum')
    },
    async goBack() {
      const locked = rows.map(({ name }) => `public."${name}"`).join()
      const replaced = all((name) => `delete from public.${name}; insert into public.${name} overriding system value table kept.${name}`)
      const back = `begin; lock table ${locked} in exclusive mode; ${replaced}; commit`
      while (!(await isDone(client, back)));
    },
    close: () => client.end(),
  }
}

/** A partition is copied with its table. */
const wholeTables = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`

/** False if a job of the service held a table that it locks, and the server ended our transaction and not the job's. */
async function isDone(client: pg.Client, text: string): Promise<boolean> {
  try {
    await client.query(text)
    return true
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code === '40P01') return false
    throw error
  }
}
