/** What is asked of a report, in one plain record that can go to another thread, and the accounts and sites it is about. */

import { notFound } from '../../lib/failures.ts'
import { neverMeasured } from '../core/report-version.ts'
import { isOneOrMore, type SnapshotReader } from './prefetch.ts'

/** To be raised whenever the bytes of a report change although its data does not: answers that clients hold are told apart by it. */
export const writersVersion = 2

export interface ReportQuestion {
  readonly report: 'seo' | 'detail' | 'counts'
  readonly format: 'xml' | 'json' | 'csv'
  readonly names: 'encoded' | 'legacy'
  /** Which flat table, where the format is one. */
  readonly table: SeoTable | null
  readonly partnerId: number
  /** In order and each once; null is all that the partner manages. */
  readonly accountIds: readonly number[] | null
  readonly siteIds: readonly number[] | null
  readonly startDate: string | null
  readonly endDate: string | null
  /** Figures are the latest known by this day: the end date or today, which so belongs to the question. */
  readonly figuresBy: string
}

export type SeoTable = 'rankings' | 'backlinks' | 'metrics'

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

/** Asked before the report for its version, and once more in the moment from which the report is read. */
export async function scopeOf(reading: SnapshotReader, question: ReportQuestion): Promise<Scope> {
  const accounts = await accountsIn(reading, question)
  return question.siteIds === null ? { accounts, siteIds: null } : withSites(reading, accounts, question.siteIds)
}

/** Changes at least when the data of an account in scope does. */
export function versionOf(accounts: readonly AccountInScope[]): string {
  return accounts.map(({ id, report_version, measured_version }) => `${id}:${report_version}:${measured_version}`).join()
}

/** All that were named, or none is told from those that are missing. */
export function named<A>(accounts: readonly A[], { accountIds }: ReportQuestion): readonly A[] {
  return accountIds === null || accounts.length === accountIds.length ? accounts : notFound('account')
}

/** The versions of measurements come first after the accounts: where data lies on other machines, the first read fixes the moment there. */
async function accountsIn(reading: SnapshotReader, question: ReportQuestion): Promise<readonly AccountInScope[]> {
  const { db, isOneOf } = reading
  const { partnerId, accountIds } = question
  const managed = db.selectFrom('accounts').select(['id', 'report_version']).where('partner_id', '=', partnerId).orderBy('id')
  const accounts = named(await (accountIds === null ? managed : managed.where(isOneOf('id', accountIds))).execute(), question)
  const ids = new Set(accounts.map(({ id }) => id))
  const measured = db
    .selectFrom('measured_versions')
    .selectAll()
    .where(isOneOrMore(reading, 'account_id', ids))
  return withMeasured(accounts, ids.size === 0 ? [] : await measured.execute())
}

/** Accounts of which nothing was ever measured have no version of it. */
export function withMeasured(
  accounts: readonly Omit<AccountInScope, 'measured_version'>[],
  measured: readonly { readonly account_id: number; readonly version: number }[],
): readonly AccountInScope[] {
  const versions = new Map(measured.map(({ account_id, version }) => [account_id, version]))
  return accounts.map((account) => ({ ...account, measured_version: versions.get(account.id) ?? neverMeasured }))
}

async function withSites({ db, isOneOf }: SnapshotReader, accounts: readonly AccountInScope[], siteIds: readonly number[]): Promise<Scope> {
  const sites = await db.selectFrom('sites').select('account_id').where(isOneOf('id', siteIds)).execute()
  const inScope = new Set(accounts.map(({ id }) => id))
  if (sites.length !== siteIds.length || sites.some(({ account_id }) => !inScope.has(account_id))) notFound('site')
  const holding = new Set(sites.map(({ account_id }) => account_id))
  return { accounts: accounts.filter(({ id }) => holding.has(id)), siteIds }
}
