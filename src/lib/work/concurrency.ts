/**
 * A concurrency limit (a semaphore with queues): a few run at once, others wait in turn by partner within limits of number and time, and the rest are refused
 * at once.
 */

import { refuse } from '../failures.ts'

export interface QueueRules {
  /** How many of this rank may be inside, even if there is more room. */
  readonly inside: number
  readonly waiting: number
  readonly patienceSeconds: number
  /** How many of this rank one party may have inside. */
  readonly share?: number
  /** How many of this rank one person of a party may have inside. */
  readonly personShare?: number
}

export interface ConcurrencyRules<R extends string> {
  readonly inside: number
  /** How many of all places inside one party may hold; of the places in the queue it may hold half. */
  readonly insidePerParty: number
  /** The ranks in order of precedence. */
  readonly ranks: Readonly<Record<R, QueueRules>>
}

/** Who wants to enter: a party, and optionally which of its people. */
export type Entrant = string | { readonly party: string; readonly person: string }

/** A waiting client that may disconnect; nothing is then done for it. */
export interface Closable {
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

export interface ConcurrencyLimit<R extends string> {
  /** Enters at once or when it is the caller's turn; the returned function must be called when the work is done. */
  enter(rank: R, entrant: Entrant, client?: Closable): (() => void) | Promise<() => void>
  /** Whether any caller of this rank would be refused now. */
  isFull(rank: R): boolean
  /** Enters, runs the work and leaves. */
  pass<T>(rank: R, party: string, work: () => Promise<T>): Promise<T>
  readonly counts: Readonly<Record<R, QueueCounts>>
}

export interface QueueCounts {
  readonly inside: number
  readonly waiting: number
  /** How many were refused, at once or after waiting. */
  readonly refused: number
}

interface Entering {
  readonly party: string
  /** Empty if no person is named; `personShare` then does not apply. */
  readonly person: string
}

interface Waiter extends Entering {
  readonly admit: () => void
}

interface Queue {
  inside: number
  waiting: number
  refused: number
  /** The waiting entrants by party, in order of arrival; the parties take turns. */
  readonly parties: Map<string, Waiter[]>
  /** The places that each party, and each person of a party, holds. */
  readonly held: Counter
  readonly heldByPerson: Counter
}

export function limitConcurrency<R extends string>(rules: ConcurrencyRules<R>): ConcurrencyLimit<R> {
  const ranks = Object.keys(rules.ranks) as R[]
  const queues = Object.fromEntries(ranks.map((rank) => [rank, emptyQueue()])) as Record<R, Queue>
  const held = new Counter()
  let inside = 0

  const hasShare = (rank: R, { party, person }: Entering) => {
    const { share = Number.POSITIVE_INFINITY, personShare = Number.POSITIVE_INFINITY } = rules.ranks[rank]
    if (held.of(party) >= rules.insidePerParty || queues[rank].held.of(party) >= share) return false
    return person === '' || queues[rank].heldByPerson.of(`${party} ${person}`) < personShare
  }
  const hasRoom = (rank: R) => inside < rules.inside && queues[rank].inside < rules.ranks[rank].inside
  const count = (rank: R, { party, person }: Entering, by: 1 | -1) => {
    inside += by
    queues[rank].inside += by
    held.add(party, by)
    queues[rank].held.add(party, by)
    if (person !== '') queues[rank].heldByPerson.add(`${party} ${person}`, by)
  }
  const admit = (rank: R, entering: Entering) => {
    count(rank, entering, 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      count(rank, entering, -1)
      for (const next of ranks) while (hasRoom(next) && callNext(queues[next], (waiter) => hasShare(next, waiter)));
    }
  }

  const self: ConcurrencyLimit<R> = {
    counts: queues,
    isFull: (rank) => !hasRoom(rank) && queues[rank].waiting >= rules.ranks[rank].waiting,
    enter(rank, entrant, client) {
      const entering = typeof entrant === 'string' ? { party: entrant, person: '' } : entrant
      if (hasRoom(rank) && hasShare(rank, entering)) return admit(rank, entering)
      refuseIfFull(queues[rank], rules.ranks[rank], entering.party, hasRoom(rank))
      return wait(queues[rank], rules.ranks[rank], entering, () => admit(rank, entering), client)
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

function emptyQueue(): Queue {
  return { inside: 0, waiting: 0, refused: 0, parties: new Map(), held: new Counter(), heldByPerson: new Counter() }
}

/** Counts by name; a name whose count is 0 is removed. */
class Counter {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, by: 1 | -1): void {
    const count = this.of(name) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}

/** Refuses a new entrant: with 429 when its party has used up its share or half of the queue, otherwise with 503 when the queue is full. */
function refuseIfFull(queue: Queue, { waiting }: QueueRules, party: string, hasRoom: boolean): void {
  const own = queue.parties.get(party)?.length ?? 0
  const isOwnFault = waiting === 0 ? hasRoom : own >= waiting / 2
  if (!isOwnFault && queue.waiting < waiting) return
  queue.refused += 1
  if (isOwnFault) refuse('too_many_requests', 'Too many requests of yours are waiting already', retrySoon())
  refuse('overloaded', undefined, retrySoon())
}

function wait(
  queue: Queue,
  { patienceSeconds }: QueueRules,
  entering: Entering,
  admit: () => () => void,
  client?: Closable,
): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>()
  const waiter = { ...entering, admit: () => settle(() => resolve(admit())) }
  const leaveQueue = () => settle(() => giveUp(queue, waiter, reject))
  const timer = setTimeout(leaveQueue, patienceSeconds * 1000)
  client?.once('close', leaveQueue)
  const settle = (then: () => void) => {
    clearTimeout(timer)
    client?.off('close', leaveQueue)
    then()
  }
  const line = queue.parties.get(entering.party) ?? []
  line.push(waiter)
  queue.parties.set(entering.party, line)
  queue.waiting += 1
  return promise
}

function giveUp(queue: Queue, waiter: Waiter, reject: (error: unknown) => void): void {
  const line = queue.parties.get(waiter.party) ?? []
  line.splice(line.indexOf(waiter), 1)
  if (line.length === 0) queue.parties.delete(waiter.party)
  queue.waiting -= 1
  queue.refused += 1
  try {
    refuse('overloaded', undefined, retrySoon())
  } catch (error) {
    reject(error)
  }
}

/** Calls the first waiter who has not used up its share; parties take turns, so the party called goes to the end. */
function callNext(queue: Queue, hasShare: (waiter: Waiter) => boolean): boolean {
  for (const [party, line] of queue.parties) {
    const at = line.findIndex(hasShare)
    if (at < 0) continue
    const [waiter] = line.splice(at, 1)
    queue.parties.delete(party)
    if (line.length > 0) queue.parties.set(party, line)
    queue.waiting -= 1
    waiter?.admit()
    return true
  }
  return false
}

/** Randomized, so that clients refused at the same time do not all return at the same time. */
function retrySoon(): Record<string, string> {
  return { 'retry-after': String(1 + Math.floor(Math.random() * 3)) }
}
