/** The version of a report that waits, as somebody saw it, by which a decision that was made meanwhile is noticed. */

import { createHash } from 'node:crypto'
import type { ReportRunRow } from '../../store/rows/mail.ts'
import { changedMeanwhile } from './schedule-version.ts'

export function runVersion({ state, sentence }: Pick<ReportRunRow, 'state' | 'sentence'>): string {
  return createHash('sha256')
    .update(JSON.stringify([state, sentence]))
    .digest('hex')
    .slice(0, 20)
}

export function refuseIfOther(version: string, was: string): void {
  if (version !== was) changedMeanwhile()
}
