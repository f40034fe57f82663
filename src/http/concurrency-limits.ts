/** How much is worked on at once: provisioning before reports before pages before pushes, and no party more than its share. */

import { allPlaces, type WorkKind, workBudget } from '../lib/work/budget.ts'
import { type ConcurrencyLimit, limitConcurrency, type QueueRules } from '../lib/work/concurrency.ts'
import type { Exchange } from './exchange.ts'

/** In order of precedence. */
const requestKinds = ['provision', 'report', 'page', 'page_csv', 'push'] as const satisfies readonly WorkKind[]

export type RequestKind = (typeof requestKinds)[number]

export interface RequestLimits extends ConcurrencyLimit<RequestKind> {
  /** Bodies that are still arriving cost memory and disk, but no work: they are counted apart. */
  readonly uploads: ConcurrencyLimit<'upload'>
}

/** Health is asked for outside of this: it always answers. */
export function openLimits(): RequestLimits {
  const ranks = Object.fromEntries(requestKinds.map((kind) => [kind, queueRules(kind)])) as Record<RequestKind, QueueRules>
  const { places } = workBudget.upload
  const uploads = limitConcurrency({ inside: places, insidePerParty: places, ranks: { upload: queueRules('upload') } })
  return { ...limitConcurrency<RequestKind>({ ...allPlaces, ranks }), uploads }
}

function queueRules(kind: WorkKind): QueueRules {
  const { places, queue, patienceSeconds, share, personShare } = workBudget[kind]
  return { inside: places, waiting: queue, patienceSeconds, share, personShare }
}

/** The connection lives as long as work of this kind may take, and no longer. */
export function allowTime({ response }: Exchange, kind: WorkKind): void {
  response.setTimeout(workBudget[kind].socketSeconds * 1000, () => response.destroy())
}
