/** Copies the rows of a month in the order of their keys, a batch a transaction and an account after the other, as a cluster wants it. */

import { type Kysely, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'
import { run, waitAtMost } from './months.ts'

const rowsAtOnce = 2_000
const accountsAtOnce = 50
/** Shorter than the time after which the server looks for a deadlock, so that it is never a writer that is ended. */
const copyPatience = '300ms'

interface Copying {
  readonly owner: string
  /** The partition. */
  readonly name: string
  /** Its ordered copy. */
  readonly copy: string
}

export interface Copied {
  readonly rows: number
  readonly isWhole: boolean
}

/** Everything up to this place in the order of keys is copied. */
interface Position {
  readonly account: number
  readonly owner: number
  readonly starts: number
}

/**
 * Goes on at the place that the comment of the copy names. Rows are locked against changes until this ends, so that a change is made
 * either before its row is copied or to both; a row that the trigger has put into the copy is newer or the same.
 */
export async function copySome(tx: Kysely<Tables>, copying: Copying): Promise<Copied> {
  await waitAtMost(tx, copyPatience)
  await run(tx, `lock table ${copying.copy} in share update exclusive mode`)
  const after = await readPosition(tx, copying.copy)
  const next = await nextAccounts(tx, copying, after)
  let [rows, position] = [0, after]
  for (const { account, count, isWhole } of next.slice(0, accountsAtOnce)) {
    const from = account === after.account ? after : startOf(account)
    const end = isWhole ? undefined : await endOf(tx, copying, from, count)
    rows += await copyRange(tx, copying, from, end)
    position = end ?? startOf(account + 1)
  }
  await run(tx, `comment on table ${copying.copy} is '${position.account},${position.owner},${position.starts}'`)
  return { rows, isWhole: next.length <= accountsAtOnce && next.every(({ isWhole }) => isWhole) }
}

async function readPosition(tx: Kysely<Tables>, copy: string): Promise<Position> {
  const { rows } = await sql<{ comment: string | null }>`select obj_description(to_regclass(${copy}), 'pg_class') as comment`.execute(tx)
  const [account = 0, owner = 0, starts = 0] = rows[0]?.comment?.split(',').map(Number) ?? []
  return { account, owner, starts }
}

/** Before all rows of the account. */
function startOf(account: number): Position {
  return { account, owner: 0, starts: 0 }
}

interface NextAccount {
  readonly account: number
  /** How many of its rows are among the next ones. */
  readonly count: number
  /** Whether these are all of its rows. */
  readonly isWhole: boolean
}

/** The accounts of the next rows. One that comes to the month later is copied by the trigger. */
async function nextAccounts(tx: Kysely<Tables>, { name, owner }: Copying, after: Position): Promise<readonly NextAccount[]> {
  const key = `account_id, ${owner}, starts_at`
  const { rows } = await sql
    .raw<Omit<NextAccount, 'isWhole'>>(
      `select account_id as account, count(*) as count from (
         select account_id from ${name} where (${key}) > (${after.account}, ${after.owner}, ${after.starts}) order by ${key} limit ${rowsAtOnce}
       ) next group by account_id order by account_id`,
    )
    .execute(tx)
  const isCut = rows.reduce((sum, { count }) => sum + count, 0) === rowsAtOnce
  return rows.map((row, index) => ({ ...row, isWhole: !isCut || index < rows.length - 1 }))
}

/** The last of so many rows of the account; undefined if there are fewer. */
async function endOf(tx: Kysely<Tables>, copying: Copying, from: Position, count: number): Promise<Position | undefined> {
  const { rows } = await sql
    .raw<Position>(
      `select account_id as account, ${copying.owner} as owner, starts_at as starts ${rowsAfter(copying, from)}
       order by ${copying.owner}, starts_at limit 1 offset ${count - 1}`,
    )
    .execute(tx)
  return rows[0]
}

async function copyRange(tx: Kysely<Tables>, copying: Copying, from: Position, end: Position | undefined): Promise<number> {
  const { owner, copy } = copying
  const key = `account_id, ${owner}, starts_at`
  const until = end === undefined ? '' : `and (${owner}, starts_at) <= (${end.owner}, ${end.starts})`
  const { numAffectedRows } = await sql
    .raw(
      `insert into ${copy} (${key}, data) select ${key}, data ${rowsAfter(copying, from)} ${until} order by ${key} for share on conflict do nothing`,
    )
    .execute(tx)
  return Number(numAffectedRows ?? 0)
}

function rowsAfter({ name, owner }: Copying, { account, owner: last, starts }: Position): string {
  return `from ${name} where account_id = ${account} and (${owner}, starts_at) > (${last}, ${starts})`
}
