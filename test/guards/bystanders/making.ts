/** What is at hand while an account is filled. */
import type { Insertable } from 'kysely'
import type { App } from '../../../src/model/core/app.ts'
import type { Tables } from '../../../src/store/rows/tables.ts'
import type { Store } from '../../../src/store/store.ts'
import type { TableName } from './rows.ts'

export interface Making {
  readonly app: App
  readonly partnerId: number
  readonly accountId: number
  /** Of its partner and its number; it is part of every name. */
  readonly word: string
  readonly now: string
  readonly insert: Insert
}

/** Whatever is made is made three times, so that what is changed has one of its kind before it and one after. */
export const three = [0, 1, 2]

/** Returns the ids of the rows, where they have one. */
type Insert = <T extends TableName>(table: T, ...rows: Insertable<Tables[T]>[]) => Promise<number[]>

export function insertInto({ write }: Store): Insert {
  return async (table, ...rows) => {
    const insert = write((tx) =>
      tx
        .insertInto(table as 'sites')
        .values(rows as never)
        .returningAll()
        .execute(),
    )
    return (await insert).map(({ id }) => id)
  }
}
