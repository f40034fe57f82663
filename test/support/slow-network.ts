/** The same app seen from a process that is far away from its database: each statement of a write takes a while longer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { App } from '../../src/model/core/app.ts'

export function farAway(app: App, milliseconds: number): App {
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await sleep(milliseconds)
      return result
    },
  }
  const { store } = app
  return { ...app, store: { ...store, write: (work) => store.write((tx) => work(tx.withPlugin(slow))) } }
}
