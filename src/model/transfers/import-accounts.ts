/** Imports an export of whole accounts: the directory record by record, then the measurements. Run again, it finds the existing records. */

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { atMost } from '../../lib/work/batches.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { withoutWrites } from '../../store/without-writes.ts'
import type { Managing } from '../core/tenancy.ts'
import { type ImportOptions, importObservations } from '../imports/import.ts'
import type { ImportLine } from '../imports/import-line.ts'
import type { IntakeAbout } from '../imports/journal/record-intake.ts'
import type { Target } from '../imports/refs.ts'
import type { ImportSummary } from '../imports/summary.ts'
import { storeObservations } from '../intakes/store-observations.ts'
import { TakenAnswers } from '../people/name-probing-limit.ts'
import { ExportStream, type Told } from './export-stream.ts'
import { type ExportedIds, refuseTakenIds, takeIds } from './kept-ids.ts'
import type { TransferKind } from './kinds.ts'
import { readRecord, unreferred } from './read-record.ts'
import { refuseUsedHome } from './replaced-home.ts'
import { storeRecord } from './store-record.ts'
import type { StoreOutcome, Storing } from './storing.ts'
import { TransferIds } from './transfer-ids.ts'
import { wrongField } from './untrusted-records.ts'

export interface TransferSummary {
  /** In the order of the export; `id` is that of the account here, null in a dry run that would create it. */
  readonly accounts: readonly { readonly old: number; readonly id: number | null; readonly name: string }[]
  /** An account that was here before the export, which keeps its name, its time zone and its times. */
  readonly kept: { readonly id: number; readonly name: string } | null
  readonly kinds: Readonly<Record<string, { readonly created: number; readonly unchanged: number; readonly left_out: number }>>
  /** The first hundred records. */
  readonly left_out: readonly LeftOut[]
  /** The old and the new id of each record, one `kind,old,new` a line. */
  readonly ids: () => Iterable<string>
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
  /** The ids of the export, which its records keep. */
  readonly keeping?: ExportedIds
  readonly about?: () => Partial<IntakeAbout>
  /** The intake of an upload, as which the measurements are stored. */
  readonly intake?: NonNullable<ImportOptions['intake']>
  readonly betweenWrites?: () => Promise<void>
  readonly progress?: (stage: 'check' | 'apply', done: number) => void
}

const recordsPerWrite = 200
/** Others wait for the write lock meanwhile. */
const uploadedPerWrite = 20
const mostListed = 100

export async function importAccounts(
  caller: Managing,
  target: Target,
  batches: AsyncIterable<readonly ImportLine[]>,
  options: TransferOptions = {},
): Promise<TransferSummary> {
  const lines = await ExportStream.open(batches, target)
  const ids = await new TransferIds(target.partnerId, lines.installation).load(caller.app.store.db)
  const { partnerAccountId } = lines
  const home = await homeOf(caller, target)
  if (options.keeping !== undefined) await keepIds(caller, target, ids, options.keeping, { home, partnerAccountId }, options.isDryRun)
  const verifier = await caller.app.passwords.hash(randomBytes(32).toString('base64url'), partyOf(caller))
  const work = { caller, target, ids, verifier, taken: new TakenAnswers(caller), keepsIds: options.keeping !== undefined }
  const tally = new Tally()
  const write: Doing['write'] = async (step) => {
    // Whoever cancels the import is heard between two transactions.
    options.progress?.('check', 0)
    const result = await caller.app.store.write(step).finally(() => work.taken.spend())
    await options.betweenWrites?.()
    return result
  }
  const store = (first?: ImportLine) =>
    options.isDryRun
      ? trying(work, (doing) => storeDirectory(doing, lines, tally, first)).finally(() => work.taken.spend())
      : storeDirectory({ ...work, write }, lines, tally, first)
  const storeMeasured = options.intake === undefined ? storeObservations : importObservations
  const measured = await storeMeasured(caller, { partnerId: target.partnerId }, observationsOf(ids, lines, store), {
    ...options,
    sitesToCome: ids.sitesToCome,
    counts: 'daily',
  })
  const accounts = [...tally.accounts].map(([old, name]) => ({ old, id: hereOf(ids, old), name }))
  const kept = options.keeping === undefined ? accounts.find(({ id }) => id !== null && id === home?.id) : undefined
  return {
    accounts,
    kept: kept === undefined || home === undefined ? null : home,
    kinds: tally.kinds(),
    left_out: tally.leftOut,
    ids: () => ids.pairs(),
    measured,
  }
}

function hereOf(ids: TransferIds, old: number): number | null {
  const id = ids.of('account', old)
  return id === undefined || ids.isStandIn(id) ? null : id
}

type Home = { readonly id: number; readonly name: string } | undefined

/** The account that is here already: the one named, or that of the partner. */
function homeOf({ app }: Managing, { partnerId, accountId }: Target): Promise<Home> {
  const accounts = app.store.db.selectFrom('accounts').select(['id', 'name'])
  if (accountId !== undefined) return accounts.where('id', '=', accountId).executeTakeFirst()
  const partner = app.store.db.selectFrom('partners').select('account_id').where('id', '=', partnerId)
  return accounts.where('id', '=', partner).executeTakeFirst()
}

