/**
 * Values that are read again, such as the key of a second factor: encrypted under the server secret whose number stands before them, and bound to their row, so
 * that a value copied into another row cannot be read there.
 */

import type { Kysely } from 'kysely'
import { numberOf, type Secrets } from '../../../lib/secrets.ts'
import { atMost } from '../../../lib/work/batches.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../app.ts'

/** The tables whose column `sealed` holds such a value, each with the column that names its rows. */
const sealedTables = { second_factors: 'user_id', mail_senders: 'partner_id' } as const

type SealedTable = keyof typeof sealedTables

const names = Object.keys(sealedTables) as SealedTable[]
const rowsAtOnce = 200

export function seal(secrets: Secrets, table: SealedTable, id: number, value: string): string {
  const { id: number } = secrets.current
  return `${number}.${secrets.encrypt('sealed', Buffer.from(boundTo(table, id) + value)).toString('base64url')}`
}

/** Null if the value was changed, belongs to another row, or its secret is not in the file. */
export function unseal(secrets: Secrets, table: SealedTable, id: number, sealed: string): string | null {
  try {
    const text = secrets.decrypt('sealed', Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64url')).toString()
    return text.startsWith(boundTo(table, id)) ? text.slice(boundTo(table, id).length) : null
  } catch {
    return null
  }
}

function boundTo(table: SealedTable, id: number): string {
  return `${table} ${id}\n`
}

type Counting = Pick<App, 'store' | 'secrets'>

/** Of all sealed values: how many need each secret, by its number, and how many cannot be read. */
export async function countSealed({ store, secrets }: Counting): Promise<{ needing: ReadonlyMap<number, number>; unreadable: number }> {
  const needing = new Map<number, number>()
  let unreadable = 0
  for (const table of names)
    for await (const { id, sealed } of rowsOf(store, table)) {
      needing.set(numberOf(sealed), (needing.get(numberOf(sealed)) ?? 0) + 1)
      if (unseal(secrets, table, id, sealed) === null) unreadable += 1
    }
  return { needing, unreadable }
}

/** A sentence about values that nobody can read any more; null if there are none. */
export async function unreadableSentence(app: Counting): Promise<string | null> {
  const { unreadable } = await countSealed(app)
  return unreadable === 0
    ? null
    : `Encrypted values that cannot be read, because their server secret is not in its file or they were changed: ${unreadable}.`
}

/** Whether a value is left under a secret that is no longer the current one. */
export async function isAnySealedBehind({ store, secrets }: Counting): Promise<boolean> {
  for (const table of names) if ((await behind(store.db, table, secrets, 0, 1)).length > 0) return true
  return false
}

/** Encrypts again, in batches, what was encrypted under an earlier secret. What cannot be read stays as it is, and the doctor counts it. */
export async function sealAgain({ store, secrets }: Counting, signal?: AbortSignal): Promise<void> {
  for (const table of names) {
    let rows = await behind(store.db, table, secrets, 0, rowsAtOnce)
    while (rows.length > 0 && !signal?.aborted) {
      const batch = rows
      await store.write(async (tx) => {
        for (const row of atMost(batch, rowsAtOnce)) await sealRowAgain(tx, table, secrets, row)
      })
      rows = await behind(store.db, table, secrets, rows.at(-1)?.id ?? 0, rowsAtOnce)
    }
  }
}

interface Sealed {
  readonly id: number
  readonly sealed: string
}

/** Unless somebody has written the row meanwhile. */
async function sealRowAgain(tx: Kysely<Tables>, table: SealedTable, secrets: Secrets, { id, sealed }: Sealed): Promise<void> {
  const value = unseal(secrets, table, id, sealed)
  if (value === null) return
  const fresh = seal(secrets, table, id, value)
  await tx.updateTable(table).set({ sealed: fresh }).where(sealedTables[table], '=', id).where('sealed', '=', sealed).execute()
}

async function* rowsOf({ db }: Store, table: SealedTable): AsyncIterable<Sealed> {
  for (let rows = await after(db, table, 0); rows.length > 0; rows = await after(db, table, rows.at(-1)?.id ?? 0)) yield* rows
}

function after(db: Kysely<Tables>, table: SealedTable, id: number): Promise<Sealed[]> {
  return selected(db, table, id).limit(rowsAtOnce).execute()
}

function behind(db: Kysely<Tables>, table: SealedTable, { current }: Secrets, id: number, most: number): Promise<Sealed[]> {
  return selected(db, table, id).where('sealed', 'not like', `${current.id}.%`).limit(most).execute()
}

function selected(db: Kysely<Tables>, table: SealedTable, id: number) {
  const key = sealedTables[table]
  return db
    .selectFrom(table)
    .select([`${key} as id`, 'sealed'])
    .where(key, '>', id)
    .orderBy(key)
}
