/** One method for each operation of the API. Written by `npm run generate` from the table of endpoints; do not edit. */

import type { CallOptions, Connection, ReportOptions, ReportStream, WriteOptions } from './connection.ts'
import type { RecordList } from './list.ts'
import type {
  Ability,
  Account,
  Business,
  ListUsersQuery,
  NewAbility,
  NewBusiness,
  NewUser,
  Observation,
  Observations,
  PushMeasuredRecordsQuery,
  ReputationReportCounts,
  ReputationReportCountsQuery,
  ReputationReportDetail,
  ReputationReportDetailQuery,
  SeoReport,
  SeoReportQuery,
  Site,
  UpdateUserAbilitiesQuery,
  User,
} from './types.ts'

export class Operations {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Create a user. Attaches a new user, who can log in, to an account. The answer is the user in state `passive`; the password is never returned, and `crypted_password` cannot be cracked without the server secret. Emails and logins share one space of names across the service, whatever their case; a login that contains `@` must be the same user’s email. */
  createUser(user: NewUser, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'POST', path: 'users', body: { user }, isRepeatable: true }, 'user', options)
  }

  /** List users. All users in reach, by id. With `login` or `email` it is the same list narrowed to the one who bears that name, or empty. */
  listUsers(query?: ListUsersQuery, options?: CallOptions): RecordList<User> {
    return this.#connection.list({ method: 'GET', path: 'users', query }, 'users', options)
  }

  /** Show a user. A deleted user is not found. */
  showUser(userId: number, options?: CallOptions): Promise<User> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}` }, 'user', options)
  }

  /** View a user's abilities. All abilities defined for the user, ordered by scope type and id. What the owner of an account may do without any ability is not listed. */
  viewUserAbilities(userId: number, options?: CallOptions): Promise<Ability[]> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/abilities` }, 'abilities', options)
  }

  /** Update a user's abilities. Replaces the user’s abilities by the submitted list, or adds to them with `merge`, or takes from them with `remove`. The answer is the full set that results. It is all or nothing: one entry at fault, and nothing changes. At most 1,000 entries at once, 10,000 held. */
  updateUserAbilities(userId: number, abilities: readonly NewAbility[], query?: UpdateUserAbilitiesQuery, options?: WriteOptions): Promise<Ability[]> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/abilities`, query, body: { abilities }, isRepeatable: true }, 'abilities', options)
  }

  /** Create a business. Creates an active business. Without `account_id` it belongs to the partner account that the key identifies. `POST /businesses` is the same endpoint. */
  createBusiness(business: NewBusiness, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: 'businesses', body: { business }, isRepeatable: true }, 'business', options)
  }

  /** List businesses. All businesses in reach, by id, the deactivated ones too. */
  listBusinesses(options?: CallOptions): RecordList<Business> {
    return this.#connection.list({ method: 'GET', path: 'businesses' }, 'businesses', options)
  }

  /** Show a business. The business, whatever its state. */
  showBusiness(businessId: number, options?: CallOptions): Promise<Business> {
    return this.#connection.record({ method: 'GET', path: `businesses/${businessId}` }, 'business', options)
  }

  /** Deactivate a business. A repetition changes nothing and records nothing. The data of the business stays in the reports. */
  deactivateBusiness(businessId: number, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: `businesses/${businessId}/deactivate`, isRepeatable: true }, 'business', options)
  }

  /** Reactivate a business. A repetition changes nothing and records nothing. */
  reactivateBusiness(businessId: number, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: `businesses/${businessId}/reactivate`, isRepeatable: true }, 'business', options)
  }

  /** List managed accounts. The accounts that the partner manages, by id; the partner account is one of them. */
  listManagedAccounts(options?: CallOptions): RecordList<Account> {
    return this.#connection.list({ method: 'GET', path: 'accounts' }, 'accounts', options)
  }

  /** List sites. The sites of all managed accounts, by id. */
  listSites(options?: CallOptions): RecordList<Site> {
    return this.#connection.list({ method: 'GET', path: 'sites' }, 'sites', options)
  }

  /** SEO report. Accounts, sites and competitors by id, keywords by phrase, backlinks by the day they were found, rankings by time. Dates are inclusive days in UTC: rankings are filtered by `ranked_at`, backlinks by `found_on`; each single figure is the latest known on `end_date`. Where nothing was measured a figure is 0, and `domain_authority` is null. `If-None-Match` with the `ETag` of an earlier answer costs almost nothing. The key alone suffices, unless the partner has switched that off. */
  seoReport(query?: SeoReportQuery, options?: CallOptions): Promise<SeoReport> {
    return this.#connection.record({ method: 'GET', path: 'seo_report', query }, null, options)
  }

  /** SEO report as it comes, in JSON, XML or CSV. */
  streamSeoReport(query?: SeoReportQuery, options?: ReportOptions): Promise<ReportStream> {
    return this.#connection.stream({ method: 'GET', path: 'seo_report', query }, options)
  }

  /** Reputation report, detail. The reviews of the account’s sites, page by page. Dates filter the reviews; what is emptied by them stays. Sites without a location are left out. The key alone suffices, unless the partner has switched that off. */
  reputationReportDetail(accountId: number, query?: ReputationReportDetailQuery, options?: CallOptions): Promise<ReputationReportDetail> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/reputation_report/detail`, query }, 'account', options)
  }

  /** Reputation report, detail as it comes, in JSON, XML or CSV. */
  streamReputationReportDetail(accountId: number, query?: ReputationReportDetailQuery, options?: ReportOptions): Promise<ReportStream> {
    return this.#connection.stream({ method: 'GET', path: `accounts/${accountId}/reputation_report/detail`, query }, options)
  }

  /** Reputation report, counts. The number of reviews and the sum of their ratings, day by day and page by page, of the account’s sites and of their competitors. Dates filter the counts. The key alone suffices, unless the partner has switched that off. */
  reputationReportCounts(accountId: number, query?: ReputationReportCountsQuery, options?: CallOptions): Promise<ReputationReportCounts> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/reputation_report/counts`, query }, 'account', options)
  }

  /** Reputation report, counts as it comes, in JSON, XML or CSV. */
  streamReputationReportCounts(accountId: number, query?: ReputationReportCountsQuery, options?: ReportOptions): Promise<ReportStream> {
    return this.#connection.stream({ method: 'GET', path: `accounts/${accountId}/reputation_report/counts`, query }, options)
  }

  /** Push measured records. Takes in what was measured, as a JSON array or as one JSON object a line. Each record is stored or refused by itself; with `atomic` all are stored or none. A record with the same natural key as one that is known replaces its figures, so a push may be repeated. */
  pushMeasuredRecords(observations: readonly Observation[], query?: PushMeasuredRecordsQuery, options?: WriteOptions): Promise<Observations> {
    return this.#connection.record({ method: 'POST', path: 'observations', query, body: observations }, 'observations', options)
  }
}
