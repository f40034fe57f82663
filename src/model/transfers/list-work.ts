/** Opens lists as tables, which reader threads write in the long lane. */

import type { ChunkSource } from '../../lib/streams/chunks.ts'
import type { Coding } from '../../lib/streams/content-coding.ts'
import type { Closable } from '../../lib/work/concurrency.ts'
import type { ReaderWork } from '../../readers/messages.ts'
import { askReaders } from '../../readers/pool.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { idOfCursor } from '../core/paging.ts'

export type ListName = 'accounts' | 'businesses' | 'sites' | 'users'

export interface AskedList {
  readonly list: ListName
  /** As plain data: a thread has an app of its own. */
  readonly caller: Omit<PartnerCaller, 'app' | 'repeat'>
  readonly narrow: object
  /** Only records with a greater id. */
  readonly after: number
  readonly now: string
  readonly coding: Coding
}

export const listWork: ReaderWork<AskedList, null> = { name: 'list', lane: 'long' }

export interface ListQuestion {
  readonly list: ListName
  readonly narrow: object
  readonly after?: string | undefined
}

/** Waits in the queue as long as the client does. */
export async function openList(
  { app, repeat: _, ...caller }: PartnerCaller,
  question: ListQuestion,
  coding: Coding,
  client: Closable,
): Promise<ChunkSource> {
  const { list, narrow, after } = question
  const asked = { list, caller, narrow, after: after === undefined ? 0 : idOfCursor(after), now: app.clock.now(), coding }
  const work = await askReaders(app, listWork, asked, { party: String(caller.partnerId), client })
  await work.begun()
  return work
}
