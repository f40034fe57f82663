/** Concurrency limits of requests: provisioning takes precedence over reports, then pages, then pushes, and no party gets more than its share. */

import { primary } from '../lib/processes/primary.ts'
import { shareConcurrency } from '../lib/processes/shared-limit.ts'
import { allPlaces, type WorkKind, workBudget } from '../lib/work/budget.ts'
import { type ConcurrencyLimit, limitConcurrency, type QueueRules } from '../lib/work/concurrency.ts'
import type { Exchange } from './exchange.ts'

/** The kinds in order of precedence. */
const requestKinds = ['provision', 'report', 'page', 'page_csv', 'push'] as const satisfies readonly WorkKind[]

export type RequestKind = (typeof requestKinds)[number]

export interface RequestLimits extends ConcurrencyLimit<RequestKind> {
  /** Bodies that are still arriving cost memory and disk but no processor time, so they have a limit of their own. */
  readonly uploads: ConcurrencyLimit<'upload' | 'file'>
  /** Requests that wait for something to happen cost a connection alone. */
  readonly waits: ConcurrencyLimit<'wait'>
}

/** Health checks pass no limit, so they are always answered. */
export function openLimits(workers = 1): RequestLimits {
  const places = workBudget.upload.places + workBudget.file.places
  const uploads = shareConcurrency(primary, 'uploads', { inside: places, insidePerParty: places, ranks: ranksOf(['upload', 'file']) })
  const { places: inside } = workBudget.wait
  const waits = shareConcurrency(primary, 'waits', { inside, insidePerParty: inside, ranks: ranksOf(['wait']) })
  return {
    ...(primary === null ? limitConcurrency({ ...allPlaces, ranks: ranksOf(requestKinds) }) : amongWorkers(workers)),
    uploads,
    waits,
  }
}

/**
 * For the short kinds each worker gets a part of the places, because asking the primary would cost as much as the work. The long kinds have few places, which
 * the primary assigns one by one.
 */
function amongWorkers(workers: number): ConcurrencyLimit<RequestKind> {
  const part = (places: number) => Math.ceil(places / workers)
  const inPart = ({ inside, waiting, patienceSeconds, share = inside, personShare = inside }: QueueRules) => ({
    inside: part(inside),
    waiting: part(waiting),
    patienceSeconds,
    share: part(share),
    personShare: part(personShare),
  })
  const short = limitConcurrency({
    inside: part(allPlaces.inside),
    insidePerParty: part(allPlaces.insidePerParty),
    ranks: { provision: inPart(queueRules('provision')), report: inPart(queueRules('report')) },
  })
  const long = shareConcurrency(primary, 'requests', { ...allPlaces, ranks: ranksOf(['page', 'page_csv', 'push']) })
  const isShort = (kind: RequestKind): kind is 'provision' | 'report' => kind === 'provision' || kind === 'report'
  return {
    counts: { ...short.counts, ...long.counts },
    enter: (kind, entrant, client) => (isShort(kind) ? short.enter(kind, entrant, client) : long.enter(kind, entrant, client)),
    isFull: (kind) => (isShort(kind) ? short.isFull(kind) : long.isFull(kind)),
    pass: (kind, party, work) => (isShort(kind) ? short.pass(kind, party, work) : long.pass(kind, party, work)),
  }
}

function ranksOf<K extends WorkKind>(kinds: readonly K[]): Record<K, QueueRules> {
  return Object.fromEntries(kinds.map((kind) => [kind, queueRules(kind)])) as Record<K, QueueRules>
}

function queueRules(kind: WorkKind): QueueRules {
  const { places, queue, patienceSeconds, share, personShare } = workBudget[kind]
  return { inside: places, waiting: queue, patienceSeconds, share, personShare }
}

/** Cuts the connection once work of this kind has used up its time. */
export function allowTime({ response }: Exchange, kind: WorkKind): void {
  response.setTimeout(workBudget[kind].socketSeconds * 1000, () => response.destroy())
}
