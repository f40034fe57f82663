/** Worlds of any size for the benchmarks: sites with competitors, keywords, backlinks, and rankings packed as an import packs them. */
import type { Kysely } from 'kysely'
import { draftOf } from '../src/fields/read.ts'
import { dayNumber, dayText } from '../src/lib/time/days.ts'
import type { OperatorCaller } from '../src/model/core/caller.ts'
import { renewMeasuredVersions } from '../src/model/core/report-version.ts'
import { createAccount } from '../src/model/partners/accounts.ts'
import { createBusiness } from '../src/model/partners/businesses.ts'
import { createSite } from '../src/model/partners/sites.ts'
import { updateAbilities } from '../src/model/people/abilities.ts'
import { createUser } from '../src/model/people/users.ts'
import { newBusiness } from '../src/resources/business.ts'
import { newUser } from '../src/resources/user.ts'
import { merge } from '../src/store/packed-changes.ts'
import { byMonth, rankingLayout } from '../src/store/packed-months.ts'
import type { Tables } from '../src/store/rows/tables.ts'

export interface WorldSize {
  readonly sites: number
  readonly competitors: number
  readonly keywords: number
  readonly days: number
  readonly backlinks: number
}

/** 10 sites, 36,000 rankings, 2,500 backlinks: about 13 MB of XML. */
export const usualSize: WorldSize = { sites: 10, competitors: 3, keywords: 20, days: 15, backlinks: 2_500 }

const sources = [
  ['Bing', 'en-us'],
  ['Google', 'en-us'],
  ['Yahoo', 'en-us'],
] as const
const firstDay = dayNumber('2026-10-01')
const rowsPerInsert = 500

/** An account with that much measured in it; its id. */
export async function addAccount(operator: OperatorCaller, partnerId: number, name: string, size: WorldSize): Promise<number> {
  const { id } = await createAccount(operator, partnerId, name)
  const business = await createBusiness(operator, draftOf(newBusiness, { name: `Business of ${name}`, account_id: id }))
  const siteIds: number[] = []
  for (let site = 0; site < size.sites; site++) siteIds.push((await createSite(operator, business.id, `site-${site}.${name}.example`)).id)
  await operator.app.store.write((tx) => fill(tx, id, siteIds, size), 'unlimited')
  return id
}

async function fill(tx: Kysely<Tables>, account_id: number, siteIds: readonly number[], size: WorldSize): Promise<void> {
  await renewMeasuredVersions(tx, [account_id])
  const codes = sources.map(([engine, locale], index) => ({ account_id, code: index + 1, engine, locale }))
  await tx.insertInto('sources').values(codes).execute()
  const subjects = siteIds.flatMap((site_id) =>
    Array.from({ length: size.competitors + 1 }, (_, index) => ({
      account_id,
      site_id,
      domain: index === 0 ? '' : `rival-${index}.example`,
      created_at: moment,
    })),
  )
  const subjectIds = await insert(subjects, (rows) => tx.insertInto('subjects').values(rows).returning('id').execute())
  await insert(
    subjectIds.map((id) => snapshotOf(account_id, id)),
    (rows) => tx.insertInto('snapshots').values(rows).execute(),
  )
  const keywords = subjectIds.flatMap((subject_id) =>
    Array.from({ length: size.keywords }, (_, index) => ({ account_id, subject_id, phrase: phraseOf(index) })),
  )
  const keywordIds = await insert(keywords, (rows) => tx.insertInto('keywords').values(rows).returning('id').execute())
  const months = keywordIds.flatMap((keyword_id) => monthsOf(account_id, keyword_id, size.days))
  await insert(months, (rows) => tx.insertInto('ranking_months').values(rows).execute())
  const backlinks = Array.from({ length: size.backlinks }, (_, index) =>
    backlinkOf(account_id, subjectIds[index % subjectIds.length] as number, index),
  )
  await insert(backlinks, (rows) => tx.insertInto('backlinks').values(rows).execute())
}

/** The ids that were given, where the statement returns them. */
async function insert<T>(rows: readonly T[], run: (rows: T[]) => Promise<object[]>): Promise<number[]> {
  const ids: number[] = []
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const inserted = await run(rows.slice(start, start + rowsPerInsert))
    ids.push(...inserted.flatMap((row) => ('id' in row ? Number(row.id) : [])))
  }
  return ids
}

const moment = '2026-10-01T00:00:00Z'

export function phraseOf(index: number): string {
  return `keyword phrase ${index}`
}

function snapshotOf(account_id: number, subject_id: number) {
  const figures = {
    download_time: 0.35,
    pages_indexed_in_google: 1280,
    pages_indexed_in_bing: 940,
    pages_indexed_in_yahoo: 12,
    domain_authority: 41,
  }
  return {
    account_id,
    subject_id,
    day: '2026-10-01',
    ...figures,
    authority_known: 1 as const,
    backlink_count: 312,
    domain_count: 57,
    domain_age: 4120,
  }
}

/** One ranking a day and source, at a second of the night that differs from keyword to keyword. */
export function monthsOf(account_id: number, keyword_id: number, days: number) {
  const words = new Uint32Array(days * sources.length * rankingLayout.words)
  let length = 0
  for (let day = 0; day < days; day++) {
    for (let code = 1; code <= sources.length; code++) {
      words[length++] = (firstDay + day) * 86_400 + 14_400 + (keyword_id % 3_600)
      words[length++] = (code << 16) | ((keyword_id * 7 + day * code) % 100)
    }
  }
  const order = Uint16Array.from([0, 0, 1, 2])
  return byMonth(words, rankingLayout).flatMap((month) =>
    merge([], month.words, rankingLayout, order).chunks.map((chunk) => ({ account_id, keyword_id, ...chunk })),
  )
}

function backlinkOf(account_id: number, subject_id: number, index: number) {
  return {
    account_id,
    subject_id,
    found_on: dayText(firstDay + (index % 28)),
    domain: `blog-${index % 97}.example`,
    link_strength: index % 10,
    source_url: `https://blog-${index % 97}.example/posts/${index}?utm_source=feed&page=${index % 7}`,
    domain_authority: index % 100,
    anchor_text: index % 5 === 0 ? `plumbers & roofers <${index}>` : `the best plumbers in town, number ${index}`,
    key_hash: `h${index}`,
  }
}

/** A user who may see twenty businesses. */
export async function addUserWithAbilities(operator: OperatorCaller, account_id: number, login = 'dana-bench'): Promise<number> {
  const user = await createUser(operator, draftOf(newUser, { email: `${login}@example.com`, login, password: 'correct horse', account_id }))
  const businesses = []
  for (let index = 0; index < 20; index++)
    businesses.push(await createBusiness(operator, draftOf(newBusiness, { name: `Business ${index}`, account_id })))
  const entries = businesses.map(({ id }) => ({ key: 'show', scope_type: 'Business', scope_id: id }) as const)
  await updateAbilities(operator, user.id, { entries, faults: [] }, 'replace')
  return user.id
}
