/** A concurrency limit (a semaphore with queues): a few work at once, others wait in turn by partner, but not too many and not for long; the rest are refused at once. */

import { refuse } from './failures.ts'

export interface QueueRules {
  /** How many of this rank may be inside, whatever room there is. */
  readonly inside: number
  readonly waiting: number
  readonly patienceSeconds: number
}

export interface ConcurrencyRules<R extends string> {
  readonly inside: number
  /** What one party may hold of the places inside; of the places to wait it may hold half. */
  readonly insidePerParty: number
  /** In order of precedence. */
  readonly ranks: Readonly<Record<R, QueueRules>>
}

/** Whoever waits may go away: then nothing is done for them. */
export interface Closable {
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

export interface ConcurrencyLimit<R extends string> {
  /** At once, or when it is the caller's turn; what it gives must be called when the work is done. */
  enter(rank: R, party: string, client?: Closable): (() => void) | Promise<() => void>
  /** Whether a caller of this rank would be turned away, whoever it is. */
  isFull(rank: R): boolean
  /** Runs work inside. */
  pass<T>(rank: R, party: string, work: () => Promise<T>): Promise<T>
  readonly counts: Readonly<Record<R, { readonly inside: number; readonly waiting: number }>>
}

interface Waiter {
  readonly party: string
  readonly admit: () => void
}

interface Queue {
  inside: number
  waiting: number
  /** The parties in turn, each with its own in order of arrival. */
  readonly parties: Map<string, Waiter[]>
}

export function limitConcurrency<R extends string>(rules: ConcurrencyRules<R>): ConcurrencyLimit<R> {
  const ranks = Object.keys(rules.ranks) as R[]
  const queues = Object.fromEntries(ranks.map((rank) => [rank, { inside: 0, waiting: 0, parties: new Map() }])) as Record<R, Queue>
  const insideOf = new Map<string, number>()
  let inside = 0

  const hasShare = (party: string) => (insideOf.get(party) ?? 0) < rules.insidePerParty
  const hasRoom = (rank: R) => inside < rules.inside && queues[rank].inside < rules.ranks[rank].inside
  const count = (rank: R, party: string, by: 1 | -1) => {
    inside += by
    queues[rank].inside += by
    const held = (insideOf.get(party) ?? 0) + by
    if (held === 0) insideOf.delete(party)
    else insideOf.set(party, held)
  }
  const admit = (rank: R, party: string) => {
    count(rank, party, 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      count(rank, party, -1)
      for (const next of ranks) while (hasRoom(next) && callNext(queues[next], hasShare));
    }
  }

  const self: ConcurrencyLimit<R> = {
    counts: queues,
    isFull: (rank) => !hasRoom(rank) && queues[rank].waiting >= rules.ranks[rank].waiting,
    enter(rank, party, client) {
      if (hasRoom(rank) && hasShare(party)) return admit(rank, party)
      turnAway(queues[rank], rules.ranks[rank], party)
      return wait(queues[rank], rules.ranks[rank], party, () => admit(rank, party), client)
    },
    async pass(rank, party, work) {
      const leave = await self.enter(rank, party)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
  return self
}

/** A party that holds half of the waiting places is told so; a full house is nobody's fault. */
function turnAway(queue: Queue, { waiting }: QueueRules, party: string): void {
  const own = queue.parties.get(party)?.length ?? 0
  if (own >= waiting / 2) refuse('too_many_requests', 'Too many requests of yours are waiting already', retrySoon())
  if (queue.waiting >= waiting) refuse('overloaded', undefined, retrySoon())
}

function wait(
  queue: Queue,
  { patienceSeconds }: QueueRules,
  party: string,
  admit: () => () => void,
  client?: Closable,
): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>()
  const waiter = { party, admit: () => settle(() => resolve(admit())) }
  const leaveQueue = () => settle(() => giveUp(queue, waiter, reject))
  const timer = setTimeout(leaveQueue, patienceSeconds * 1000)
  client?.once('close', leaveQueue)
  const settle = (then: () => void) => {
    clearTimeout(timer)
    client?.off('close', leaveQueue)
    then()
  }
  const line = queue.parties.get(party) ?? []
  line.push(waiter)
  queue.parties.set(party, line)
  queue.waiting += 1
  return promise
}

function giveUp(queue: Queue, waiter: Waiter, reject: (error: unknown) => void): void {
  const line = queue.parties.get(waiter.party) ?? []
  line.splice(line.indexOf(waiter), 1)
  if (line.length === 0) queue.parties.delete(waiter.party)
  queue.waiting -= 1
  try {
    refuse('overloaded', undefined, retrySoon())
  } catch (error) {
    reject(error)
  }
}

/** The first party in turn that has not its full share inside; its turn then comes last. */
function callNext(queue: Queue, hasShare: (party: string) => boolean): boolean {
  for (const [party, line] of queue.parties) {
    if (!hasShare(party)) continue
    const waiter = line.shift()
    queue.parties.delete(party)
    if (line.length > 0) queue.parties.set(party, line)
    queue.waiting -= 1
    waiter?.admit()
    return true
  }
  return false
}

/** Spread, so that those turned away together do not come back together. */
function retrySoon(): Record<string, string> {
  return { 'retry-after': String(1 + Math.floor(Math.random() * 3)) }
}
