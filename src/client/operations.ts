/** One method for each operation of the API. Written by `npm run generate` from the table of endpoints; do not edit. */

import type { FileSource } from './bodies.ts'
import type { Connection } from './connection.ts'
import type { RecordList } from './list.ts'
import type { CallOptions, CreateOptions, CsvReportOptions, DocumentReportOptions, ReportOptions, ReportStream, UploadOptions, WriteOptions } from './options.ts'
import type {
  Ability,
  AbilityChanges,
  Access,
  Account,
  AccountDeletion,
  Annotation,
  Brand,
  Bulk,
  Business,
  ChangeInBulkQuery,
  ChangedBrand,
  ChangedBusiness,
  ChangedColleague,
  ChangedCustomer,
  ChangedExternal,
  ChangedLocation,
  ChangedMapping,
  ChangedOwner,
  ChangedSchedule,
  ChangedSite,
  ChangedSource,
  ChangedStaffMember,
  ChangedUser,
  Colleague,
  Competitor,
  CreateCustomerQuery,
  CreateOrUpdateBusinessQuery,
  Customer,
  DeleteAccountQuery,
  DeleteMappingQuery,
  Editor,
  EffectiveAccess,
  EventFeed,
  ExplainUserAccessQuery,
  ExportAccountsQuery,
  External,
  FreshKey,
  FreshShareLink,
  FreshToken,
  Intake,
  Key,
  Keyword,
  ListAccountSummariesQuery,
  ListAnnotationsQuery,
  ListBusinessesQuery,
  ListEventsQuery,
  ListLocationsQuery,
  ListManagedAccountsQuery,
  ListMappingsQuery,
  ListRankingsQuery,
  ListReviewsQuery,
  ListShareLinksQuery,
  ListSiteSummariesQuery,
  ListSitesQuery,
  ListSuppressionsQuery,
  ListUsersQuery,
  Location,
  LoginLink,
  Mapping,
  NewAbility,
  NewAccount,
  NewAnnotation,
  NewBusiness,
  NewCompetitor,
  NewCustomer,
  NewKey,
  NewKeyword,
  NewLocation,
  NewLoginLink,
  NewOperation,
  NewPage,
  NewRotation,
  NewSchedule,
  NewShareLink,
  NewSite,
  NewSource,
  NewStaffInvitation,
  NewToken,
  NewUser,
  Observation,
  Observations,
  Page,
  PushObservationsQuery,
  Ranking,
  RefusedLine,
  RemoveStaffMemberQuery,
  RenameMappingQuery,
  ReputationReportCounts,
  ReputationReportCountsQuery,
  ReputationReportDetail,
  ReputationReportDetailQuery,
  Review,
  Schedule,
  SeoReport,
  SeoReportQuery,
  ShareLink,
  ShowSiteSummaryQuery,
  ShowUsageQuery,
  Site,
  SiteSummary,
  Source,
  SourceSite,
  StaffInvitation,
  StaffMember,
  Summary,
  Suppression,
  Token,
  UndoIntakeQuery,
  UpdateUserAbilitiesQuery,
  UploadFileQuery,
  Usage,
  User,
} from './types.ts'

export class Operations {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Create a user. Attaches a new user, who can log in, to an account. The answer is the user in state `passive`; the password is never returned, and `crypted_password` cannot be cracked without the server secret. Emails and logins share one namespace across the service and are not case-sensitive; a login that contains `@` must be the same user’s email. `external_id` in the query gives the user an id of your own. `name` is optional; what does not belong into one line becomes a blank. */
  createUser(user: NewUser, options?: CreateOptions): Promise<User> {
    return this.#connection.record({ method: 'POST', path: 'users', body: { user }, isRepeatable: true }, 'user', options)
  }

  /** List users. All users that the key reaches, by id. With `login` or `email` the list contains the user with that name, or is empty. In CSV all of them come at once, without `crypted_password`, `salt` and what nothing uses any more. */
  listUsers(query?: ListUsersQuery, options?: CallOptions): RecordList<User> {
    return this.#connection.list({ method: 'GET', path: 'users', query }, 'users', options)
  }

