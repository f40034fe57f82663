/** Assigns the account's codes to engines and locales at their first use, ordered by name as reports print them. */

import type { Kysely } from 'kysely'
import { refuse } from '../../../lib/failures.ts'
import { trackedName } from '../../../resources/tracked.ts'
import type { SourceOrder } from '../../../store/packed-months.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import { trackedIn } from '../../../store/series.ts'
import type { Store } from '../../../store/store.ts'
import { lockMeasuredVersions } from '../../core/report-version.ts'
import { sourcePieces } from '../../core/source-pieces.ts'
import { parts } from '../batches.ts'
import { maxSources, type SourceRef } from '../sources.ts'
import type { Applying } from './applying.ts'

export interface SourceCodes {
  /** The codes by the index of a source. */
  readonly codes: Uint16Array
  readonly orders: ReadonlyMap<number, SourceOrder>
}

export async function codeSources(
  work: Pick<Applying, 'caller' | 'read' | 'write' | 'samples'>,
  sources: readonly SourceRef[],
): Promise<SourceCodes> {
  const codes = new Uint16Array(sources.length)
  const orders = new Map<number, SourceOrder>()
  for (const [account, wanted] of Map.groupBy(sources.keys(), (index) => (sources[index] as SourceRef).account_id)) {
    const coded = await codesOf(
      work,
      account,
      wanted.map((index) => sources[index] as SourceRef),
    )
    for (const index of wanted) codes[index] = codeOf(coded, sources[index] as SourceRef) as number
    orders.set(account, coded.order)
  }
  return { codes, orders }
}

interface AccountCodes {
  /** The codes by engine and locale. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly order: SourceOrder
  /** The highest assigned code. */
  readonly last: number
}

/** A code never changes, so that nothing is written or locked where all of them are known. */
async function codesOf(
  { caller, read, write, samples }: Parameters<typeof codeSources>[0],
  accountId: number,
  wanted: readonly SourceRef[],
): Promise<AccountCodes> {
  const known = await readCodes(read, accountId)
  if (wanted.every((source) => codeOf(known, source) !== undefined)) return known
  return write((tx) => addCodes(caller.app.store, tx, accountId, wanted, samples !== undefined))
}

async function addCodes(
  store: Store,
  tx: Kysely<Tables>,
  account_id: number,
  wanted: readonly SourceRef[],
  isDryRun: boolean,
): Promise<AccountCodes> {
  await lockMeasuredVersions(store, tx, [account_id])
  const known = await readCodes(tx, account_id)
  const unknown = distinct(wanted.filter((source) => codeOf(known, source) === undefined))
  const added = unknown.map((source, index) => ({ ...source, code: known.last + 1 + index }))
  if (known.last + added.length > maxSources)
    refuse(
      'conflict',
      `Account ${account_id} has no room for another search engine, locale, device, location or source: it can have ${maxSources} together.`,
    )
  refuseSameNames(account_id, known, unknown)
  for (const part of parts(added)) await tx.insertInto('sources').values(part).execute()
  if (isDryRun) return withAdded(known, added)
  return added.length === 0 ? known : readCodes(tx, account_id)
}

/** Two sites may call their plain series in different ways, so that one source stands twice. */
function distinct(sources: readonly SourceRef[]): SourceRef[] {
  return [...new Map(sources.map((source) => [JSON.stringify([source.engine, source.locale]), source])).values()]
}

/** Reports print a series with a device or location as an engine of its own, and no two engines may have one name there. */
function refuseSameNames(accountId: number, { byName }: AccountCodes, added: readonly SourceRef[]): void {
  const printed = new Map<string, string>()
  const ranked = [...byName].flatMap(([engine, locales]) => (locales.size > 1 || !locales.has('') ? [engine] : []))
  for (const engine of [...ranked, ...added.flatMap((source) => (source.locale === '' ? [] : [source.engine]))]) {
    const name = trackedName(trackedIn(engine))
    if ((printed.get(name) ?? engine) !== engine)
      refuse('conflict', `Reports would print two search engines of account ${accountId} as ${name}: give one of them another name.`)
    printed.set(name, engine)
  }
}

/** The codes as they would be in a dry run; the order of the new ones does not matter, because nothing is written. */
function withAdded({ byName, order, last }: AccountCodes, added: readonly (SourceRef & { readonly code: number })[]): AccountCodes {
  const names = new Map([...byName].map(([engine, locales]) => [engine, new Map(locales)]))
  const longer = new Uint16Array(last + added.length + 1)
  longer.set(order)
  for (const { engine, locale, code } of added) {
    names.set(engine, (names.get(engine) ?? new Map<string, number>()).set(locale, code))
    longer[code] = code
  }
  return { byName: names, order: longer, last: last + added.length }
}

async function readCodes(tx: Kysely<Tables>, accountId: number): Promise<AccountCodes> {
  const byName = new Map<string, Map<string, number>>()
  const codes: number[] = []
  for await (const rows of sourcePieces(tx, accountId)) {
    for (const { engine, locale, code } of rows) byName.set(engine, (byName.get(engine) ?? new Map<string, number>()).set(locale, code))
    for (const { code } of rows) codes.push(code)
  }
  const last = codes.reduce((most, code) => Math.max(most, code), 0)
  const order = new Uint16Array(last + 1)
  for (const [place, code] of codes.entries()) order[code] = place
  return { byName, order, last }
}

function codeOf({ byName }: AccountCodes, { engine, locale }: SourceRef): number | undefined {
  return byName.get(engine)?.get(locale)
}
