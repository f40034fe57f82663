/** What the main thread and the reader threads tell each other. */

import type { Settings } from '../config.ts'
import type { SentFailure } from '../lib/sent-failures.ts'

/** `short` is for pages, which somebody waits for; `long` for reports, files and letters. */
export type Lane = 'short' | 'long'

/** A kind of work: what is asked, as plain data, and what is told of the result before its bytes. */
export interface ReaderWork<Asked, Head> {
  readonly name: string
  readonly lane: Lane
  /** Whether it waits for a place for minutes, behind those for whom somebody waits. */
  readonly isPatient?: true
  /** Never set: they only carry the types. */
  readonly asked?: Asked
  readonly head?: Head
}

/** One piece of work, already allowed by the main thread; a party is a partner, or who else takes turns. */
export interface AskedWork {
  readonly work: string
  readonly party: string
  readonly asked: unknown
}

/** Where a thread reads from, how many snapshots at once, and the kinds of work whose code it loads in advance. */
export interface ThreadPlace {
  readonly settings: Settings
  readonly snapshots: number
  readonly ahead: readonly string[]
}

export type ToThread =
  | ({ readonly kind: 'ask'; readonly id: number } & AskedWork)
  | { readonly kind: 'taken'; readonly id: number; readonly chunk: ArrayBuffer | null }
  | { readonly kind: 'stop'; readonly id: number }

export type FromThread =
  | { readonly kind: 'head'; readonly id: number; readonly head: unknown }
  | { readonly kind: 'chunk'; readonly id: number; readonly chunk: ArrayBuffer; readonly length: number }
  /** No more is done for it: it is complete, or it was stopped. */
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SentFailure }
