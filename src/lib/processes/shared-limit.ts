/** A concurrency limit that holds for all workers of a host: each asks the primary for a place. */

import { type Closable, type ConcurrencyLimit, type ConcurrencyRules, type Entrant, limitConcurrency } from '../work/concurrency.ts'
import type { Channel } from './channel.ts'

/** A worker's request for a place. */
export interface Entry {
  readonly limit: string
  readonly rank: string
  readonly entrant: Entrant
  /** Identifies this request in later messages of the same worker. */
  readonly ticket: number
  readonly rules: ConcurrencyRules<string>
}

interface Counts {
  inside: number
  waiting: number
  refused: number
}

/** Workers that use the same name share one limit. Without a primary, the limit belongs to this process alone. */
export function shareConcurrency<R extends string>(primary: Channel | null, name: string, rules: ConcurrencyRules<R>): ConcurrencyLimit<R> {
  return primary === null ? limitConcurrency(rules) : remoteLimit(primary, name, rules)
}

function remoteLimit<R extends string>(primary: Channel, limit: string, rules: ConcurrencyRules<R>): ConcurrencyLimit<R> {
  const ranks = Object.keys(rules.ranks) as R[]
  const counts = Object.fromEntries(ranks.map((rank) => [rank, { inside: 0, waiting: 0, refused: 0 }])) as Record<R, Counts>
  let lastTicket = 0
  const enter = async (rank: R, entrant: Entrant, client?: Closable) => {
    lastTicket += 1
    const ticket = lastTicket
    const count = counts[rank]
    const leaveQueue = () => primary.tell('leave', { limit, ticket })
    client?.once('close', leaveQueue)
    count.waiting += 1
    try {
      await primary.ask('enter', { limit, rank, entrant, ticket, rules } satisfies Entry)
    } catch (error) {
      count.refused += 1
      throw error
    } finally {
      count.waiting -= 1
      client?.off('close', leaveQueue)
    }
    count.inside += 1
    return once(() => {
      count.inside -= 1
      primary.tell('leave', { limit, ticket })
    })
  }
  return {
    counts,
    enter,
    isFull: (rank) => counts[rank].waiting >= rules.ranks[rank].waiting && rules.ranks[rank].waiting > 0,
    async pass(rank, party, work) {
      const leave = await enter(rank, party)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
