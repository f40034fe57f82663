/** A database as it is read, on which every statement that would write does nothing: code that writes can be asked what it would do. */

import type { Kysely } from 'kysely'
import type { Tables } from './rows/tables.ts'

const writing: ReadonlySet<unknown> = new Set(['insertInto', 'updateTable', 'deleteFrom'])

export function withoutWrites(db: Kysely<Tables>): Kysely<Tables> {
  return new Proxy(db, {
    get(target, name) {
      if (writing.has(name)) return () => unwritten
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Takes whatever is said of a statement, and answers that it met no row. */
const unwritten: unknown = new Proxy(
  {},
  {
    get(_, name) {
      if (name === 'execute') return async () => []
      if (name === 'executeTakeFirst' || name === 'executeTakeFirstOrThrow') return async () => ({})
      return () => unwritten
    },
  },
)