async function keepIds(
  caller: Managing,
  { partnerId, accountId }: Target,
  known: TransferIds,
  exported: ExportedIds,
  { home, partnerAccountId }: { readonly home: Home; readonly partnerAccountId: number | null },
  isDryRun = false,
): Promise<void> {
  if (accountId !== undefined) refuse('bad_request', 'Ids are kept for a partner: say --partner')
  const isHomeToCome = partnerAccountId !== null && known.of('account', partnerAccountId) === undefined
  if (isHomeToCome && home !== undefined) await refuseUsedHome(caller.app.store.db, partnerId, home.id)
  const arriving = { known, exported, home: home?.id === partnerAccountId ? home?.id : undefined }
  await (isDryRun ? refuseTakenIds(caller, arriving) : takeIds(caller, arriving))
}

type Work = Omit<Storing, 'tx' | 'partnerAccountId'>
type Doing = Work & { write<T>(step: (tx: Kysely<Tables>) => Promise<T>): Promise<T> }

/** Runs the code that would store the records on a database that ignores writes. */
function trying<T>(work: Work, store: (doing: Doing) => Promise<T>): Promise<T> {
  return work.caller.app.store.snapshot((db) => {
    const reading = withoutWrites(db)
    return store({ ...work, write: (step) => step(reading) })
  })
}

/** Stores lines up to the next one of the measurements, which is returned. */
async function storeDirectory(work: Doing, lines: ExportStream, tally: Tally, first?: ImportLine): Promise<ImportLine | undefined> {
  const most = work.caller.kind === 'partner' ? uploadedPerWrite : recordsPerWrite
  let some: Told[] = []
  for (let line = first ?? (await lines.next()); ; line = await lines.next()) {
    const told = line && lines.toldBy(line)
    if (told !== undefined && !isOfOperator(work, told.kind)) some.push(told)
    if (told === undefined || some.length >= most) {
      if (some.length > 0) await storeSome(work, some, tally)
      some = []
    }
    if (told === undefined) return line
  }
}

/** The look and the host name of a partner are set by the operator, or by requests of their own. */
function isOfOperator({ caller }: Work, kind: TransferKind): boolean {
  return caller.kind === 'partner' && (kind === 'brand' || kind === 'account_brand' || kind === 'brand_picture')
}

async function storeSome(work: Doing, some: readonly Told[], tally: Tally): Promise<void> {
  if (some.some(({ kind }) => kind === 'user')) await work.taken.open()
  const outcomes = await work.write(async (tx) => {
    const made: StoreOutcome[] = []
    for (const { kind, record, line, partnerAccountId } of atMost(some, recordsPerWrite)) {
      const row = readRecord(work.ids, kind, record, line)
      const wrong = work.caller.kind === 'operator' || row === unreferred ? undefined : wrongField(kind, row, record)
      if (row === unreferred) made.push({ what: nameOf(record), why: 'what it refers to was left out' })
      else if (wrong !== undefined) made.push({ what: nameOf(record), why: `its ${wrong} breaks a rule` })
      else made.push(await storeRecord[kind]({ ...work, tx, partnerAccountId }, row, record))
    }
    return made
  })
  for (const [i, outcome] of outcomes.entries()) tally.add(some[i] as Told, outcome)
}

function partyOf(caller: Managing): string {
  return caller.kind === 'partner' ? `partner:${caller.partnerId}` : 'operator'
}

function nameOf(record: Told['record']): string {
  return String(record['login'] ?? record['domain'] ?? record['name'] ?? record['text'] ?? record['scope_type'] ?? record['rhythm'] ?? '')
}

class Tally {
  /** Their names by their old ids. */
  readonly accounts = new Map<number, string>()
  readonly leftOut: LeftOut[] = []
  readonly #counts = new Map<TransferKind, { created: number; unchanged: number; left_out: number }>()

  /** Pictures are counted with their brands. */
  add({ kind, record }: Told, outcome: StoreOutcome): void {
    if (kind === 'brand_picture') return
    if (kind === 'account') this.accounts.set(record['id'] as number, record['name'] as string)
    const counts = this.#counts.get(kind) ?? { created: 0, unchanged: 0, left_out: 0 }
    this.#counts.set(kind, counts)
    counts[typeof outcome === 'string' ? outcome : 'left_out']++
    if (typeof outcome !== 'string' && this.leftOut.length < mostListed) this.leftOut.push({ kind, ...outcome })
  }

  kinds(): TransferSummary['kinds'] {
    return Object.fromEntries(this.#counts)
  }
}

/** The measurements, each with the id of its account here; what makes an account is stored on the way. */
async function* observationsOf(
  ids: TransferIds,
  lines: ExportStream,
  store: (first?: ImportLine) => Promise<ImportLine | undefined>,
): AsyncGenerator<readonly ImportLine[]> {
  let batch: ImportLine[] = []
  for (let line = await store(); line !== undefined; line = await lines.next()) {
    const isDirectory = lines.toldBy(line) !== undefined
    if (isDirectory || batch.length >= 250) {
      yield batch
      batch = []
    }
    const measured = isDirectory ? await store(line) : line
    if (measured !== undefined) batch.push(ofAccount(ids, measured))
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
