/** Imports an export of whole accounts: the directory record by record, then the measurements. Run again, it finds the existing records. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { atMost } from '../../lib/work/batches.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { withoutWrites } from '../../store/without-writes.ts'
import type { OperatorCaller } from '../core/caller.ts'
import type { ImportLine } from '../imports/import-line.ts'
import type { IntakeAbout } from '../imports/record-intake.ts'
import type { Target } from '../imports/refs.ts'
import type { ImportSummary } from '../imports/summary.ts'
import { storeObservations } from '../intakes/store-observations.ts'
import { isTransferKind, type TransferKind, transferVersion } from './kinds.ts'
import { readRecord, unreferred } from './read-record.ts'
import { storeRecord } from './store-record.ts'
import type { StoreOutcome, Storing } from './storing.ts'
import { TransferIds } from './transfer-ids.ts'

export interface TransferSummary {
  /** The ids of the accounts here, in the order of the export. */
  readonly accounts: readonly number[]
  readonly kinds: Readonly<Record<string, { readonly created: number; readonly unchanged: number; readonly left_out: number }>>
  /** The first hundred records. */
  readonly left_out: readonly LeftOut[]
  /** The result for the measurements. */
  readonly measured: ImportSummary
}

export interface LeftOut {
  readonly kind: TransferKind
  readonly what: string
  readonly why: string
}

interface TransferOptions {
  /** Only shows what would be done, from a read snapshot. */
  readonly isDryRun?: boolean
  readonly about?: () => Partial<IntakeAbout>
  readonly progress?: (stage: 'check' | 'apply', done: number) => void
}

const recordsPerWrite = 200
const mostListed = 100

export async function importAccounts(
  caller: OperatorCaller,
  target: Target,
  batches: AsyncIterable<readonly ImportLine[]>,
  options: TransferOptions = {},
): Promise<TransferSummary> {
  const lines = eachLine(batches)
  const head = headOf((await lines.next()).value)
  if (target.accountId !== undefined && head.accounts !== 1) refuse('bad_request', 'The export holds several accounts: say --partner')
  const ids = await new TransferIds(target.partnerId, head.installation).load(caller.app.store.db)
  const verifier = await caller.app.passwords.hash(randomBytes(32).toString('base64url'), 'operator')
  const work = { caller, target, ids, verifier, partnerAccountId: head.partnerAccountId }
  const tally = new Tally()
  const accounts: number[] = []
  const store = (doing: Doing) => storeDirectory(doing, lines, tally, accounts)
  const first = await (options.isDryRun ? trying(work, store) : store({ ...work, write: (step) => caller.app.store.write(step) }))
  const measured = await storeObservations(caller, { partnerId: target.partnerId }, observationsOf(ids, first, lines), {
    ...options,
    sitesToCome: ids.sitesToCome,
    counts: 'daily',
  })
  return {
    accounts: [...new Set(accounts.flatMap((old) => ids.of('account', old) ?? []))].filter((id) => !ids.isStandIn(id)),
    kinds: tally.kinds(),
    left_out: tally.leftOut,
    measured,
  }
}

type Doing = Omit<Storing, 'tx'> & { write<T>(step: (tx: Kysely<Tables>) => Promise<T>): Promise<T> }

/** Runs the code that would store the records on a database that ignores writes. */
function trying<T>(work: Omit<Storing, 'tx'>, store: (doing: Doing) => Promise<T>): Promise<T> {
  return work.caller.app.store.snapshot((db) => {
    const reading = withoutWrites(db)
    return store({ ...work, write: (step) => step(reading) })
  })
}

async function* eachLine(batches: AsyncIterable<readonly ImportLine[]>): AsyncGenerator<ImportLine, undefined> {
  for await (const batch of batches) yield* batch
  return undefined
}

