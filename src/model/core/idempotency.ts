/** Idempotent requests: the answer is stored in the same transaction as the work, and a repetition gets the same bytes again. */

import type { Kysely } from 'kysely'
import { refuse, saysTaken } from '../../lib/failures.ts'
import { isoTime } from '../../lib/time/clock.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { perApp } from './app.ts'
import type { PartnerCaller, Repeat } from './caller.ts'

export const keptHours = 72
const longestWaitMilliseconds = 5_000

/** The key of a request, and what tells whether another request with this key is the same. */
export interface Repeatable {
  readonly key: string
  /** The method and path, such as `POST users`. */
  readonly operation: string
  /** Everything the client sent as one canonical text; only its keyed hash is stored, because it may contain a password. */
  readonly content: string
}

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Outcome {
  readonly answer: KeptAnswer
  readonly isReplay: boolean
}

/** Does the work and stores its answer, or returns the stored answer. A refused request stores nothing. */
export async function runIdempotently(
  caller: PartnerCaller,
  request: Repeatable,
  work: (caller: PartnerCaller) => Promise<unknown>,
  answerOf: (result: unknown) => KeptAnswer,
): Promise<Outcome> {
  const fingerprint = caller.app.secrets.hmac('fingerprint', request.content)
  const leave = await enter(caller, request.key)
  try {
    return (await kept(caller, request)) ?? (await first(caller, { ...request, fingerprint }, work, answerOf))
  } finally {
    leave()
  }
}

/** For answers that say more than the change itself gives: what is kept for a repetition is what the first answer shows. */
export function showing<T>(caller: PartnerCaller, shown: (result: T) => unknown): PartnerCaller {
  const { repeat } = caller
  if (repeat === undefined) return caller
  return { ...caller, repeat: { claim: (tx) => repeat.claim(tx), keep: (tx, result) => repeat.keep(tx, shown(result as T)) } }
}

const running = perApp(() => new Map<string, Promise<void>>())

/** A simultaneous repetition in this process waits for the first, so that no password is hashed twice. */
async function enter({ app, partnerId }: PartnerCaller, key: string): Promise<() => void> {
  const name = `${partnerId} ${key}`
  const doors = running(app)
  const until = performance.now() + longestWaitMilliseconds
  for (let inside = doors.get(name); inside !== undefined; inside = doors.get(name)) {
    const left = until - performance.now()
    if (left <= 0 || !(await endsWithin(inside, left))) refuse('conflict', undefined, { 'Retry-After': '1' })
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  doors.set(name, promise)
  return () => {
    doors.delete(name)
    resolve()
  }
}

async function endsWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), milliseconds)
  void work.then(() => resolve(true))
  return promise.finally(() => clearTimeout(timer))
}

async function kept({ app, partnerId }: PartnerCaller, { key, content }: Repeatable): Promise<Outcome | undefined> {
  const record = await app.store.db
    .selectFrom('idempotency_records')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('partner_id', '=', partnerId)
    .where('key', '=', key)
    .where('created_at', '>', oldest(app.clock.now()))
    .executeTakeFirst()
  if (record === undefined) return undefined
  if (!app.secrets.knows(record.fingerprint)) refuse('unavailable')
  if (!app.secrets.isHmac(record.fingerprint, 'fingerprint', content)) refuse('idempotency_mismatch')
  const { status, headers, body } = record
  return { answer: { status, headers: JSON.parse(headers), body: app.secrets.decrypt('answer', body) }, isReplay: true }
}

export function oldest(now: string): string {
  return isoTime(Date.parse(now) - keptHours * 3_600_000)
}

interface Fingerprinted extends Repeatable {
  readonly fingerprint: string
}

/** Thrown when another process was first with this key; its answer is stored by now. */
class Repeated extends Error {}

async function first(
  caller: PartnerCaller,
  request: Fingerprinted,
  work: (caller: PartnerCaller) => Promise<unknown>,
  answerOf: (result: unknown) => KeptAnswer,
): Promise<Outcome> {
  const repeat = recording(caller, request, answerOf)
  try {
    const result = await work({ ...caller, repeat })
    // Work that changed nothing opened no transaction; its answer is stored all the same.
    if (!repeat.hasKept) await caller.app.store.write((tx) => keepAlone(tx, repeat, result))
    return { answer: answerOf(result), isReplay: false }
  } catch (error) {
    // If another process has just committed the same request, the first sign may be a name that is already taken.
    const isTaken = error instanceof Repeated || saysTaken(error)
    const answered = isTaken ? await kept(caller, request) : undefined
    if (answered !== undefined) return answered
    throw error
  }
}

async function keepAlone(tx: Kysely<Tables>, repeat: Repeat, result: unknown): Promise<void> {
  await repeat.claim(tx)
  await repeat.keep(tx, result)
}

interface Recording extends Repeat {
  hasKept: boolean
}

function recording({ app, partnerId }: PartnerCaller, request: Fingerprinted, answerOf: (result: unknown) => KeptAnswer): Recording {
  const { key, operation, fingerprint } = request
  const own = { hasKept: false }
  return Object.assign(own, {
    /** The insert waits for the same request in another process and then finds its row: the database decides who was first. */
    async claim(tx: Kysely<Tables>) {
      const created_at = app.clock.now()
      const mine = tx.deleteFrom('idempotency_records').where('partner_id', '=', partnerId).where('key', '=', key)
      await mine.where('created_at', '<=', oldest(created_at)).execute()
      const empty = { status: 0, headers: '', body: Buffer.alloc(0), subject_id: null }
      const claimed = await tx
        .insertInto('idempotency_records')
        .values({ partner_id: partnerId, key, operation, fingerprint, ...empty, created_at })
        .onConflict((on) => on.columns(['partner_id', 'key']).doNothing())
        .returning('key')
        .executeTakeFirst()
      if (claimed === undefined) throw new Repeated()
    },
    async keep(tx: Kysely<Tables>, result: unknown) {
      const { status, headers, body: plain } = answerOf(result)
      // Encrypted, because answers contain login links and names of people.
      const body = app.secrets.encrypt('answer', plain)
      await tx
        .updateTable('idempotency_records')
        .set({ status, headers: JSON.stringify(headers), body, subject_id: idOf(result) })
        .where('partner_id', '=', partnerId)
        .where('key', '=', key)
        .execute()
      own.hasKept = true
    },
  })
}

function idOf(result: unknown): number | null {
  return typeof result === 'object' && result !== null && 'id' in result && typeof result.id === 'number' ? result.id : null
}
