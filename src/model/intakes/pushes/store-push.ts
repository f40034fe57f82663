/** Checks and stores one push, for the key that sent it, until its client goes or its time is over. */

import { refuse } from '../../../lib/failures.ts'
import { asNoRoom } from '../../../lib/streams/nameless-file.ts'
import { workBudget } from '../../../lib/work/budget.ts'
import type { CsvMapping } from '../../../resources/imports/import-preset.ts'
import type { App } from '../../core/app.ts'
import { findTarget } from '../../imports/import.ts'
import type { ImportSummary } from '../../imports/summary.ts'
import { callerOf, type KeptSender } from '../file-senders.ts'
import { storeObservations } from '../store-observations.ts'
import { type PushedBody, pushedRecords } from './push-body.ts'
import { pushedRows } from './push-rows.ts'

/** A push as plain data. */
export interface Push {
  readonly partnerId: number
  readonly key: NonNullable<KeptSender['key']>
  readonly body: PushedBody
  /** Of a body in CSV; null for JSON. */
  readonly mapping: CsvMapping | null
  readonly isAtomic: boolean
  readonly isDryRun: boolean
  readonly createMissing: boolean
}

/** The exit code of a thread whose disk has failed, as EX_IOERR of other programs. */
export const exitOfFailedDisk = 74

export async function storePush(app: App, push: Push, stopped: AbortSignal): Promise<ImportSummary> {
  const { isAtomic, isDryRun, createMissing, body, mapping } = push
  const caller = callerOf(app, push.partnerId, push.key)
  const until = performance.now() + workBudget.push.deadlineSeconds * 1000
  const records = mapping === null ? pushedRecords(body) : pushedRows(body, mapping)
  return storeObservations(caller, await findTarget(caller, {}), records, {
    takeGood: !isAtomic,
    readAs: 'push',
    inOneTransaction: isAtomic,
    isDryRun,
    createMissing,
    progress: () => refuseWhenPointless(stopped, until),
  }).catch((error: unknown) => {
    throw asNoRoom(error)
  })
}

function refuseWhenPointless(stopped: AbortSignal, until: number): void {
  if (stopped.aborted) refuse('malformed_body', 'The client went away')
  if (performance.now() > until) refuse('overloaded', 'The push takes too long; send fewer records at once', { 'retry-after': '5' })
}
