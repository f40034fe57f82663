/** The account's codes for engines and locales: given when first met, and ordered by name as reports print them. */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import type { SourceOrder } from '../../store/packed-months.ts'
import type { Tables } from '../../store/rows/tables.ts'
import type { Store } from '../../store/store.ts'
import { lockMeasuredVersions } from '../core/report-version.ts'
import type { Applying } from './apply.ts'

export interface SourceRef {
  readonly account_id: number
  readonly engine: string
  readonly locale: string
}

/** Codes are 16 bits in packed months. */
export const maxSources = 65_535

/** The sources an import has met, each known by its place in the list. */
export class Sources {
  readonly all: SourceRef[] = []
  readonly #places = new Map<number, Map<string, Map<string, number>>>()
  readonly #counts = new Map<number, number>()

  /** Undefined when the account has no code left for another one. */
  place(account_id: number, engine: string, locale: string): number | undefined {
    return this.#places.get(account_id)?.get(engine)?.get(locale) ?? this.#add(account_id, engine, locale)
  }

  #add(account_id: number, engine: string, locale: string): number | undefined {
    const count = this.#counts.get(account_id) ?? 0
    if (count >= maxSources) return undefined
    const ofAccount = this.#places.get(account_id) ?? new Map<string, Map<string, number>>()
    const ofEngine = ofAccount.get(engine) ?? new Map<string, number>()
    this.#places.set(account_id, ofAccount.set(engine, ofEngine.set(locale, this.all.length)))
    this.#counts.set(account_id, count + 1)
    return this.all.push({ account_id, engine, locale }) - 1
  }
}

export interface SourceCodes {
  /** By the place of a source in the reach. */
  readonly codes: Uint16Array
  readonly orders: ReadonlyMap<number, SourceOrder>
}

type Coded = SourceRef & { readonly code: number }

export async function codeSources({ caller, write }: Applying, sources: readonly SourceRef[]): Promise<SourceCodes> {
  const { store } = caller.app
  const codes = new Uint16Array(sources.length)
  const orders = new Map<number, SourceOrder>()
  for (const [account, wanted] of Map.groupBy(sources.keys(), (index) => (sources[index] as SourceRef).account_id)) {
    const coded = await write((tx) =>
      codesOf(
        store,
        tx,
        account,
        wanted.map((index) => sources[index] as SourceRef),
      ),
    )
    const byName = new Map(coded.map((source) => [nameOf(source), source.code]))
    for (const index of wanted) codes[index] = byName.get(nameOf(sources[index] as SourceRef)) as number
    orders.set(account, orderOf(coded))
  }
  return { codes, orders }
}

async function codesOf(store: Store, tx: Kysely<Tables>, account_id: number, wanted: readonly SourceRef[]): Promise<Coded[]> {
  await lockMeasuredVersions(store, tx, [account_id])
  const known = await tx.selectFrom('sources').selectAll().where('account_id', '=', account_id).execute()
  const names = new Set(known.map(nameOf))
  const last = Math.max(0, ...known.map(({ code }) => code))
  const added = wanted.filter((source) => !names.has(nameOf(source))).map((source, index) => ({ ...source, code: last + 1 + index }))
  if (last + added.length > maxSources) refuse('conflict', `Account ${account_id} has no room for another search engine, locale or source.`)
  for (let at = 0; at < added.length; at += 1000)
    await tx
      .insertInto('sources')
      .values(added.slice(at, at + 1000))
      .execute()
  return [...known, ...added]
}

function nameOf({ engine, locale }: Omit<SourceRef, 'account_id'>): string {
  return JSON.stringify([engine, locale])
}

function orderOf(sources: readonly Coded[]): SourceOrder {
  const order = new Uint16Array(Math.max(0, ...sources.map(({ code }) => code)) + 1)
  const byName = sources.map(({ code, engine, locale }) => ({ code, engine: Buffer.from(engine), locale: Buffer.from(locale) }))
  byName.sort((a, b) => Buffer.compare(a.engine, b.engine) || Buffer.compare(a.locale, b.locale))
  for (const [place, { code }] of byName.entries()) order[code] = place
  return order
}
