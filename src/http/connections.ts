/** Whether the database server still gives connections soon: those that are held already hide that reports and uploads wait for theirs. */

import type { Engine } from '../store/engine.ts'
import type { ReadyNote } from './readiness.ts'

const everyMilliseconds = 5_000
const slowMilliseconds = 1_000

/** Asks for a new connection from time to time, when it is called. An error is told by the readiness itself. */
export function watchConnections({ tryConnections }: Pick<Engine, 'tryConnections'>): () => Promise<ReadyNote> {
  let found = { at: Number.NEGATIVE_INFINITY, note: Promise.resolve<ReadyNote>(null) }
  return () => {
    if (tryConnections !== null && performance.now() - found.at > everyMilliseconds)
      found = { at: performance.now(), note: tryConnections(1, slowMilliseconds).then(noteOn, () => null) }
    return found.note
  }
}

function noteOn({ had }: { readonly had: number }): ReadyNote {
  if (had > 0) return null
  return `a new connection to the database takes longer than ${slowMilliseconds / 1000} s: a connection pooler or the server gives fewer than the processes may want, which marquee doctor counts`
}