function headOf(line: ImportLine | undefined) {
  const { type, version, installation, accounts, partner_account_id } = (line?.record ?? {}) as Record<string, unknown>
  if (type !== 'export' || typeof installation !== 'string')
    refuse('bad_request', 'This is no export of whole accounts: `marquee export --all` writes one')
  if (version !== transferVersion)
    refuse('bad_request', `The export is of version ${String(version)}; this program reads version ${transferVersion}`)
  return { installation, accounts: Number(accounts), partnerAccountId: partner_account_id === null ? null : Number(partner_account_id) }
}

/** Stores lines up to the first one of the measurements, which is returned. */
async function storeDirectory(
  work: Doing,
  lines: AsyncIterator<ImportLine>,
  tally: Tally,
  accounts: number[],
): Promise<ImportLine | undefined> {
  let some: Told[] = []
  for (let next = await lines.next(); ; next = await lines.next()) {
    const told = next.done ? undefined : toldBy(next.value)
    if (told?.kind === 'account') accounts.push(told.record['id'] as number)
    if (told !== undefined) some.push(told)
    if (told === undefined || some.length >= recordsPerWrite) {
      await storeSome(work, some, tally)
      some = []
    }
    if (told === undefined) return next.done ? undefined : next.value
  }
}

interface Told {
  readonly kind: TransferKind
  readonly record: Readonly<Record<string, unknown>>
  readonly line: number
}

function toldBy({ record, fault, line }: ImportLine): Told | undefined {
  if (fault !== undefined) return undefined
  const kind = (record as { type?: unknown } | null)?.type
  return isTransferKind(kind) ? { kind, record: record as Told['record'], line } : undefined
}

async function storeSome(work: Doing, some: readonly Told[], tally: Tally): Promise<void> {
  const outcomes = await work.write(async (tx) => {
    const made: StoreOutcome[] = []
    for (const { kind, record, line } of atMost(some, recordsPerWrite)) {
      const row = readRecord(work.ids, kind, record, line)
      made.push(
        row === unreferred
          ? { what: nameOf(record), why: 'what it refers to was left out' }
          : await storeRecord[kind]({ ...work, tx }, row, record),
      )
    }
    return made
  })
  for (const [i, outcome] of outcomes.entries()) tally.add((some[i] as Told).kind, outcome)
}

function nameOf(record: Told['record']): string {
  return String(record['login'] ?? record['domain'] ?? record['name'] ?? record['text'] ?? record['scope_type'] ?? record['rhythm'] ?? '')
}

class Tally {
  readonly leftOut: LeftOut[] = []
  readonly #counts = new Map<TransferKind, { created: number; unchanged: number; left_out: number }>()

  /** Pictures are counted with their brands. */
  add(kind: TransferKind, outcome: StoreOutcome): void {
    if (kind === 'brand_picture') return
    const counts = this.#counts.get(kind) ?? { created: 0, unchanged: 0, left_out: 0 }
    this.#counts.set(kind, counts)
    counts[typeof outcome === 'string' ? outcome : 'left_out']++
    if (typeof outcome !== 'string' && this.leftOut.length < mostListed) this.leftOut.push({ kind, ...outcome })
  }

  kinds(): TransferSummary['kinds'] {
    return Object.fromEntries(this.#counts)
  }
}

/** The remaining lines, each with the id of its account here. */
async function* observationsOf(
  ids: TransferIds,
  first: ImportLine | undefined,
  rest: AsyncIterable<ImportLine>,
): AsyncGenerator<readonly ImportLine[]> {
  let batch: ImportLine[] = first === undefined ? [] : [ofAccount(ids, first)]
  for await (const line of rest) {
    batch.push(ofAccount(ids, line))
    if (batch.length < 250) continue
    yield batch
    batch = []
  }
  yield batch
}

function ofAccount(ids: TransferIds, { record, ...line }: ImportLine): ImportLine {
  if (line.fault !== undefined) return line
  const account = ids.of('account', (record as { account?: number } | null)?.account ?? 0)
  return account === undefined
    ? { ...line, fault: { field: 'account', code: 'unknown' } }
    : { ...line, record: { ...(record as object), account } }
}
