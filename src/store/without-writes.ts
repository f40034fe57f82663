/** A database on which reads work and writes do nothing, so that code that writes can be asked what it would do. */

import type { Kysely } from 'kysely'
import type { Tables } from './rows/tables.ts'

const writing: ReadonlySet<unknown> = new Set(['insertInto', 'updateTable', 'deleteFrom'])

export function withoutWrites(db: Kysely<Tables>): Kysely<Tables> {
  const reading = new Proxy(db, {
    get(target, name) {
      if (writing.has(name)) return () => unwritten
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  readings.add(reading)
  return reading
}

/** For those who write by statements that are already built. */
export function isWithoutWrites(db: Kysely<Tables>): boolean {
  return readings.has(db)
}

const readings = new WeakSet<Kysely<Tables>>()

/** A stand-in for a writing statement: every builder method returns it again, and executing it affects no row. */
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
