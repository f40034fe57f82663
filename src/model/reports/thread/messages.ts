/** What the main thread and the report thread say to each other. */

import type { Settings } from '../../../config.ts'
import type { Coding } from '../../../lib/content-coding.ts'
import type { Failure } from '../../../lib/failures.ts'
import type { ReportQuestion } from '../question.ts'

/** Where the thread reads from, and how many moments at once. */
export interface ThreadPlace extends Pick<Settings, 'databaseUrl' | 'dataDir'> {
  readonly snapshots: number
}

export type ToThread =
  | { readonly kind: 'ask'; readonly id: number; readonly question: ReportQuestion; readonly coding: Coding }
  | { readonly kind: 'taken'; readonly id: number; readonly chunk: ArrayBuffer | null }
  | { readonly kind: 'stop'; readonly id: number }

export type FromThread =
  /** Of the data in the moment from which the report is read. */
  | { readonly kind: 'version'; readonly id: number; readonly version: string }
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: ArrayBuffer; readonly length: number }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SentFailure }

export type SentFailure = Pick<Failure, 'code' | 'details'> | { readonly code: null; readonly stack: string }
