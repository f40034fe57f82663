/** The app of one piece of work in a reader thread: the snapshot it reads, the settings and the moment in which it was asked. There is nothing to write with, and no secret. */

import type { Kysely } from 'kysely'
import type { Settings } from '../config.ts'
import type { App } from '../model/core/app.ts'
import type { Tables } from '../store/rows/tables.ts'

export function readingApp(db: Kysely<Tables>, settings: Settings, now: string): App {
  return only<App>('app', { store: only<App['store']>('store', { db }), settings, clock: { now: () => now } })
}

/** Whoever asks for more learns it by name, and at once. */
function only<T extends object>(what: string, parts: Partial<T>): T {
  return new Proxy(parts, {
    get(has, name) {
      if (Object.hasOwn(has, name)) return Reflect.get(has, name)
      throw new Error(`The ${what} of a reader thread has no ${String(name)}.`)
    },
  }) as T
}
