/** The tag by which one answer of a report is told from every other: who asked, what for, how it is coded, and of which data. */

import type { Coding } from '../lib/codings.ts'
import { type Ground, onGround } from './ground.ts'
import { type ReportQuestion, writersVersion } from './report-question.ts'

const maxEtagsKept = 1_000
const maxAskedLength = 10_000

/** The partner belongs to the question, so that no two ever share one. */
export function etagOf(ground: Ground, question: ReportQuestion, coding: Coding, version: string): string {
  const asked = JSON.stringify([writersVersion, coding, version, question])
  const known = etags(ground).get(asked)
  if (known !== undefined) return known
  const etag = `"${ground.secrets.hmac('etag', asked)}"`
  if (etags(ground).size >= maxEtagsKept) etags(ground).clear()
  if (asked.length <= maxAskedLength) etags(ground).set(asked, etag)
  return etag
}

/** Clients ask the same again and again, and a keyed hash costs more than all else that an unchanged report takes. */
const etags = onGround(() => new Map<string, string>())
