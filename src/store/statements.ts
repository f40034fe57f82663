/** Publishes every SQL statement on the diagnostics channel `marquee:statement`, to which the tests of tenant isolation subscribe. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { KyselyPlugin, RootOperationNode } from 'kysely'

export interface BuiltStatement {
  readonly node: RootOperationNode
  /** Identifies the write to which the statement belongs; undefined outside of one. */
  readonly write: object | undefined
}

/** Holds the current write for all code called from it. */
export const writing = new AsyncLocalStorage<{ isOpen: boolean }>()

const statements = channel('marquee:statement')

/** Plugins for Kysely when a database is opened; empty unless somebody has already subscribed. */
export function observers(): KyselyPlugin[] {
  return statements.hasSubscribers ? [observer] : []
}

const observer: KyselyPlugin = {
  transformQuery({ node }) {
    statements.publish({ node, write: writing.getStore() } satisfies BuiltStatement)
    return node
  },
  transformResult: async ({ result }) => result,
}
