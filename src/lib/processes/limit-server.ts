/** Runs in the primary process and manages the concurrency limits that its workers share. The places a worker held are released when it dies. */

import { EventEmitter } from 'node:events'
import { type ConcurrencyLimit, limitConcurrency } from '../work/concurrency.ts'
import type { Channel } from './channel.ts'
import type { Entry } from './shared-limit.ts'

export interface LimitServer {
  /** Serves the worker at the other end of a channel; the returned function releases every place that it holds. */
  serve(channel: Channel): () => void
}

/** The first request brings the rules. All workers run the same version, or are being replaced one by one. */
export function openLimitServer(): LimitServer {
  const limits = new Map<string, ConcurrencyLimit<string>>()
  const limitOf = ({ limit, rules }: Entry) => {
    const known = limits.get(limit) ?? limitConcurrency(rules)
    limits.set(limit, known)
    return known
  }
  return {
    serve(channel) {
      const held = new Map<string, () => void>()
      let isGone = false
      const leave = (name: string) => {
        held.get(name)?.()
        held.delete(name)
      }
      channel.answer('enter', async (entry: Entry) => {
        const name = `${entry.limit} ${entry.ticket}`
        const client = new EventEmitter()
        held.set(name, () => client.emit('close'))
        try {
          const leaveInside = await limitOf(entry).enter(entry.rank, entry.entrant, client)
          held.set(name, leaveInside)
          if (isGone) leave(name)
        } catch (error) {
          held.delete(name)
          throw error
        }
      })
      channel.hear('leave', ({ limit, ticket }: Pick<Entry, 'limit' | 'ticket'>) => leave(`${limit} ${ticket}`))
      return () => {
        isGone = true
        for (const name of [...held.keys()]) leave(name)
      }
    },
  }
}
