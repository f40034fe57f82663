/** Statements as they are built, told on the channel `marquee:statement` while somebody subscribes to it: the tests that keep accounts apart do. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { KyselyPlugin, RootOperationNode } from 'kysely'

export interface BuiltStatement {
  readonly node: RootOperationNode
  /** The write in which it was built, the same object for all its statements; undefined outside of one. */
  readonly write: object | undefined
}

/** Holds what is being written, for everything that is called from there. */
export const writing = new AsyncLocalStorage<{ isOpen: boolean }>()

const statements = channel('marquee:statement')

/** To be given to Kysely where a database is opened; nothing unless somebody subscribes already. */
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
