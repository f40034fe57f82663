/** The account's codes for engines and locales: given when first met, and ordered by name as reports print them. */

import type { Kysely } from 'kysely'
import { refuse } from '../lib/failures.ts'
import type { SourceOrder } from '../store/packed-months.ts'
import type { Tables } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { maxSources, type SourceRef } from './import-reach.ts'

export interface SourceCodes {
  /** By the place of a source in the reach. */
  readonly codes: Uint16Array
  readonly orders: ReadonlyMap<number, SourceOrder>
}

type Coded = SourceRef & { readonly code: number }

export async function codeSources(store: Store, sources: readonly SourceRef[]): Promise<SourceCodes> {
  const codes = new Uint16Array(sources.length)
  const orders = new Map<number, SourceOrder>()
  for (const [account, wanted] of Map.groupBy(sources.keys(), (index) => (sources[index] as SourceRef).account_id)) {
    const coded = await store.write((tx) =>
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
  await store.lock(tx, 'accounts', account_id)
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
  return `${engine}\n${locale}`
}

function orderOf(sources: readonly Coded[]): SourceOrder {
  const order = new Uint16Array(Math.max(0, ...sources.map(({ code }) => code)) + 1)
  const byName = sources.map(({ code, engine, locale }) => ({ code, engine: Buffer.from(engine), locale: Buffer.from(locale) }))
  byName.sort((a, b) => Buffer.compare(a.engine, b.engine) || Buffer.compare(a.locale, b.locale))
  for (const [place, { code }] of byName.entries()) order[code] = place
  return order
}