  /** Show a user. A deleted user is not found. */
  showUser(userId: number, options?: CallOptions): Promise<User> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}` }, 'user', options)
  }

  /** Change a user. Changes only the given fields. A new password ends open sessions; old names become free for others. A user who moves to another account no longer owns the old one. A repetition changes nothing. */
  changeUser(userId: number, user: ChangedUser, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}`, body: { user }, isRepeatable: true }, 'user', options)
  }

  /** Delete a user. The user can no longer log in, loses abilities and ownership, gets none of your reports by mail any more, and is not found any more; login and email stay reserved. The answer is the deleted user. */
  deleteUser(userId: number, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'DELETE', path: `users/${userId}`, isRepeatable: true }, 'user', options)
  }

  /** Suspend a user. The user cannot log in until unsuspended; open sessions end. A repetition changes nothing. */
  suspendUser(userId: number, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'POST', path: `users/${userId}/suspend`, isRepeatable: true }, 'user', options)
  }

  /** Unsuspend a user. The user becomes `active` again, or `passive` if they never logged in. A repetition changes nothing. */
  unsuspendUser(userId: number, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'POST', path: `users/${userId}/unsuspend`, isRepeatable: true }, 'user', options)
  }

  /** Make a login link. A link that logs the user in once, without a password. It needs a key with the scope `login_link`. A suspended user is refused with 409. */
  makeLoginLink(userId: number, loginLink: NewLoginLink, options?: WriteOptions): Promise<LoginLink> {
    return this.#connection.record({ method: 'POST', path: `users/${userId}/login_link`, body: { login_link: loginLink }, isRepeatable: true }, 'login_link', options)
  }

  /** View a user's abilities. All abilities defined for the user, ordered by scope type and id. The permissions that an owner of an account has without abilities are not listed. The `ETag` identifies the set: send it as `If-Match` with an update that is based on it. */
  viewUserAbilities(userId: number, options?: CallOptions): Promise<Ability[]> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/abilities` }, 'abilities', options)
  }

  /** Update a user's abilities. Replaces the user’s abilities by the submitted list, or adds to them with `merge`, or removes them with `remove`. The answer is the complete resulting set. If one entry has a fault, nothing is changed. A request may have 1,000 entries and a user 10,000 abilities. With `dry_run` the answer has the resulting set, and what would be `added` and `removed`. With `If-Match`, the `ETag` of an earlier answer, the update is refused with 412 if the set has changed since. */
  updateUserAbilities(userId: number, abilities: readonly NewAbility[], query?: UpdateUserAbilitiesQuery, options?: WriteOptions): Promise<Ability[]> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/abilities`, query, body: { abilities }, isRepeatable: true }, 'abilities', options)
  }

  /** What `updateUserAbilities` would do. Nothing is changed. */
  previewUpdateUserAbilities(userId: number, abilities: readonly NewAbility[], query?: UpdateUserAbilitiesQuery, options?: WriteOptions): Promise<AbilityChanges> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/abilities`, query, body: { abilities } }, null, { ...options, dryRun: true })
  }

  /** Explain a user's access. Whether the user can open the account, business or site now, and why: as the owner of the account, by an ability on it, by an ability on its account or business, or not at all. Reasons that prevent access in spite of that are listed as well: the user is suspended, or the business is deactivated. */
  explainUserAccess(userId: number, query: ExplainUserAccessQuery, options?: CallOptions): Promise<Access> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/access`, query }, 'access', options)
  }

  /** Show all that a user sees. What the user sees now, and why nothing, in words: state, role, the account that is theirs, the abilities, and the first 50 sites with whether each opens. */
  showEffectiveAccess(userId: number, options?: CallOptions): Promise<EffectiveAccess> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/effective_access` }, 'effective_access', options)
  }

  /** Create a business. Creates an active business. Without `account_id` it belongs to the partner account that the key identifies. `POST /businesses` is the same endpoint. `external_id` in the query gives the business an id of your own. */
  createBusiness(business: NewBusiness, options?: CreateOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: 'businesses', body: { business }, isRepeatable: true }, 'business', options)
  }

  /** List businesses. All businesses that the key reaches, by id, including deactivated ones. In CSV all of them come at once. */
  listBusinesses(query?: ListBusinessesQuery, options?: CallOptions): RecordList<Business> {
    return this.#connection.list({ method: 'GET', path: 'businesses', query }, 'businesses', options)
  }

  /** Create or update a business. Creates the business with your own id `external_id` (201), or renames it if it exists (200). The account is set at creation and cannot be changed. The request may be repeated. */
  createOrUpdateBusiness(business: NewBusiness, query: CreateOrUpdateBusinessQuery, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'PUT', path: 'businesses', query, body: { business }, isRepeatable: true }, 'business', options)
  }

  /** Show a business. The business, active or deactivated. */
  showBusiness(businessId: number, options?: CallOptions): Promise<Business> {
    return this.#connection.record({ method: 'GET', path: `businesses/${businessId}` }, 'business', options)
  }

  /** Rename a business. Gives the business another name. A repetition changes nothing. */
  renameBusiness(businessId: number, business: ChangedBusiness, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'PUT', path: `businesses/${businessId}`, body: { business }, isRepeatable: true }, 'business', options)
  }

  /** Deactivate a business. A repetition changes nothing and records nothing. The data of the business stays in the reports. */
  deactivateBusiness(businessId: number, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: `businesses/${businessId}/deactivate`, isRepeatable: true }, 'business', options)
  }

  /** Reactivate a business. A repetition changes nothing and records nothing. */
  reactivateBusiness(businessId: number, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: `businesses/${businessId}/reactivate`, isRepeatable: true }, 'business', options)
  }

  /** List managed accounts. The accounts that the partner manages, by id; the partner account is one of them. In CSV all of them come at once. */
  listManagedAccounts(query?: ListManagedAccountsQuery, options?: CallOptions): RecordList<Account> {
    return this.#connection.list({ method: 'GET', path: 'accounts', query }, 'accounts', options)
  }

  /** Create an account. Creates an account that the partner manages. */
  createAccount(account: NewAccount, options?: CreateOptions): Promise<Account> {
    return this.#connection.record({ method: 'POST', path: 'accounts', body: { account }, isRepeatable: true }, 'account', options)
  }

  /** Show an account. The account with its owner. */
  showAccount(accountId: number, options?: CallOptions): Promise<Account> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}` }, 'account', options)
  }

  /** Rename an account. Gives the account another name. A repetition changes nothing. */
  renameAccount(accountId: number, account: NewAccount, options?: WriteOptions): Promise<Account> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}`, body: { account }, isRepeatable: true }, 'account', options)
  }

  /** Delete an account. Deletes the account with everything that belongs to it. `dry_run` tells what goes, and a `confirm` that has to be sent with the deletion. From then on nobody finds anything of it: its people cannot log in, links and mails rest, and names, domains and ids of your own stay taken. The operator can bring it back until `kept_until`; then everything is removed. A key that is limited to accounts deletes none, and the account of the partner itself stays. */
  deleteAccount(accountId: number, query?: DeleteAccountQuery, options?: WriteOptions): Promise<Account> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}`, query, isRepeatable: true }, 'account', options)
  }

  /** What `deleteAccount` would do. Nothing is changed. */
  previewDeleteAccount(accountId: number, query?: DeleteAccountQuery, options?: WriteOptions): Promise<AccountDeletion> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}`, query }, 'deletion', { ...options, dryRun: true })
  }

  /** Set the owner of an account. Makes a user of the account its owner, and replaces the previous owner. */
  setAccountOwner(accountId: number, owner: ChangedOwner, options?: WriteOptions): Promise<Account> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/owner`, body: { owner }, isRepeatable: true }, 'account', options)
  }

  /** @deprecated It is called `setAccountOwner` now. */
  get setOwnerAccount() {
    return this.setAccountOwner
  }

  /** Clear the owner of an account. Removes the owner of the account. A repetition changes nothing. */
  clearAccountOwner(accountId: number, options?: WriteOptions): Promise<Account> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}/owner`, isRepeatable: true }, 'account', options)
  }

  /** @deprecated It is called `clearAccountOwner` now. */
  get clearOwnerAccount() {
    return this.clearAccountOwner
  }

  /** Create a customer. Makes a customer with everything that belongs to it, or nothing: an account with a business and its sites, the location, keywords and competitors of the first site, labels, a time zone, an id of your own, a user who may see all of it, and the schedule by which that user gets its reports. The user has no password yet and asks for a link by mail on the login page. A domain that another customer of yours has is refused as taken, also while that one is deleted. It takes at most 50 domains, 500 keywords and 50 competitors. */
  createCustomer(customer: NewCustomer, query?: CreateCustomerQuery, options?: WriteOptions): Promise<Customer> {
    return this.#connection.record({ method: 'POST', path: 'customers', query, body: { customer }, isRepeatable: true }, 'customer', options)
  }

  /** Show a customer. The account with what concerns it as a whole: its labels, its time zone, whether it is archived, and its businesses counted by state. */
  showCustomer(accountId: number, options?: CallOptions): Promise<Customer> {
    return this.#connection.record({ method: 'GET', path: `customers/${accountId}` }, 'customer', options)
  }

  /** Change a customer. Changes the labels and the time zone of the account. What is left out stays. */
  changeCustomer(accountId: number, customer: ChangedCustomer, options?: WriteOptions): Promise<Customer> {
    return this.#connection.record({ method: 'PUT', path: `customers/${accountId}`, body: { customer }, isRepeatable: true }, 'customer', options)
  }

  /** Deactivate a customer. Deactivates all businesses of the account that are active, and remembers them. A repetition changes nothing. */
  deactivateCustomer(accountId: number, options?: WriteOptions): Promise<Customer> {
    return this.#connection.record({ method: 'POST', path: `customers/${accountId}/deactivate`, isRepeatable: true }, 'customer', options)
  }

  /** Reactivate a customer. Reactivates the businesses that were deactivated together with the account, and no others. A business that was reactivated or deactivated by itself is not one of them. */
  reactivateCustomer(accountId: number, options?: WriteOptions): Promise<Customer> {
    return this.#connection.record({ method: 'POST', path: `customers/${accountId}/reactivate`, isRepeatable: true }, 'customer', options)
  }

  /** Archive a customer. Ends the mails of the account: its schedules make none, and those that wait are not sent. Nothing else changes. A repetition changes nothing. */
  archiveCustomer(accountId: number, options?: WriteOptions): Promise<Customer> {
    return this.#connection.record({ method: 'POST', path: `customers/${accountId}/archive`, isRepeatable: true }, 'customer', options)
  }

  /** Take a customer out of the archive. Its schedules make mails again, beginning with the last period that has ended. */
  unarchiveCustomer(accountId: number, options?: WriteOptions): Promise<Customer> {
    return this.#connection.record({ method: 'POST', path: `customers/${accountId}/unarchive`, isRepeatable: true }, 'customer', options)
  }

  /** List sites. The sites of all managed accounts, by id. In CSV all of them come at once. */
  listSites(query?: ListSitesQuery, options?: CallOptions): RecordList<Site> {
    return this.#connection.list({ method: 'GET', path: 'sites', query }, 'sites', options)
  }

  /** Create a site. Attaches a domain to a business. The reports of its account then contain the site. */
  createSite(site: NewSite, options?: CreateOptions): Promise<Site> {
    return this.#connection.record({ method: 'POST', path: 'sites', body: { site }, isRepeatable: true }, 'site', options)
  }

  /** Show a site. The site. */
  showSite(siteId: number, options?: CallOptions): Promise<Site> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}` }, 'site', options)
  }

  /** Change a site. Gives the site another domain, or another business of the same account. Only the given fields are changed. */
  changeSite(siteId: number, site: ChangedSite, options?: WriteOptions): Promise<Site> {
    return this.#connection.record({ method: 'PUT', path: `sites/${siteId}`, body: { site }, isRepeatable: true }, 'site', options)
  }

  /** Delete a site. Deletes the site with all measurements of it and its competitors, the abilities on it and its share links. This cannot be undone. The answer is the deleted site. */
  deleteSite(siteId: number, options?: WriteOptions): Promise<Site> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}`, isRepeatable: true }, 'site', options)
  }

  /** List keywords. The phrases whose rankings are tracked for the site itself, by id. */
  listKeywords(siteId: number, options?: CallOptions): RecordList<Keyword> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/keywords` }, 'keywords', options)
  }

  /** Add keywords. Adds up to 1,000 phrases, all or none. Existing keywords stay unchanged and are in the answer too, so the request may be repeated. */
  addKeywords(siteId: number, keywords: readonly NewKeyword[], options?: WriteOptions): Promise<Keyword[]> {
    return this.#connection.record({ method: 'POST', path: `sites/${siteId}/keywords`, body: { keywords }, isRepeatable: true }, 'keywords', options)
  }

  /** Show a keyword. The keyword. */
  showKeyword(siteId: number, keywordId: number, options?: CallOptions): Promise<Keyword> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/keywords/${keywordId}` }, 'keyword', options)
  }

  /** Delete a keyword. Deletes the keyword with all its rankings. The answer is the deleted keyword. */
  deleteKeyword(siteId: number, keywordId: number, options?: WriteOptions): Promise<Keyword> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}/keywords/${keywordId}`, isRepeatable: true }, 'keyword', options)
  }

  /** List competitors. The competitors of the site, by id; the reports use the same ids and domains. */
  listCompetitors(siteId: number, options?: CallOptions): RecordList<Competitor> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/competitors` }, 'competitors', options)
  }

  /** Add competitors. Adds up to 1,000 domains, all or none. Existing competitors stay unchanged and are in the answer too, so the request may be repeated. */
  addCompetitors(siteId: number, competitors: readonly NewCompetitor[], options?: WriteOptions): Promise<Competitor[]> {
    return this.#connection.record({ method: 'POST', path: `sites/${siteId}/competitors`, body: { competitors }, isRepeatable: true }, 'competitors', options)
  }

  /** Show a competitor. The competitor. */
  showCompetitor(siteId: number, competitorId: number, options?: CallOptions): Promise<Competitor> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/competitors/${competitorId}` }, 'competitor', options)
  }

  /** Delete a competitor. Deletes the competitor with all its measurements. The answer is the deleted competitor. */
  deleteCompetitor(siteId: number, competitorId: number, options?: WriteOptions): Promise<Competitor> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}/competitors/${competitorId}`, isRepeatable: true }, 'competitor', options)
  }

  /** List pages with reviews. The pages on which the site and its competitors are reviewed, by id. */
  listReviewPages(siteId: number, options?: CallOptions): RecordList<Page> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/pages` }, 'pages', options)
  }

  /** @deprecated It is called `listReviewPages` now. */
  get listPagesWithReviews() {
    return this.listReviewPages
  }

  /** Add pages with reviews. Up to 1,000 at once, of the site itself or, with `competitor_id`, of one of its competitors. Existing pages stay unchanged. If the site has no location, its first page creates one. The answer lists all pages of the request. */
  addReviewPages(siteId: number, pages: readonly NewPage[], options?: WriteOptions): Promise<Page[]> {
    return this.#connection.record({ method: 'POST', path: `sites/${siteId}/pages`, body: { pages }, isRepeatable: true }, 'pages', options)
  }

  /** @deprecated It is called `addReviewPages` now. */
  get addPagesWithReviews() {
    return this.addReviewPages
  }

  /** Show a page with reviews. The page. */
  showReviewPage(siteId: number, pageId: number, options?: CallOptions): Promise<Page> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/pages/${pageId}` }, 'page', options)
  }

  /** @deprecated It is called `showReviewPage` now. */
  get showPageWithReviews() {
    return this.showReviewPage
  }

  /** Delete a page with reviews. Deletes the page with its reviews and counts. The answer is the deleted page. */
  deleteReviewPage(siteId: number, pageId: number, options?: WriteOptions): Promise<Page> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}/pages/${pageId}`, isRepeatable: true }, 'page', options)
  }

  /** @deprecated It is called `deleteReviewPage` now. */
  get deletePageWithReviews() {
    return this.deleteReviewPage
  }

  /** List reviews. The reviews of the page, by date and then by id, as the detail report lists them; `start_date` and `end_date` filter the list. A page of the list has at most 100 reviews, and fewer if their texts are long. */
  listReviews(siteId: number, pageId: number, query?: ListReviewsQuery, options?: CallOptions): RecordList<Review> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/pages/${pageId}/reviews`, query }, 'reviews', options)
  }

  /** Show a review. The review; the detail report uses the same id. If the reviewer was erased, only the figures are left. */
  showReview(siteId: number, pageId: number, reviewId: number, options?: CallOptions): Promise<Review> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/pages/${pageId}/reviews/${reviewId}` }, 'review', options)
  }

  /** List locations. The locations of all sites that the key reaches, by id; `site_id` selects the location of one site. */
  listLocations(query?: ListLocationsQuery, options?: CallOptions): RecordList<Location> {
    return this.#connection.list({ method: 'GET', path: 'locations', query }, 'locations', options)
  }

  /** Add locations. Up to 1,000 at once. A site has at most one location: sites that have one keep it unchanged. The reputation reports then contain the sites. The answer lists the locations of all sites of the request. */
  addLocations(locations: readonly NewLocation[], options?: WriteOptions): Promise<Location[]> {
    return this.#connection.record({ method: 'POST', path: 'locations', body: { locations }, isRepeatable: true }, 'locations', options)
  }

  /** Show a location. The location; the reputation reports use the same id. */
  showLocation(locationId: number, options?: CallOptions): Promise<Location> {
    return this.#connection.record({ method: 'GET', path: `locations/${locationId}` }, 'location', options)
  }

  /** Change a location. Changes only the given fields; an empty text removes a page. A repetition changes nothing. */
  changeLocation(locationId: number, location: ChangedLocation, options?: WriteOptions): Promise<Location> {
    return this.#connection.record({ method: 'PUT', path: `locations/${locationId}`, body: { location }, isRepeatable: true }, 'location', options)
  }

  /** Delete a location. Deletes a location without pages of the site or its competitors; otherwise it is refused with 409. The reputation reports then leave the site out. The answer is the deleted location. */
  deleteLocation(locationId: number, options?: WriteOptions): Promise<Location> {
    return this.#connection.record({ method: 'DELETE', path: `locations/${locationId}`, isRepeatable: true }, 'location', options)
  }

  /** Read your own id of an account. The id by which you know the account in your own system; null if none was set. */
  showAccountExternalId(accountId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/external_id` }, 'external', options)
  }

  /** @deprecated It is called `showAccountExternalId` now. */
  get readYourOwnIdAccount() {
    return this.showAccountExternalId
  }

  /** Set your own id of an account. Sets the id by which you know the account, unique among your accounts; an empty one removes it. `GET /api/accounts?external_id=` finds it by that id. */
  setAccountExternalId(accountId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** @deprecated It is called `setAccountExternalId` now. */
  get setYourOwnIdAccount() {
    return this.setAccountExternalId
  }

  /** Read your own id of a user. The id by which you know the user in your own system; null if none was set. */
  showUserExternalId(userId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/external_id` }, 'external', options)
  }

  /** @deprecated It is called `showUserExternalId` now. */
  get readYourOwnIdUser() {
    return this.showUserExternalId
  }

  /** Set your own id of a user. Sets the id by which you know the user, unique among your users; an empty one removes it. `GET /api/users?external_id=` finds it by that id. */
  setUserExternalId(userId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** @deprecated It is called `setUserExternalId` now. */
  get setYourOwnIdUser() {
    return this.setUserExternalId
  }

  /** Read your own id of a business. The id by which you know the business in your own system; null if none was set. */
  showBusinessExternalId(businessId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `businesses/${businessId}/external_id` }, 'external', options)
  }

  /** @deprecated It is called `showBusinessExternalId` now. */
  get readYourOwnIdBusiness() {
    return this.showBusinessExternalId
  }

  /** Set your own id of a business. Sets the id by which you know the business, unique among your businesses; an empty one removes it. `GET /api/businesses?external_id=` finds it by that id. */
  setBusinessExternalId(businessId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `businesses/${businessId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** @deprecated It is called `setBusinessExternalId` now. */
  get setYourOwnIdBusiness() {
    return this.setBusinessExternalId
  }

  /** Read your own id of a site. The id by which you know the site in your own system; null if none was set. */
  showSiteExternalId(siteId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/external_id` }, 'external', options)
  }

  /** @deprecated It is called `showSiteExternalId` now. */
  get readYourOwnIdSite() {
    return this.showSiteExternalId
  }

  /** Set your own id of a site. Sets the id by which you know the site, unique among your sites; an empty one removes it. `GET /api/sites?external_id=` finds it by that id. */
  setSiteExternalId(siteId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `sites/${siteId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** @deprecated It is called `setSiteExternalId` now. */
  get setYourOwnIdSite() {
    return this.setSiteExternalId
  }

  /** List annotations. The annotations of all sites that the key reaches, by id. */
  listAnnotations(query?: ListAnnotationsQuery, options?: CallOptions): RecordList<Annotation> {
    return this.#connection.list({ method: 'GET', path: 'annotations', query }, 'annotations', options)
  }

  /** Add an annotation. Adds a note to a day, which the charts of the site mark and show. A site has at most 500. */
  addAnnotation(annotation: NewAnnotation, options?: WriteOptions): Promise<Annotation> {
    return this.#connection.record({ method: 'POST', path: 'annotations', body: { annotation }, isRepeatable: true }, 'annotation', options)
  }

  /** Show an annotation. The annotation. */
  showAnnotation(annotationId: number, options?: CallOptions): Promise<Annotation> {
    return this.#connection.record({ method: 'GET', path: `annotations/${annotationId}` }, 'annotation', options)
  }

  /** Delete an annotation. Deletes the annotation. The answer is the deleted annotation. */
  deleteAnnotation(annotationId: number, options?: WriteOptions): Promise<Annotation> {
    return this.#connection.record({ method: 'DELETE', path: `annotations/${annotationId}`, isRepeatable: true }, 'annotation', options)
  }

  /** List share links. The links to the sites that the key reaches, by id, with those that have expired or were revoked. Their addresses are shown only once. */
  listShareLinks(query?: ListShareLinksQuery, options?: CallOptions): RecordList<ShareLink> {
    return this.#connection.list({ method: 'GET', path: 'share_links', query }, 'share_links', options)
  }

  /** Share a site by a link. Whoever has the address sees the pages of this site and nothing else. A site has 50 links that work at most. The `url` is only in this answer, at your host name if you have one. */
  createShareLink(shareLink: NewShareLink, options?: WriteOptions): Promise<FreshShareLink> {
    return this.#connection.record({ method: 'POST', path: 'share_links', body: { share_link: shareLink }, isRepeatable: true }, 'fresh_share_link', options)
  }

  /** Show a share link. The link, without its address. */
  showShareLink(shareLinkId: number, options?: CallOptions): Promise<ShareLink> {
    return this.#connection.record({ method: 'GET', path: `share_links/${shareLinkId}` }, 'share_link', options)
  }

  /** Revoke a share link. Whoever has the link sees nothing any more; the record of it stays. A repetition changes nothing and records nothing. */
  revokeShareLink(shareLinkId: number, options?: WriteOptions): Promise<ShareLink> {
    return this.#connection.record({ method: 'DELETE', path: `share_links/${shareLinkId}`, isRepeatable: true }, 'share_link', options)
  }

  /** List report schedules. The schedules of the account, by id; at most ten. A schedule without sites covers every site. */
  listReportSchedules(accountId: number, options?: CallOptions): Promise<Schedule[]> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/schedules` }, 'schedules', options)
  }

  /** Schedule reports by mail. Mails a summary of the sites each week or month, with charts inside and a PDF attached. Recipients confirm once, by a mail that says who asks, or by accepting an invitation that names the reports; who gets reports of you already is not asked again, and each mail has a link to unsubscribe with one click. The first mail covers the first period that ends from now on. Unless `release` says otherwise, a report with which something is wrong waits for somebody of the staff: at the desk they read why, and send or skip it. Nothing is held where the partner has no staff, except with `by_hand`. What waits when the next period ends is not sent any more. */
  createReportSchedule(accountId: number, schedule: NewSchedule, options?: WriteOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'POST', path: `accounts/${accountId}/schedules`, body: { schedule }, isRepeatable: true }, 'schedule', options)
  }

  /** @deprecated It is called `createReportSchedule` now. */
  get scheduleReportsByMail() {
    return this.createReportSchedule
  }

  /** Show a report schedule. The schedule, with the state of each recipient. */
  showReportSchedule(accountId: number, scheduleId: number, options?: CallOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/schedules/${scheduleId}` }, 'schedule', options)
  }

  /** Change a report schedule. Changes only the given fields. Existing recipients keep their state, including unsubscribed ones; new ones are treated as at creation. */
  changeReportSchedule(accountId: number, scheduleId: number, schedule: ChangedSchedule, options?: WriteOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/schedules/${scheduleId}`, body: { schedule }, isRepeatable: true }, 'schedule', options)
  }

  /** Delete a report schedule. No more mail is sent, except for what is already queued. The answer is the deleted schedule. */
  deleteReportSchedule(accountId: number, scheduleId: number, options?: WriteOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}/schedules/${scheduleId}`, isRepeatable: true }, 'schedule', options)
  }

  /** List suppressed addresses. By id. Whoever has unsubscribed from a report is not asked again: on another schedule they are `unsubscribed` from the beginning. An address that the mail server has called unknown on two days gets neither reports nor questions nor invitations, which fail with that reason. Of an address you see the first letter and the domain; `email` finds a whole one. A key that is limited to accounts gets 403. */
  listSuppressions(query?: ListSuppressionsQuery, options?: CallOptions): RecordList<Suppression> {
    return this.#connection.list({ method: 'GET', path: 'suppressions', query }, 'suppressions', options)
  }

  /** Show a suppressed address. The entry of the list. */
  showSuppression(suppressionId: number, options?: CallOptions): Promise<Suppression> {
    return this.#connection.record({ method: 'GET', path: `suppressions/${suppressionId}` }, 'suppression', options)
  }

  /** Take an address off the list of suppressed ones. The address may be asked and mailed again. Recipients of schedules stay as they are: resend the question, or put the address on the schedule anew. Whoever adds their own address or confirms a mail is taken off by that. */
  endSuppression(suppressionId: number, options?: WriteOptions): Promise<Suppression> {
    return this.#connection.record({ method: 'DELETE', path: `suppressions/${suppressionId}`, isRepeatable: true }, 'suppression', options)
  }

  /** List keys. This key and those that were issued with it, by id, with the time of their last use. Their secrets are shown only once, when they are created. */
  listKeys(options?: CallOptions): RecordList<Key> {
    return this.#connection.list({ method: 'GET', path: 'keys' }, 'keys', options)
  }

  /** Issue a key. Issues a key with some of the scopes and accounts of this one. It cannot issue keys itself, and becomes invalid with the key it was issued with. For a key that is limited to some accounts, other accounts do not exist, like those of other partners. */
  issueKey(key: NewKey, options?: WriteOptions): Promise<FreshKey> {
    return this.#connection.record({ method: 'POST', path: 'keys', body: { key }, isRepeatable: true }, 'fresh_key', options)
  }

  /** Show a key. The key, without its secrets. */
  showKey(keyId: number, options?: CallOptions): Promise<Key> {
    return this.#connection.record({ method: 'GET', path: `keys/${keyId}` }, 'key', options)
  }

  /** Rotate a key. Creates a new key with the same rights; the old one stays valid for a while, so that clients can switch. Keys issued with the old one then belong to the new one. Refused with 409 if the key is no longer valid. */
  rotateKey(keyId: number, rotation: NewRotation, options?: WriteOptions): Promise<FreshKey> {
    return this.#connection.record({ method: 'POST', path: `keys/${keyId}/rotate`, body: { rotation }, isRepeatable: true }, 'fresh_key', options)
  }

  /** Revoke a key. After the answer, the key and all keys issued with it are refused. A key may revoke itself. A repetition changes nothing. */
  revokeKey(keyId: number, options?: WriteOptions): Promise<Key> {
    return this.#connection.record({ method: 'DELETE', path: `keys/${keyId}`, isRepeatable: true }, 'key', options)
  }

  /** List tokens. The tokens that this key has made, by id, until a day after their end. */
  listTokens(options?: CallOptions): RecordList<Token> {
    return this.#connection.list({ method: 'GET', path: 'tokens' }, 'tokens', options)
  }

  /** Issue a token. A token reads the summaries, the rankings and the SEO report of one site or account, sent as `Authorization: Bearer TOKEN`, for minutes to a day. It is made for the pages of a portal: a page may read the answers if the partner has named its origin (`partner set --origins`, or the page Developers). Of a token 600 requests a minute are answered, apart from the partner’s rate. It ends with the key that made it. */
  issueToken(token: NewToken, options?: WriteOptions): Promise<FreshToken> {
    return this.#connection.record({ method: 'POST', path: 'tokens', body: { token }, isRepeatable: true }, 'fresh_token', options)
  }

  /** Show a token. The token, without its secret. */
  showToken(tokenId: number, options?: CallOptions): Promise<Token> {
    return this.#connection.record({ method: 'GET', path: `tokens/${tokenId}` }, 'token', options)
  }

  /** Revoke a token. After the answer, the token is refused. A repetition changes nothing and records nothing. */
  revokeToken(tokenId: number, options?: WriteOptions): Promise<Token> {
    return this.#connection.record({ method: 'DELETE', path: `tokens/${tokenId}`, isRepeatable: true }, 'token', options)
  }

  /** List the editors of an account. Who may share sites, note what happened on a day and schedule mails, by the id of the user; at most 200. The owner and staff may so without being listed. */
  listAccountEditors(accountId: number, options?: CallOptions): Promise<Editor[]> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/editors` }, 'editors', options)
  }

  /** Show an editor of an account. An editor of the account. */
  showAccountEditor(accountId: number, userId: number, options?: CallOptions): Promise<Editor> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/editors/${userId}` }, 'editor', options)
  }

  /** Add an editor to an account. Any user of the partner. It opens nothing: an editor shares and notes what their abilities show them, and schedules mails where they may see the whole account. Updates of abilities leave the list as it is. A repetition changes nothing. */
  addAccountEditor(accountId: number, userId: number, options?: WriteOptions): Promise<Editor> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/editors/${userId}`, isRepeatable: true }, 'editor', options)
  }

  /** Remove an editor of an account. The answer is the editor as it was. */
  removeAccountEditor(accountId: number, userId: number, options?: WriteOptions): Promise<Editor> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}/editors/${userId}`, isRepeatable: true }, 'editor', options)
  }

  /** Show who looks after an account. Who of the staff looks after the account, by the id of the user; null if nobody does. */
  showColleague(accountId: number, options?: CallOptions): Promise<Colleague> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/colleague` }, 'colleague', options)
  }

  /** Set who looks after an account. Assigns the account to somebody of the staff, and takes it from whom it was assigned to. Whoever has `assigned` customers reaches the account from then on. A repetition changes nothing. */
  setColleague(accountId: number, colleague: ChangedColleague, options?: WriteOptions): Promise<Colleague> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/colleague`, body: { colleague }, isRepeatable: true }, 'colleague', options)
  }

  /** Let nobody look after an account. Nobody looks after the account any more. A repetition changes nothing. */
  removeColleague(accountId: number, options?: WriteOptions): Promise<Colleague> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}/colleague`, isRepeatable: true }, 'colleague', options)
  }

  /** List staff. The people who work at the desk of the partner, by id. Staff are users of the partner account, and everything else about them is read under `users`. */
  listStaff(options?: CallOptions): Promise<StaffMember[]> {
    return this.#connection.record({ method: 'GET', path: 'staff' }, 'staff', options)
  }

  /** Invite somebody to the staff. Mails an invitation, which works once, within seven days; the link is in the mail and nowhere else. Whoever accepts it chooses a new password, and every session and login link of that login ends. An address without a user gets one in the partner account. The same address again replaces the invitation. A user who is staff, or whom an invitation waits for, is changed, suspended and deleted only with the scope `staff`, and gets no login link by any key. Refused with 409 if the service sends no mail. */
  inviteStaff(staffInvitation: NewStaffInvitation, options?: WriteOptions): Promise<StaffInvitation> {
    return this.#connection.record({ method: 'POST', path: 'staff', body: { staff_invitation: staffInvitation }, isRepeatable: true }, 'staff_invitation', options)
  }

  /** Show somebody of the staff. Somebody of the staff, by the id of the user. */
  showStaffMember(staffId: number, options?: CallOptions): Promise<StaffMember> {
    return this.#connection.record({ method: 'GET', path: `staff/${staffId}` }, 'staff_member', options)
  }

  /** Change the role of somebody of the staff. Changes only the given fields. Whoever has `assigned` customers reaches those alone that they look after; without any they reach none. The last admin stays one. A repetition changes nothing. */
  changeStaffMember(staffId: number, staffMember: ChangedStaffMember, options?: WriteOptions): Promise<StaffMember> {
    return this.#connection.record({ method: 'PUT', path: `staff/${staffId}`, body: { staff_member: staffMember }, isRepeatable: true }, 'staff_member', options)
  }

  /** Remove somebody from the staff. The login stays, without the desk, and its sessions end. Refused with 409 for the last admin, and for somebody who looks after customers or has made links that still work, unless `successor_id` names the colleague who takes over. */
  removeStaffMember(staffId: number, query?: RemoveStaffMemberQuery, options?: WriteOptions): Promise<StaffMember> {
    return this.#connection.record({ method: 'DELETE', path: `staff/${staffId}`, query, isRepeatable: true }, 'staff_member', options)
  }

  /** List invitations to the staff. Those that can still be accepted, by id. */
  listStaffInvitations(options?: CallOptions): Promise<StaffInvitation[]> {
    return this.#connection.record({ method: 'GET', path: 'staff_invitations' }, 'staff_invitations', options)
  }

  /** Show an invitation to the staff. An invitation that can still be accepted. */
  showStaffInvitation(invitationId: number, options?: CallOptions): Promise<StaffInvitation> {
    return this.#connection.record({ method: 'GET', path: `staff_invitations/${invitationId}` }, 'staff_invitation', options)
  }

  /** Withdraw an invitation to the staff. The link no longer works. The answer is the withdrawn invitation. */
  withdrawStaffInvitation(invitationId: number, options?: WriteOptions): Promise<StaffInvitation> {
    return this.#connection.record({ method: 'DELETE', path: `staff_invitations/${invitationId}`, isRepeatable: true }, 'staff_invitation', options)
  }

  /** Show the brand. How pages and mails look to your people; without a brand, as the service itself does. Not for a key that is limited to accounts. */
  showBrand(options?: CallOptions): Promise<Brand> {
    return this.#connection.record({ method: 'GET', path: 'brand' }, 'brand', options)
  }

  /** Change the brand. Changes only the given fields; a blank one is taken away. Pictures are base64 in the body and addresses in the answer; their kind is told by their content. The host name is not set here. */
  changeBrand(brand: ChangedBrand, options?: WriteOptions): Promise<Brand> {
    return this.#connection.record({ method: 'PUT', path: 'brand', body: { brand }, isRepeatable: true }, 'brand', options)
  }

  /** Show the brand of an account. How pages and mails look to the people of the account: its own brand over yours. */
  showAccountBrand(accountId: number, options?: CallOptions): Promise<Brand> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/brand` }, 'brand', options)
  }

  /** Change the brand of an account. Like your own brand, for this account alone: what is blank is that of your brand again. A logo brings its own dark one, or none. */
  changeAccountBrand(accountId: number, brand: ChangedBrand, options?: WriteOptions): Promise<Brand> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/brand`, body: { brand }, isRepeatable: true }, 'brand', options)
  }

  /** Show usage. The last 31 days, or those from `start_date` to `end_date`, the newest first; days on which nothing happened are left out. Days are counted in UTC and kept for 400. A request counts once it is answered, and is added to the figures within some seconds; if a process of the service crashes, the counts of its last seconds are lost. Requests without a valid key and password are not counted. `records` counts the records stored by pushes, uploads and imports, including those of the operator on your behalf. A key that is limited to some accounts sees only its own use. The limits are those of the partner, over all its keys. */
  showUsage(query?: ShowUsageQuery, options?: CallOptions): Promise<Usage> {
    return this.#connection.record({ method: 'GET', path: 'usage', query }, 'usage', options)
  }

  /** Read what happened. Up to 100 events after a cursor, in the order in which they were committed; no event is ever inserted before one that was read. Ask again with the `cursor` of the answer, at once where `more` is true. An event may be read again after a broken answer, and is known by its `id`. It names what changed, and no values: read the record for these. With `wait`, an answer without events comes only after that time; five requests of a partner may wait at once, the next is refused with 429. A cursor whose event is no longer kept, or which is of before a restored backup, is refused with 410; `First-Cursor` goes on with the oldest event that is kept. A key that is limited to accounts sees the events of these alone, and none of the partner itself. */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Promise<EventFeed> {
    return this.#connection.record({ method: 'GET', path: 'events', query }, 'feed', options)
  }

  /** Create and change many records. Up to 1,000 operations, each of which creates a record or, with `id`, changes one, by the rules of its own endpoint. Each has a result at the same index: its id, or its faults. Operations run independently and in no fixed order, so none may depend on another; with `atomic` all are done in one transaction, or none, and at most 250 may create a user or set a password. A repetition with the same Idempotency-Key does only what is left, even if the first request was interrupted. Each operation counts as a write of the rate limit: the request starts if one write is left, and what it used beyond the limit delays the next write. Users take longest, about 30 milliseconds each: what is not reached within a minute is answered with 503 and may be repeated. */
  changeInBulk(operations: readonly NewOperation[], query?: ChangeInBulkQuery, options?: WriteOptions): Promise<Bulk> {
    return this.#connection.record({ method: 'POST', path: 'bulk', query, body: { operations }, isRepeatable: true }, 'bulk', options)
  }

  /** @deprecated It is called `changeInBulk` now. */
  get createChangeManyRecords() {
    return this.changeInBulk
  }

  /** SEO report. Accounts, sites and competitors by id, keywords by phrase, backlinks by the day they were found, rankings by time. Dates are inclusive days in UTC: rankings are filtered by `ranked_at`, backlinks by `found_on`; each single figure is the latest known on `end_date`, or the latest of all without one. A figure that was never measured is 0, and `domain_authority` is null. Of a keyword that is measured on several devices or from several locations, one series is printed for each engine and locale: of each day the entries without device and location, else those of desktop or of the first by name. With `series=all` each is printed as an engine of its own, such as `Google (mobile, Chicago)`, followed by `device` and `location`. `If-None-Match` with the `ETag` of an earlier answer costs almost nothing. The key alone suffices, unless the partner has switched that off. */
  seoReport(query?: SeoReportQuery, options?: CallOptions): Promise<SeoReport> {
    return this.#connection.record({ method: 'GET', path: 'seo_report', query }, null, options)
  }

  /** SEO report as it comes, in JSON, XML or CSV. */
  streamSeoReport(query: SeoReportQuery & Required<Pick<SeoReportQuery, 'table'>>, options: CsvReportOptions): Promise<ReportStream>
  streamSeoReport(query?: SeoReportQuery, options?: DocumentReportOptions): Promise<ReportStream>
  streamSeoReport(query?: SeoReportQuery, options?: ReportOptions): Promise<ReportStream> {
    return this.#connection.stream({ method: 'GET', path: 'seo_report', query }, options)
  }

  /** Reputation report, detail. The reviews of the account’s sites, page by page. Dates filter the reviews; pages without reviews in that period are listed all the same. Sites without a location are left out. The key alone suffices, unless the partner has switched that off. */
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

  /** Summarize all sites. The sites that the key reaches, by id, a line each: keywords, visibility, ratings, what changed against the compared period, and why a site may need attention, with the figures of the list of sites. Days are those of the time zone of the account. */
  listSiteSummaries(query?: ListSiteSummariesQuery, options?: CallOptions): RecordList<Summary> {
    return this.#connection.list({ method: 'GET', path: 'summary', query }, 'summaries', options)
  }

  /** Summarize the sites of an account. The same of the sites of one account. */
  listAccountSummaries(accountId: number, query?: ListAccountSummariesQuery, options?: CallOptions): RecordList<Summary> {
    return this.#connection.list({ method: 'GET', path: `accounts/${accountId}/summary`, query }, 'summaries', options)
  }

  /** Summarize a site. How a site is doing, with the figures of its pages: now, and against the compared period; where its keywords stand, which moved most, days without measurements, competitors, and its reviews in short. As CSV it is one row, without the lists. */
  showSiteSummary(siteId: number, query?: ShowSiteSummaryQuery, options?: CallOptions): Promise<SiteSummary> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/summary`, query }, 'summary', options)
  }

  /** List rankings. What was measured of the keywords of the site itself, a row each, ordered by keyword and time, narrowed by the parameters. Days are in UTC, as in the SEO report. */
  listRankings(siteId: number, query?: ListRankingsQuery, options?: CallOptions): RecordList<Ranking> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/rankings`, query }, 'rankings', options)
  }

  /** Export whole accounts. One JSON object a line, in the form that `POST intakes` with `all` reads: each account comes with a head, what it is made of, all that was measured of it, and a line of type `end`, from one snapshot. If the answer breaks off, append the rest with the cursor `after` of the last such line. Passwords, keys, sessions, share links, brands and host names are not part of it. It needs a key with the scope `report` too. */
  exportAccounts(query?: ExportAccountsQuery, options?: CallOptions): Promise<ReportStream> {
    return this.#connection.stream({ method: 'GET', path: 'export', query }, options)
  }

  /** Push measured records. Stores measurements, sent as a JSON array or as one JSON object per line. Each record is stored or refused by itself; with `atomic` all are stored or none. Once more than a hundred records, and more than half of those read, were refused, reading stops: nothing is stored, and the last refusal (`not_read`) says so. A body has at most 250,000 records and lines, blank ones too, and a row of CSV 1,000 cells; reading also stops, with 400, after a hundred records that are not JSON, or rows with another number of cells than the header. A record with the same natural key as a stored one replaces its figures, so a push may be repeated. */
  pushObservations(observations: readonly Observation[], query?: PushObservationsQuery, options?: WriteOptions): Promise<Observations> {
    return this.#connection.record({ method: 'POST', path: 'observations', query, body: observations, isRepeatable: true }, 'observations', options)
  }

  /** @deprecated It is called `pushObservations` now. */
  get pushMeasuredRecords() {
    return this.pushObservations
  }

  /** List saved mappings. What the operator saved for you: an upload takes all options of a mapping by its name (`mapping`), and those that it tells itself are over them. */
  listMappings(query?: ListMappingsQuery, options?: CallOptions): Promise<Mapping[]> {
    return this.#connection.record({ method: 'GET', path: 'mappings', query }, 'mappings', options)
  }

  /** Rename a saved mapping. Gives it a new name, by which uploads find it from now on. */
  renameMapping(mapping: ChangedMapping, query: RenameMappingQuery, options?: WriteOptions): Promise<Mapping> {
    return this.#connection.record({ method: 'PUT', path: 'mappings', query, body: { mapping }, isRepeatable: true }, 'mapping', options)
  }

  /** Delete a saved mapping. Uploads that are waiting keep its options. The answer is the deleted mapping. */
  deleteMapping(query: DeleteMappingQuery, options?: WriteOptions): Promise<Mapping> {
    return this.#connection.record({ method: 'DELETE', path: 'mappings', query, isRepeatable: true }, 'mapping', options)
  }

  /** Upload a file. Takes a file of records, as NDJSON, a JSON array or CSV, or a saved SEO or reputation report in XML or JSON, or with `all` an export of whole accounts, compressed with gzip or not, and answers once the file is durably on disk. It is then imported in the background, the files of a partner one after the other: everything is checked first, and if one line has a fault nothing is stored. `GET` the address in `Location` for the progress. At most 10 files may wait. Send an `Idempotency-Key`, and a file that you send again because its answer was lost does not become a second intake. */
  uploadFile(file: FileSource, query?: UploadFileQuery, options?: UploadOptions): Promise<Intake> {
    return this.#connection.upload({ method: 'POST', path: 'intakes', query, isRepeatable: true }, file, 'intake', options)
  }

  /** List intakes. Every import, push and upload of the partner, by id, for as long as it can be undone. */
  listIntakes(options?: CallOptions): RecordList<Intake> {
    return this.#connection.list({ method: 'GET', path: 'intakes' }, 'intakes', options)
  }

  /** Show an intake. Its progress, what it did by kind of record, and the first hundred faults. `interrupted` means that the file was lost with its disk: send it again. */
  showIntake(intakeId: number, options?: CallOptions): Promise<Intake> {
    return this.#connection.record({ method: 'GET', path: `intakes/${intakeId}` }, 'intake', options)
  }

  /** Release a parked intake. A file that could not be stored for an hour is `parked`: what it had stored is taken back, later files go before it, and `reason` says why. Released, it waits for its turn again; `notices` say what was stored since, which it may overwrite. One whose key was revoked is released by the operator alone. `DELETE` cancels it instead, and after 30 days that happens by itself. A repetition changes nothing. */
  releaseIntake(intakeId: number, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'POST', path: `intakes/${intakeId}/release`, isRepeatable: true }, 'intake', options)
  }

  /** Cancel an intake. Cancels an upload that has not ended: at once if it waits, or after what it stored has been undone. An intake that has ended is refused with 409; undo it instead. A repetition changes nothing. */
  cancelIntake(intakeId: number, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'DELETE', path: `intakes/${intakeId}`, isRepeatable: true }, 'intake', options)
  }

  /** List refused lines. The lines that an upload with `skip_refused` left out, each with what is wrong with it, as they stood in the file. The address that ends in `.csv` streams all of them, with a column `why`, to be corrected and sent again. They are kept as long as the intake. */
  listRefusedLines(intakeId: number, options?: CallOptions): RecordList<RefusedLine> {
    return this.#connection.list({ method: 'GET', path: `intakes/${intakeId}/refused` }, 'refused_lines', options)
  }

  /** Undo an intake. Takes back in the background what the intake stored. From then on stored is what the other intakes say, in the order in which their records were stored, over what was there before: what a later one delivered too stays, even unchanged, and is listed. So is a site on which people have hung something: a note, a schedule, a link, an ability or an id of your own. Only an intake that an earlier version stored is refused with 409 while a later one of these may have delivered the same records: undo that one first, the last one first, or this one all the same with `despite_later`, which has no effect otherwise. A repetition changes nothing. With `dry_run` nothing is taken back: what would go and what would stay is worked out in the background, and stands in `preview` of the intake, with the first hundred records of each kind; until then, the answer has `Retry-After`. With `with_people` what people hung on its records goes too, except where a later intake refers to it: such a dry run must have come after the last change, and the audit log has an entry for each thing. */
  undoIntake(intakeId: number, query?: UndoIntakeQuery, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'POST', path: `intakes/${intakeId}/undo`, query, isRepeatable: true }, 'intake', options)
  }

  /** What `undoIntake` would do. Nothing is changed. */
  previewUndoIntake(intakeId: number, query?: UndoIntakeQuery, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'POST', path: `intakes/${intakeId}/undo`, query }, 'intake', { ...options, dryRun: true })
  }

  /** List sources. The sources that the key reaches, by id: one of the whole partner only with a key that is not limited to accounts. What each fetches is on the page on sources. */
  listSources(options?: CallOptions): RecordList<Source> {
    return this.#connection.list({ method: 'GET', path: 'sources' }, 'sources', options)
  }

  /** Add a source. Of each kind there is one source of the partner and one of an account; where both find a site, the one that has it first keeps it. Its sites are fetched within a minute, and then by its rhythm. It passes to the new key when yours is rotated, and rests when yours is revoked or expires. It needs a key with the scope `provision` too. */
  createSource(source: NewSource, options?: WriteOptions): Promise<Source> {
    return this.#connection.record({ method: 'POST', path: 'sources', body: { source }, isRepeatable: true }, 'source', options)
  }

  /** Show a source. The source, with how many sites it has and for how many the last run failed. */
  showSource(sourceId: number, options?: CallOptions): Promise<Source> {
    return this.#connection.record({ method: 'GET', path: `sources/${sourceId}` }, 'source', options)
  }

  /** Change a source. Changes the rhythm, starts it or puts it to rest. Whoever starts a source answers for it from then on. It needs a key with the scope `provision` too. */
  changeSource(sourceId: number, source: ChangedSource, options?: WriteOptions): Promise<Source> {
    return this.#connection.record({ method: 'PUT', path: `sources/${sourceId}`, body: { source }, isRepeatable: true }, 'source', options)
  }

  /** Run a source at once. All of its sites are due at once, and fetched within a minute, a few at a time. A source that rests is refused (409). A repetition changes nothing while they wait. */
  runSource(sourceId: number, options?: WriteOptions): Promise<Source> {
    return this.#connection.record({ method: 'POST', path: `sources/${sourceId}/run`, isRepeatable: true }, 'source', options)
  }

  /** List the sites of a source. By id: when the last run of each ended, when something came last, what was not measured and why, and what was found. Each run that brought something is an intake, by whose id it can be undone. */
  listSourceSites(sourceId: number, options?: CallOptions): RecordList<SourceSite> {
    return this.#connection.list({ method: 'GET', path: `sources/${sourceId}/sites` }, 'source_sites', options)
  }

  /** Delete a source. What it has fetched stays. The answer is the deleted source. It needs a key with the scope `provision` too. */
  deleteSource(sourceId: number, options?: WriteOptions): Promise<Source> {
    return this.#connection.record({ method: 'DELETE', path: `sources/${sourceId}`, isRepeatable: true }, 'source', options)
  }
}
