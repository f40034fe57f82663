/** The log of the API's last answers to each partner: noted in memory, and written now and then in small batches, outside of requests. */

import type { Kysely } from 'kysely'
import { batchesOf, inBatches } from '../../../lib/work/batches.ts'
import { repeatedInsert } from '../../../store/repeated-inserts.ts'
import type { RequestRow } from '../../../store/rows/processes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { type App, perApp } from '../app.ts'

/** So many answers of each partner are kept, and apart so many refusals. */
export const keptRequests = 2_000

export interface AnsweredRequest {
  readonly partner_id: number
  readonly at: string
  readonly request_id: string
  readonly public_part: string | undefined
  readonly method: string
  readonly status: number
  readonly code: string | undefined
  readonly sentence: string | undefined
  readonly tenths: number
  readonly url: string
  /** The names of the fields in the body. */
  readonly fields: readonly string[]
  /** Asked only for those that are written. The same function for all: what an answer keeps until then is copied by the garbage collector. */
  readonly told: (answered: AnsweredRequest) => ToldRequest
}

export interface ToldRequest {
  readonly path: string
  readonly parameters: string
}

/** The last answers of one partner, of one kind, that are not written yet; newer ones take the place of older ones. */
interface Ring {
  readonly partnerId: number
  readonly isRefused: 0 | 1
  readonly items: AnsweredRequest[]
  next: number
}

interface Logging {
  /** By the partner's id, apart for answers and refusals. */
  rings: readonly [Map<number, Ring>, Map<number, Ring>]
  waiting: number
  timer: NodeJS.Timeout | null
  /** Resolves when all writes in progress are done. */
  writing: Promise<void>
  readonly counts: { written: number; dropped: number }
  /** How many rows were written of each kind of a partner since its oldest were removed. */
  readonly sinceTrim: readonly [Map<number, number>, Map<number, number>]
}

const mostWaiting = 10_000
const leastWaitMilliseconds = 2_000
/** After a write the next one waits so long for each row, so that the log takes a small share of a processor however much is asked. */
const millisecondsPerRow = 10
const rowsPerWrite = 50
const trimAfter = 200

const loggingOn = perApp((app): Logging => {
  app.beforeClose.push(() => writeRequests(app))
  const counts = { written: 0, dropped: 0 }
  return { rings: [new Map(), new Map()], waiting: 0, timer: null, writing: Promise.resolve(), counts, sinceTrim: [new Map(), new Map()] }
})

export function noteRequest(app: App, answered: AnsweredRequest): void {
  const logging = loggingOn(app)
  logging.timer ??= wait(app, leastWaitMilliseconds)
  const ring = ringOf(logging, answered.partner_id, answered.status < 400 ? 0 : 1)
  if (ring.items.length === keptRequests) {
    ring.items[ring.next] = answered
    ring.next = (ring.next + 1) % keptRequests
    logging.counts.dropped += 1
  } else if (logging.waiting === mostWaiting) logging.counts.dropped += 1
  else {
    ring.items.push(answered)
    logging.waiting += 1
  }
}

export function requestLogCounts(app: App): { readonly written: number; readonly dropped: number } {
  return loggingOn(app).counts
}

/** Resolves when everything noted so far is written, or dropped because it could not be. */
export function writeRequests(app: App): Promise<void> {
  const logging = loggingOn(app)
  if (logging.timer !== null) clearTimeout(logging.timer)
  logging.timer = null
  logging.writing = logging.writing.then(() => writeNoted(app, logging))
  return logging.writing
}

/** Removes what is beyond the limit of one kind of a partner's answers. */
export async function trimRequests({ store }: App, partnerId: number, isRefused: 0 | 1): Promise<number> {
  return store.write(async (tx) => {
    const rows = tx.selectFrom('requests').select('id').where('partner_id', '=', partnerId).where('is_refused', '=', isRefused)
    const oldest = await rows.orderBy('id', 'desc').offset(keptRequests).limit(1).executeTakeFirst()
    if (oldest === undefined) return 0
    const { numDeletedRows } = await tx
      .deleteFrom('requests')
      .where('partner_id', '=', partnerId)
      .where('is_refused', '=', isRefused)
      .where('id', '<=', oldest.id)
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}

function wait(app: App, milliseconds: number): NodeJS.Timeout {
  return setTimeout(() => void writeRequests(app), milliseconds).unref()
}

function ringOf({ rings }: Logging, partnerId: number, isRefused: 0 | 1): Ring {
  const known = rings[isRefused].get(partnerId)
  if (known !== undefined) return known
  const ring = { partnerId, isRefused, items: [], next: 0 }
  rings[isRefused].set(partnerId, ring)
  return ring
}

async function writeNoted(app: App, logging: Logging): Promise<void> {
  const rings = logging.rings.flatMap((some) => [...some.values()])
  logging.rings = [new Map(), new Map()]
  logging.waiting = 0
  let rows = 0
  for (const ring of rings) rows += await writeRing(app, logging, ring)
  if (rows === 0) return
  if (logging.timer !== null) clearTimeout(logging.timer)
  logging.timer = wait(app, Math.max(leastWaitMilliseconds, rows * millisecondsPerRow))
}

/** No request waits for this; while the database is unreachable, answers are lost to the log. */
async function writeRing(app: App, logging: Logging, { partnerId, isRefused, items, next }: Ring): Promise<number> {
  const { counts } = logging
  const sinceTrim = logging.sinceTrim[isRefused]
  const inOrder = [...items.slice(next), ...items.slice(0, next)]
  await inBatches(inOrder, rowsPerWrite, async (some) => {
    const rows = some.map(rowOf)
    const isWritten = await app.store.write((tx) => insertRows(tx, rows)).then(yes, no)
    counts[isWritten ? 'written' : 'dropped'] += rows.length
    return []
  })
  const since = (sinceTrim.get(partnerId) ?? trimAfter) + items.length
  sinceTrim.set(partnerId, since < trimAfter ? since : 0)
  if (since >= trimAfter) await trimRequests(app, partnerId, isRefused).catch(no)
  return items.length
}

const yes = () => true
const no = () => false

type NewRow = Omit<RequestRow, 'id'>

function rowOf(answered: AnsweredRequest): NewRow {
  const { told, url: _, fields: __, status, code, sentence, public_part, ...noted } = answered
  return {
    ...noted,
    ...told(answered),
    status,
    is_refused: status < 400 ? 0 : 1,
    code: code ?? null,
    sentence: sentence ?? null,
    public_part: public_part ?? null,
  }
}

const columns = [
  'partner_id',
  'is_refused',
  'at',
  'request_id',
  'public_part',
  'method',
  'path',
  'parameters',
  'status',
  'code',
  'sentence',
  'tenths',
] as const satisfies readonly (keyof NewRow)[]

const insertSome = repeatedInsert<keyof NewRow, unknown>(columns, (db: Kysely<Tables>, rows) =>
  db.insertInto('requests').values(rows as readonly NewRow[]),
)

/** Whole tens together and the others one by one, so that few texts of the statement are kept. */
async function insertRows(tx: Kysely<Tables>, rows: readonly NewRow[]): Promise<void> {
  const even = rows.length - (rows.length % 10)
  for (const some of batchesOf(rows.slice(0, even), 10)) await insertSome(tx, some)
  for (const one of batchesOf(rows.slice(even), 1)) await insertSome(tx, one)
}
