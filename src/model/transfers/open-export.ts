/** Opens the export that a partner asks for, which reader threads make chunk by chunk in the long lane. */

import type { ChunkSource } from '../../lib/streams/chunks.ts'
import type { Coding } from '../../lib/streams/content-coding.ts'
import type { Closable } from '../../lib/work/concurrency.ts'
import type { ReaderWork } from '../../readers/messages.ts'
import { askReaders } from '../../readers/pool.ts'
import type { PartnerCaller } from '../core/caller.ts'
import { idOfCursor } from '../core/paging.ts'
import { findTarget } from '../imports/import.ts'

export interface ExportQuestion {
  readonly accountId?: number | undefined
  readonly siteId?: number | undefined
  /** The cursor of the last account that came whole. */
  readonly after?: string | undefined
}

export interface AskedExport {
  readonly partnerId: number
  /** The accounts that the key reaches; null if it reaches all of the partner. */
  readonly accountIds: readonly number[] | null
  readonly accountId: number | undefined
  readonly siteId: number | undefined
  /** Only accounts with a greater id. */
  readonly after: number
  readonly now: string
  readonly coding: Coding
}

export const exportWork: ReaderWork<AskedExport, null> = { name: 'export', lane: 'long' }

/** What is asked must be there before anything is sent. */
export async function askedExport(
  caller: PartnerCaller,
  { accountId, siteId, after }: ExportQuestion,
  coding: Coding,
): Promise<AskedExport> {
  const named = siteId === undefined ? { ...(accountId !== undefined && { account: accountId }) } : { site: siteId }
  const isNarrow = accountId !== undefined || siteId !== undefined
  const target = isNarrow ? await findTarget(caller, named) : undefined
  return {
    partnerId: caller.partnerId,
    accountIds: caller.accountIds,
    accountId: target?.accountId,
    siteId: target?.siteId,
    after: after === undefined ? 0 : idOfCursor(after),
    now: caller.app.clock.now(),
    coding,
  }
}

/** Waits in the queue as long as the client does. */
export async function openExport({ app }: PartnerCaller, asked: AskedExport, client: Closable): Promise<ChunkSource> {
  const work = await askReaders(app, exportWork, asked, { party: String(asked.partnerId), client })
  await work.begun()
  return work
}
