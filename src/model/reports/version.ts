/** The tag by which one answer of a report is told from every other: who asked, what for, how it is coded, and of which data. */

import type { Coding } from '../../lib/content-coding.ts'
import { memo } from '../../lib/memo.ts'
import { type App, perApp } from '../core/app.ts'
import { type ReportQuestion, writersVersion } from './question.ts'

/** The partner belongs to the question, so that no two ever share one. */
export function etagOf(app: App, question: ReportQuestion, coding: Coding, version: string): string {
  return tagOf(app)(JSON.stringify([writersVersion, coding, version, question]))
}

/** A keyed hash costs more than all else that an unchanged report takes. */
const tagOf = perApp(({ secrets }) => memo({ most: 1_000, longest: 10_000 }, (asked) => `"${secrets.hmac('etag', asked)}"`))
