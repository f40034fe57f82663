/** A report request as a plain record that can be sent to another thread, and the days, accounts and sites it covers. */

import { notFound, refuse } from '../../lib/failures.ts'
import { memoByObject } from '../../lib/memo.ts'
import { dayNumber } from '../../lib/time/days.ts'
import { neverMeasured } from '../core/report-version.ts'
import { accountsOf, managedBy } from '../core/tenancy.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

/** Which rankings are printed, of those that were measured on several devices or from several locations. */
export interface RankingChoice {
  /** One series for each keyword, engine and locale, or every series by itself. */
  readonly series: 'one' | 'all'
  /** Only rankings of this device and location; empty means those without, and null all. */
  readonly device: string | null
  readonly location: string | null
}

export const oneSeries: RankingChoice = { series: 'one', device: null, location: null }

export interface ReportQuestion extends RankingChoice {
  readonly report: 'seo' | 'detail' | 'counts'
  readonly format: 'xml' | 'json' | 'csv'
  readonly names: 'encoded' | 'legacy'
  /** Which flat table, if the format is CSV. */
  readonly table: SeoTable | null
  /** Sorted and without duplicates; null means all that the partner manages. */
  readonly accountIds: readonly number[] | null
  readonly siteIds: readonly number[] | null
  /** The accounts to which the key is limited; null means all that the partner manages. */
  readonly reach: readonly number[] | null
  readonly startDate: string | null
  readonly endDate: string | null
}

/** Everything that the partner manages, of all days, as XML. */
export const wholeSeoReport: ReportQuestion = {
  report: 'seo',
  format: 'xml',
  names: 'encoded',
  table: null,
  accountIds: null,
  siteIds: null,
  reach: null,
  startDate: null,
  endDate: null,
  ...oneSeries,
}

export type SeoTable = 'rankings' | 'backlinks' | 'metrics'

/** Both ends are included, in UTC; either may be open. */
export interface ReportDays {
  /** Text; for an open end, one that sorts before or after every day. */
  readonly first: string
  readonly last: string
  /** The same as Unix times, from the first second to the last. */
  readonly from: number
  readonly to: number
}

/** The accounts that a report covers, by id. */
export interface Scope {
  readonly accounts: readonly AccountInScope[]
  /** The requested sites, or null for all. */
  readonly siteIds: readonly number[] | null
}

export interface AccountInScope {
  readonly id: number
  /** The version of the directory data: the account's sites and their locations. */
  readonly report_version: number
  /** The version of the measurements. */
  readonly measured_version: number
}

/** Finds the requested accounts among those the partner manages, in the snapshot from which the report is read. */
export async function scopeOf(reading: SnapshotReader, partnerId: number, question: ReportQuestion): Promise<Scope> {
  const accounts = await accountsIn(reading, partnerId, question)
  return question.siteIds === null ? { accounts, siteIds: null } : withSites(reading, partnerId, accounts, question)
}

/** Changes whenever the data of an account in scope changes. */
export const versionOf = memoByObject((accounts: readonly AccountInScope[]) =>
  accounts.map(({ id, report_version, measured_version }) => `${id}:${report_version}:${measured_version}`).join(),
)

/** Returns all named accounts. If ids of a list are missing, the refusal names them; a foreign id is treated like an unknown one. */
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

/** The versions of measurements are read right after the accounts: if that data is on another machine, the first read fixes the snapshot there. */
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

/** Accounts without any measurement get the version 0. */
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
  const all = managedBy(partnerId, 'sites', db)
    .select(['id', 'account_id'])
    .where(isOneOf('id', siteIds ?? []))
  const managed = reach === null ? all : all.where(isOneOf('account_id', reach))
  const found = await (accountIds === null ? managed : managed.where(isOneOf('account_id', accountIds))).execute()
  if (siteIds !== null && found.length !== siteIds.length) missing('Site', siteIds, found)
  const holding = new Set(found.map(({ account_id }) => account_id))
  return { accounts: accounts.filter(({ id }) => holding.has(id)), siteIds }
}

/** Limits the time to what packed months can hold; -1 is a range that ends before the first second. */
function withinPackedSeconds(seconds: number): number {
  return Math.max(-1, Math.min(seconds, lastSecond))
}
