/** Sends pages as they are made, no faster than the reader takes them, and never holds up the making for a slow reader. */

import { PageSpool } from '../lib/chunk-spool.ts'
import { discard, type PageSource } from '../lib/chunks.ts'
import type { Exchange } from './exchange.ts'
import { writeHead } from './send.ts'
import { Reader } from './slow-client.ts'

export interface Download {
  readonly headers: Readonly<Record<string, string>>
  readonly pages: PageSource
  readonly areCompressed: boolean
}

/** Resolves when the last page has been made; what the reader has not taken by then goes out by itself. A failure breaks the connection. */
export async function sendPages(exchange: Exchange, { headers, pages, areCompressed }: Download): Promise<void> {
  writeHead(exchange, 200, headers)
  const reader = new Reader(exchange.response, () => pages.stop())
  try {
    const late = await forward(pages, reader)
    if (late !== null) await throughSpool(late, pages, reader, areCompressed)
  } catch (error) {
    if (!reader.isGone) exchange.log.error({ err: error, request_id: exchange.id }, 'a report broke off')
    reader.cut()
  }
}

/** Page by page while the reader keeps pace; the first page for which it does not. */
async function forward(pages: PageSource, reader: Reader): Promise<Uint8Array | null> {
  for (let page = await pages.next(); page !== null; page = await pages.next()) {
    const sent = page
    if (!(await reader.keepsPace())) return page
    reader.write(page, () => pages.taken(sent))
  }
  reader.end()
  return null
}

async function throughSpool(first: Uint8Array, pages: PageSource, reader: Reader, areCompressed: boolean): Promise<void> {
  const spool = await PageSpool.open(areCompressed)
  const filling = fill(spool, first, pages)
  const sending = send(spool, reader).catch(() => reader.cut())
  void Promise.allSettled([filling, sending]).then(() => spool.close())
  await filling
}

async function fill(spool: PageSpool, first: Uint8Array, pages: PageSource): Promise<void> {
  try {
    for (let page: Uint8Array | null = first; page !== null; page = await pages.next()) {
      await spool.append(page)
      pages.taken(page)
    }
    spool.finish('full')
  } catch (error) {
    spool.finish('spoilt')
    throw error
  }
}

async function send(spool: PageSpool, reader: Reader): Promise<void> {
  await reader.hasTakenAll()
  for (let page = await spool.next(); page !== null; page = await spool.next()) {
    const sent = page
    reader.write(page, () => discard(sent))
    await reader.hasTakenAll()
  }
  reader.end()
}
