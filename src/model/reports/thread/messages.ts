/** What the main thread and the report threads tell each other. */

import type { Settings } from '../../../config.ts'
import type { Failure } from '../../../lib/failures.ts'
import type { Coding } from '../../../lib/streams/content-coding.ts'
import type { ReportQuestion } from '../question.ts'

/** A partner's request; the thread looks for the data among what that partner manages. */
export interface Asked {
  readonly partnerId: number
  readonly question: ReportQuestion
  readonly coding: Coding
  /** The version of the data in the database now, which a replica must have too. */
  readonly version: string
}

/** Where a thread reads from, and how many snapshots at once. */
export interface ThreadPlace extends Pick<Settings, 'databaseUrl' | 'replicaUrl' | 'dataDir'> {
  readonly snapshots: number
}

export type ToThread =
  | ({ readonly kind: 'ask'; readonly id: number } & Asked)
  | { readonly kind: 'taken'; readonly id: number; readonly chunk: ArrayBuffer | null }
  | { readonly kind: 'stop'; readonly id: number }

export type FromThread =
  /** The version of the data in the snapshot from which the report is read. */
  | { readonly kind: 'version'; readonly id: number; readonly version: string; readonly source: ReportSource }
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: ArrayBuffer; readonly length: number }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SentFailure }

export type ReportSource = 'database' | 'replica'

export type SentFailure = Pick<Failure, 'code' | 'details'> | { readonly code: null; readonly stack: string }
