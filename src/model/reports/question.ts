/** What is asked of a report, in one plain record that can go to another thread, and the days, accounts and sites it is about. */

import { notFound, refuse } from '../../lib/failures.ts'
import { dayNumber } from '../../lib/time/days.ts'
import { neverMeasured } from '../core/report-version.ts'
import { accountsOf, sitesOf } from '../core/tenancy.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

export interface ReportQuestion {
  readonly report: 'seo' | 'detail' | 'counts'
  readonly format: 'xml' | 'json' | 'csv'
  readonly names: 'encoded' | 'legacy'
  /** Which flat table, where the format is one. */
  readonly table: SeoTable | null
  /** In order and each once; null is all that the partner manages. */
  readonly accountIds: readonly number[] | null
  readonly siteIds: readonly number[] | null
  /** The accounts to which the key is limited; null: all that the partner manages. */
  readonly reach: readonly number[] | null
  readonly startDate: string | null
  readonly endDate: string | null
}

export type SeoTable = 'rankings' | 'backlinks' | 'metrics'

/** Both ends are included, in UTC; either may be open. */
export interface ReportDays {
  /** Text that sorts before and after every day where an end is open. */
  readonly first: string
  readonly last: string
  /** The same in seconds since 1970, from the first second to the last. */
  readonly from: number
  readonly to: number
}

/** The accounts a question is about, by id. */
export interface Scope {
  readonly accounts: readonly AccountInScope[]
  /** Whether the sites are only those that were asked for. */
  readonly siteIds: readonly number[] | null
}

export interface AccountInScope {
  readonly id: number
  /** Of what the directory tells of the account: its sites and their locations. */
  readonly report_version: number
  /** Of what was measured. */
  readonly measured_version: number
}

/** What the partner asks about, found among what it manages, in the snapshot from which the report is read. */
export async function scopeOf(reading: SnapshotReader, partnerId: number, question: ReportQuestion): Promise<Scope> {
  const accounts = await accountsIn(reading, partnerId, question)
  return question.siteIds === null ? { accounts, siteIds: null } : withSites(reading, partnerId, accounts, question)
}

/** Changes at least when the data of an account in scope does. */
export function versionOf(accounts: readonly AccountInScope[]): string {
  return accounts.map(({ id, report_version, measured_version }) => `${id}:${report_version}:${measured_version}`).join()
}

/** All accounts that were named. Of a list the missing ids are told, and a foreign one is as missing as one that never was. */
export function named<A extends { readonly id: number }>(
  accounts: readonly A[],
  { report, accountIds }: Pick<ReportQuestion, 'report' | 'accountIds'>,
): readonly A[] {
  if (accountIds === null || accounts.length === accountIds.length) return accounts
  return report === 'seo' ? missing('Account', accountIds, accounts) : notFound('account')
}

function missing(noun: string, wanted: readonly number[], found: readonly { readonly id: number }[]): never {
  const known = new Set(found.map(({ id }) => id))
  return refuse('not_found', `${noun} not found: ${wanted.filter((id) => !known.has(id)).join(', ')}`)
}

const secondsPerDay = 86_400
const lastSecond = 2 ** 32 - 1

export function daysOf({ startDate, endDate }: Pick<ReportQuestion, 'startDate' | 'endDate'>): ReportDays {
  return {
    first: startDate ?? '',
    last: endDate ?? '9999-12-31',
    from: startDate === null ? 0 : withinPackedSeconds(dayNumber(startDate) * secondsPerDay),
    to: endDate === null ? lastSecond : withinPackedSeconds((dayNumber(endDate) + 1) * secondsPerDay - 1),
  }
}

/** The versions of measurements come first after the accounts: where data lies on other machines, the first read fixes the snapshot there. */
async function accountsIn({ db, isOneOf }: SnapshotReader, partnerId: number, question: ReportQuestion) {
  const { accountIds, reach } = question
  const all = accountsOf(partnerId, db).select(['id', 'report_version']).orderBy('id')
  const managed = reach === null ? all : all.where(isOneOf('id', reach))
  const accounts = named(await (accountIds === null ? managed : managed.where(isOneOf('id', accountIds))).execute(), question)
  const ids = accounts.map(({ id }) => id)
  const measured = db.selectFrom('measured_versions').selectAll().where(isOneOf('account_id', ids))
  return withMeasured(accounts, ids.length === 0 ? [] : await measured.execute())
}

interface MeasuredVersion {
  readonly account_id: number
  readonly version: number
}

/** Accounts of which nothing was ever measured have no version of it. */
export function withMeasured(
  accounts: readonly Omit<AccountInScope, 'measured_version'>[],
  measured: readonly MeasuredVersion[],
): AccountInScope[] {
  const versions = new Map(measured.map(({ account_id, version }) => [account_id, version]))
  return accounts.map((account) => ({ ...account, measured_version: versions.get(account.id) ?? neverMeasured }))
}

async function withSites(
  { db, isOneOf }: SnapshotReader,
  partnerId: number,
  accounts: readonly AccountInScope[],
  { accountIds, siteIds, reach }: ReportQuestion,
): Promise<Scope> {
  const all = sitesOf(partnerId, db)
    .select(['id', 'account_id'])
    .where(isOneOf('id', siteIds ?? []))
  const managed = reach === null ? all : all.where(isOneOf('account_id', reach))
  const found = await (accountIds === null ? managed : managed.where(isOneOf('account_id', accountIds))).execute()
  if (siteIds !== null && found.length !== siteIds.length) missing('Site', siteIds, found)
  const holding = new Set(found.map(({ account_id }) => account_id))
  return { accounts: accounts.filter(({ id }) => holding.has(id)), siteIds }
}

/** Packed months know no other seconds; -1 is a range that ends before the first of them. */
function withinPackedSeconds(seconds: number): number {
  return Math.max(-1, Math.min(seconds, lastSecond))
}
