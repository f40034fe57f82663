/** One method for each operation of the API. Written by `npm run generate` from the table of endpoints; do not edit. */

import type { CallOptions, Connection, CreateOptions, ReportOptions, ReportStream, WriteOptions } from './connection.ts'
import type { RecordList } from './list.ts'
import type {
  Ability,
  AbilityChanges,
  Access,
  Account,
  Annotation,
  Bulk,
  Business,
  ChangedBusiness,
  ChangedExternal,
  ChangedLocation,
  ChangedOwner,
  ChangedSchedule,
  ChangedSite,
  ChangedUser,
  Competitor,
  CreateChangeManyRecordsQuery,
  CreateOrUpdateBusinessQuery,
  ExplainUserAccessQuery,
  External,
  FreshKey,
  Intake,
  Key,
  Keyword,
  ListAnnotationsQuery,
  ListBusinessesQuery,
  ListLocationsQuery,
  ListManagedAccountsQuery,
  ListReviewsQuery,
  ListSitesQuery,
  ListUsersQuery,
  Location,
  LoginLink,
  NewAbility,
  NewAccount,
  NewAnnotation,
  NewBusiness,
  NewCompetitor,
  NewKey,
  NewKeyword,
  NewLocation,
  NewLoginLink,
  NewOperation,
  NewPage,
  NewRotation,
  NewSchedule,
  NewSite,
  NewUser,
  Observation,
  Observations,
  Page,
  PushMeasuredRecordsQuery,
  ReputationReportCounts,
  ReputationReportCountsQuery,
  ReputationReportDetail,
  ReputationReportDetailQuery,
  Review,
  Schedule,
  SeoReport,
  SeoReportQuery,
  ShowUsageQuery,
  Site,
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

  /** Create a user. Attaches a new user, who can log in, to an account. The answer is the user in state `passive`; the password is never returned, and `crypted_password` cannot be cracked without the server secret. Emails and logins share one space of names across the service, whatever their case; a login that contains `@` must be the same user’s email. `external_id` in the query gives the user an id of your own at once. */
  createUser(user: NewUser, options?: CreateOptions): Promise<User> {
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

  /** Change a user. Changes what is given and leaves the rest. Another password ends open sessions; old names are free for others. Who moves to another account no longer owns the one they left. A repetition changes nothing. */
  changeUser(userId: number, user: ChangedUser, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}`, body: { user }, isRepeatable: true }, 'user', options)
  }

  /** Delete a user. The user can no longer log in, loses abilities and ownership, and is not found from now on; login and email stay reserved. The answer is the user, deleted. */
  deleteUser(userId: number, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'DELETE', path: `users/${userId}`, isRepeatable: true }, 'user', options)
  }

  /** Suspend a user. The user cannot log in until unsuspended; open sessions end. A repetition changes nothing. */
  suspendUser(userId: number, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'POST', path: `users/${userId}/suspend`, isRepeatable: true }, 'user', options)
  }

  /** Unsuspend a user. Back to `active`, or to `passive` where the user never logged in. A repetition changes nothing. */
  unsuspendUser(userId: number, options?: WriteOptions): Promise<User> {
    return this.#connection.record({ method: 'POST', path: `users/${userId}/unsuspend`, isRepeatable: true }, 'user', options)
  }

  /** Make a login link. A link that lets the user in once, without a password. It needs a key with the scope `login_link`. A suspended user is refused with 409. */
  makeLoginLink(userId: number, loginLink: NewLoginLink, options?: WriteOptions): Promise<LoginLink> {
    return this.#connection.record({ method: 'POST', path: `users/${userId}/login_link`, body: { login_link: loginLink }, isRepeatable: true }, 'login_link', options)
  }

  /** View a user's abilities. All abilities defined for the user, ordered by scope type and id. What the owner of an account may do without any ability is not listed. The `ETag` stands for the set: send it as `If-Match` with an update that is based on it. */
  viewUserAbilities(userId: number, options?: CallOptions): Promise<Ability[]> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/abilities` }, 'abilities', options)
  }

  /** Update a user's abilities. Replaces the user’s abilities by the submitted list, or adds to them with `merge`, or takes from them with `remove`. The answer is the full set that results. It is all or nothing: one entry at fault, and nothing changes. At most 1,000 entries at once, 10,000 held. With `dry_run` the answer tells, beside the set that would result, what would be `added` and `removed`. With `If-Match`, the `ETag` of an earlier answer, the update is refused with 412 when the set is not what it was. */
  updateUserAbilities(userId: number, abilities: readonly NewAbility[], query?: UpdateUserAbilitiesQuery, options?: WriteOptions): Promise<Ability[]> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/abilities`, query, body: { abilities }, isRepeatable: true }, 'abilities', options)
  }

  /** What `updateUserAbilities` would do. Nothing is changed. */
  previewUpdateUserAbilities(userId: number, abilities: readonly NewAbility[], query?: UpdateUserAbilitiesQuery, options?: WriteOptions): Promise<AbilityChanges> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/abilities`, query, body: { abilities } }, null, { ...options, dryRun: true })
  }

  /** Explain a user's access. Whether the user can open the account, business or site now, and why: as the owner of the account, by an ability on it, by one on what stands above it, or not at all. What keeps a user out in spite of that is listed as well: a suspended user, a deactivated business. */
  explainUserAccess(userId: number, query: ExplainUserAccessQuery, options?: CallOptions): Promise<Access> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/access`, query }, 'access', options)
  }

  /** Create a business. Creates an active business. Without `account_id` it belongs to the partner account that the key identifies. `POST /businesses` is the same endpoint. `external_id` in the query gives the business an id of your own at once. */
  createBusiness(business: NewBusiness, options?: CreateOptions): Promise<Business> {
    return this.#connection.record({ method: 'POST', path: 'businesses', body: { business }, isRepeatable: true }, 'business', options)
  }

  /** List businesses. All businesses in reach, by id, the deactivated ones too. */
  listBusinesses(query?: ListBusinessesQuery, options?: CallOptions): RecordList<Business> {
    return this.#connection.list({ method: 'GET', path: 'businesses', query }, 'businesses', options)
  }

  /** Create or update a business. Creates the business that you call `external_id`, or gives it another name where there is one: 201 or 200. The account is chosen at creation and stays; naming another one is refused. Send it as often as you like. */
  createOrUpdateBusiness(business: NewBusiness, query: CreateOrUpdateBusinessQuery, options?: WriteOptions): Promise<Business> {
    return this.#connection.record({ method: 'PUT', path: 'businesses', query, body: { business }, isRepeatable: true }, 'business', options)
  }

  /** Show a business. The business, whatever its state. */
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

  /** List managed accounts. The accounts that the partner manages, by id; the partner account is one of them. */
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

  /** Set the owner of an account. Makes a user of the account its owner, in place of whoever was. */
  setOwnerAccount(accountId: number, owner: ChangedOwner, options?: WriteOptions): Promise<Account> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/owner`, body: { owner }, isRepeatable: true }, 'account', options)
  }

  /** Clear the owner of an account. The account has no owner from now on. A repetition changes nothing. */
  clearOwnerAccount(accountId: number, options?: WriteOptions): Promise<Account> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}/owner`, isRepeatable: true }, 'account', options)
  }

  /** List sites. The sites of all managed accounts, by id. */
  listSites(query?: ListSitesQuery, options?: CallOptions): RecordList<Site> {
    return this.#connection.list({ method: 'GET', path: 'sites', query }, 'sites', options)
  }

  /** Create a site. Attaches a domain to a business. The reports of its account list the site from now on. */
  createSite(site: NewSite, options?: CreateOptions): Promise<Site> {
    return this.#connection.record({ method: 'POST', path: 'sites', body: { site }, isRepeatable: true }, 'site', options)
  }

  /** Show a site. The site. */
  showSite(siteId: number, options?: CallOptions): Promise<Site> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}` }, 'site', options)
  }

  /** Change a site. Gives the site another domain, or another business of the same account. Only what is given is changed. */
  changeSite(siteId: number, site: ChangedSite, options?: WriteOptions): Promise<Site> {
    return this.#connection.record({ method: 'PUT', path: `sites/${siteId}`, body: { site }, isRepeatable: true }, 'site', options)
  }

  /** Delete a site. Removes the site with everything that was measured of it and its competitors, the abilities on it and the links to it. There is no way back. The answer is the site as it was. */
  deleteSite(siteId: number, options?: WriteOptions): Promise<Site> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}`, isRepeatable: true }, 'site', options)
  }

  /** List keywords. The phrases whose rankings are tracked for the site itself, by id. */
  listKeywords(siteId: number, options?: CallOptions): RecordList<Keyword> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/keywords` }, 'keywords', options)
  }

  /** Add keywords. Adds up to 1,000 phrases, all or none. Those that are tracked already are answered as they are, so the request may be repeated. */
  addKeywords(siteId: number, keywords: readonly NewKeyword[], options?: WriteOptions): Promise<Keyword[]> {
    return this.#connection.record({ method: 'POST', path: `sites/${siteId}/keywords`, body: { keywords }, isRepeatable: true }, 'keywords', options)
  }

  /** Show a keyword. The keyword. */
  showKeyword(siteId: number, keywordId: number, options?: CallOptions): Promise<Keyword> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/keywords/${keywordId}` }, 'keyword', options)
  }

  /** Delete a keyword. Removes the keyword with all its rankings. The answer is the keyword as it was. */
  deleteKeyword(siteId: number, keywordId: number, options?: WriteOptions): Promise<Keyword> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}/keywords/${keywordId}`, isRepeatable: true }, 'keyword', options)
  }

  /** List competitors. The competitors of the site, by id; the reports know them by the same ids and domains. */
  listCompetitors(siteId: number, options?: CallOptions): RecordList<Competitor> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/competitors` }, 'competitors', options)
  }

  /** Add competitors. Adds up to 1,000 domains, all or none. Those that are known already are answered as they are, so the request may be repeated. */
  addCompetitors(siteId: number, competitors: readonly NewCompetitor[], options?: WriteOptions): Promise<Competitor[]> {
    return this.#connection.record({ method: 'POST', path: `sites/${siteId}/competitors`, body: { competitors }, isRepeatable: true }, 'competitors', options)
  }

  /** Show a competitor. The competitor. */
  showCompetitor(siteId: number, competitorId: number, options?: CallOptions): Promise<Competitor> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/competitors/${competitorId}` }, 'competitor', options)
  }

  /** Delete a competitor. Removes the competitor with everything that was measured of it. The answer is the competitor as it was. */
  deleteCompetitor(siteId: number, competitorId: number, options?: WriteOptions): Promise<Competitor> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}/competitors/${competitorId}`, isRepeatable: true }, 'competitor', options)
  }

  /** List pages with reviews. The pages on which the site and its competitors are reviewed, by id. */
  listPagesWithReviews(siteId: number, options?: CallOptions): RecordList<Page> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/pages` }, 'pages', options)
  }

  /** Add pages with reviews. Up to 1,000 at once, of the site itself or, with `competitor_id`, of one of its competitors. Pages that are there already stay as they are. Where the site has no location, its first page makes one. The answer lists all pages of the request. */
  addPagesWithReviews(siteId: number, pages: readonly NewPage[], options?: WriteOptions): Promise<Page[]> {
    return this.#connection.record({ method: 'POST', path: `sites/${siteId}/pages`, body: { pages }, isRepeatable: true }, 'pages', options)
  }

  /** Show a page with reviews. The page. */
  showPageWithReviews(siteId: number, pageId: number, options?: CallOptions): Promise<Page> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/pages/${pageId}` }, 'page', options)
  }

  /** Delete a page with reviews. Removes the page with its reviews and counts. The answer is the page as it was. */
  deletePageWithReviews(siteId: number, pageId: number, options?: WriteOptions): Promise<Page> {
    return this.#connection.record({ method: 'DELETE', path: `sites/${siteId}/pages/${pageId}`, isRepeatable: true }, 'page', options)
  }

  /** List reviews. The reviews of the page, by date and then by id, as the detail report lists them; days narrow the list. A page of the list holds at most 100 reviews, and fewer where their texts are long. */
  listReviews(siteId: number, pageId: number, query?: ListReviewsQuery, options?: CallOptions): RecordList<Review> {
    return this.#connection.list({ method: 'GET', path: `sites/${siteId}/pages/${pageId}/reviews`, query }, 'reviews', options)
  }

  /** Show a review. The review; the detail report knows it by the same id. Of a reviewer who was erased only the figures are left. */
  showReview(siteId: number, pageId: number, reviewId: number, options?: CallOptions): Promise<Review> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/pages/${pageId}/reviews/${reviewId}` }, 'review', options)
  }

  /** List locations. The locations of all sites in reach, by id; `site_id` narrows the list to the location of one site. */
  listLocations(query?: ListLocationsQuery, options?: CallOptions): RecordList<Location> {
    return this.#connection.list({ method: 'GET', path: 'locations', query }, 'locations', options)
  }

  /** Add locations. Up to 1,000 at once. A site has at most one location: sites that have one keep it as it is. The reputation reports list the sites from now on. The answer lists the locations of all sites of the request. */
  addLocations(locations: readonly NewLocation[], options?: WriteOptions): Promise<Location[]> {
    return this.#connection.record({ method: 'POST', path: 'locations', body: { locations }, isRepeatable: true }, 'locations', options)
  }

  /** Show a location. The location; the reputation reports know it by the same id. */
  showLocation(locationId: number, options?: CallOptions): Promise<Location> {
    return this.#connection.record({ method: 'GET', path: `locations/${locationId}` }, 'location', options)
  }

  /** Change a location. Changes what is given and leaves the rest; an empty text takes a page away. A repetition changes nothing. */
  changeLocation(locationId: number, location: ChangedLocation, options?: WriteOptions): Promise<Location> {
    return this.#connection.record({ method: 'PUT', path: `locations/${locationId}`, body: { location }, isRepeatable: true }, 'location', options)
  }

  /** Delete a location. Removes a location on which no pages hang, neither of the site nor of its competitors; otherwise it is refused with 409. The reputation reports leave the site out from now on. The answer is the location as it was. */
  deleteLocation(locationId: number, options?: WriteOptions): Promise<Location> {
    return this.#connection.record({ method: 'DELETE', path: `locations/${locationId}`, isRepeatable: true }, 'location', options)
  }

  /** Read your own id of an account. The id by which you know the account in your own system; null when none was set. */
  readYourOwnIdAccount(accountId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/external_id` }, 'external', options)
  }

  /** Set your own id of an account. Sets the id by which you know the account, unique among your accounts; an empty one takes it away. `GET /api/accounts?external_id=` finds it by that id. */
  setYourOwnIdAccount(accountId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** Read your own id of a user. The id by which you know the user in your own system; null when none was set. */
  readYourOwnIdUser(userId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `users/${userId}/external_id` }, 'external', options)
  }

  /** Set your own id of a user. Sets the id by which you know the user, unique among your users; an empty one takes it away. `GET /api/users?external_id=` finds it by that id. */
  setYourOwnIdUser(userId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `users/${userId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** Read your own id of a business. The id by which you know the business in your own system; null when none was set. */
  readYourOwnIdBusiness(businessId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `businesses/${businessId}/external_id` }, 'external', options)
  }

  /** Set your own id of a business. Sets the id by which you know the business, unique among your businesses; an empty one takes it away. `GET /api/businesses?external_id=` finds it by that id. */
  setYourOwnIdBusiness(businessId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `businesses/${businessId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** Read your own id of a site. The id by which you know the site in your own system; null when none was set. */
  readYourOwnIdSite(siteId: number, options?: CallOptions): Promise<External> {
    return this.#connection.record({ method: 'GET', path: `sites/${siteId}/external_id` }, 'external', options)
  }

  /** Set your own id of a site. Sets the id by which you know the site, unique among your sites; an empty one takes it away. `GET /api/sites?external_id=` finds it by that id. */
  setYourOwnIdSite(siteId: number, external: ChangedExternal, options?: WriteOptions): Promise<External> {
    return this.#connection.record({ method: 'PUT', path: `sites/${siteId}/external_id`, body: { external }, isRepeatable: true }, 'external', options)
  }

  /** List annotations. The annotations of all sites in reach, by id. */
  listAnnotations(query?: ListAnnotationsQuery, options?: CallOptions): RecordList<Annotation> {
    return this.#connection.list({ method: 'GET', path: 'annotations', query }, 'annotations', options)
  }

  /** Add an annotation. Pins a sentence to a day: the charts of the site mark the day and show it. At most 500 for a site. */
  addAnnotation(annotation: NewAnnotation, options?: WriteOptions): Promise<Annotation> {
    return this.#connection.record({ method: 'POST', path: 'annotations', body: { annotation }, isRepeatable: true }, 'annotation', options)
  }

  /** Show an annotation. The annotation. */
  showAnnotation(annotationId: number, options?: CallOptions): Promise<Annotation> {
    return this.#connection.record({ method: 'GET', path: `annotations/${annotationId}` }, 'annotation', options)
  }

  /** Delete an annotation. Takes the annotation off the charts. The answer is the annotation as it was. */
  deleteAnnotation(annotationId: number, options?: WriteOptions): Promise<Annotation> {
    return this.#connection.record({ method: 'DELETE', path: `annotations/${annotationId}`, isRepeatable: true }, 'annotation', options)
  }

  /** List report schedules. The schedules of the account, by id; at most ten. One that lists no sites is about every site. */
  listReportSchedules(accountId: number, options?: CallOptions): Promise<Schedule[]> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/schedules` }, 'schedules', options)
  }

  /** Schedule reports by mail. Mails a summary of the sites each week or month, with charts inside and a PDF attached. Users of the account get it at once; everybody else is asked to confirm first, and each mail can be unsubscribed with one click. The first mail is about the first period that ends from now on. */
  scheduleReportsByMail(accountId: number, schedule: NewSchedule, options?: WriteOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'POST', path: `accounts/${accountId}/schedules`, body: { schedule }, isRepeatable: true }, 'schedule', options)
  }

  /** Show a report schedule. The schedule, with what each recipient has said. */
  showReportSchedule(accountId: number, scheduleId: number, options?: CallOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'GET', path: `accounts/${accountId}/schedules/${scheduleId}` }, 'schedule', options)
  }

  /** Change a report schedule. Only what is given is changed. Recipients who are on the list already stay as they are, unsubscribed ones too; new ones are treated as at creation. */
  changeReportSchedule(accountId: number, scheduleId: number, schedule: ChangedSchedule, options?: WriteOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'PUT', path: `accounts/${accountId}/schedules/${scheduleId}`, body: { schedule }, isRepeatable: true }, 'schedule', options)
  }

  /** Delete a report schedule. No more mail is sent; what is queued already still goes out. The answer is the schedule as it was. */
  deleteReportSchedule(accountId: number, scheduleId: number, options?: WriteOptions): Promise<Schedule> {
    return this.#connection.record({ method: 'DELETE', path: `accounts/${accountId}/schedules/${scheduleId}`, isRepeatable: true }, 'schedule', options)
  }

  /** List keys. This key and those that were issued with it, by id, with their last use. What is secret of them is shown once, when they are made. */
  listKeys(options?: CallOptions): RecordList<Key> {
    return this.#connection.list({ method: 'GET', path: 'keys' }, 'keys', options)
  }

  /** Issue a key. Issues a key with some of the scopes and accounts of this one. It can never issue keys itself and does not outlive the key it comes from. A key that is limited to accounts finds nothing else anywhere: other accounts are as absent as those of other partners. */
  issueKey(key: NewKey, options?: WriteOptions): Promise<FreshKey> {
    return this.#connection.record({ method: 'POST', path: 'keys', body: { key }, isRepeatable: true }, 'fresh_key', options)
  }

  /** Show a key. The key, without what is secret of it. */
  showKey(keyId: number, options?: CallOptions): Promise<Key> {
    return this.#connection.record({ method: 'GET', path: `keys/${keyId}` }, 'key', options)
  }

  /** Rotate a key. A new key like the old one; the old one lives on for a while, so that clients can change over. What the old one has issued belongs to the new one. 409 when it is no longer valid. */
  rotateKey(keyId: number, rotation: NewRotation, options?: WriteOptions): Promise<FreshKey> {
    return this.#connection.record({ method: 'POST', path: `keys/${keyId}/rotate`, body: { rotation }, isRepeatable: true }, 'fresh_key', options)
  }

  /** Revoke a key. From the moment this is answered no request is served with the key, nor with any that was issued with it. A key may end itself. A repetition changes nothing. */
  revokeKey(keyId: number, options?: WriteOptions): Promise<Key> {
    return this.#connection.record({ method: 'DELETE', path: `keys/${keyId}`, isRepeatable: true }, 'key', options)
  }

  /** Show usage. The last 31 days, or those from `start_date` to `end_date`, the newest first; days on which nothing happened are left out. Days are counted in UTC and kept for 400. A request counts once it is answered, and is added to the figures within some seconds; when a process of the service crashes, what it counted in its last seconds is lost. Requests without a valid key and password are not counted. `records` tells what was taken in by pushes, uploads and imports, also by the operator on your behalf. A key that is limited to accounts learns only what was done with that key. The limits are those of the partner, over all its keys. */
  showUsage(query?: ShowUsageQuery, options?: CallOptions): Promise<Usage> {
    return this.#connection.record({ method: 'GET', path: 'usage', query }, 'usage', options)
  }

  /** Create and change many records. Up to 1,000 operations, each of which creates a record or, with `id`, changes one, by the rules of its own address. Each is answered by its place: with its id, or with what is wrong. Operations are done by themselves and do not wait for each other, so one must not need what another one makes; with `atomic` all are done in one transaction or none is. A repeat with the same Idempotency-Key does what is left and nothing twice, even where the first request was cut off. Each operation counts as a write of the rate limit: the request begins while one write is left, and what it took beyond the limit is waited for before the next write is let in. People take longest, about 30 milliseconds each: what is not reached within a minute is answered with 503 and may be repeated. */
  createChangeManyRecords(operations: readonly NewOperation[], query?: CreateChangeManyRecordsQuery, options?: WriteOptions): Promise<Bulk> {
    return this.#connection.record({ method: 'POST', path: 'bulk', query, body: { operations }, isRepeatable: true }, 'bulk', options)
  }

  /** SEO report. Accounts, sites and competitors by id, keywords by phrase, backlinks by the day they were found, rankings by time. Dates are inclusive days in UTC: rankings are filtered by `ranked_at`, backlinks by `found_on`; each single figure is the latest known on `end_date`, or the latest of all without one. Where nothing was measured a figure is 0, and `domain_authority` is null. `If-None-Match` with the `ETag` of an earlier answer costs almost nothing. The key alone suffices, unless the partner has switched that off. */
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

  /** Upload a file. Takes a file of records, as NDJSON, a JSON array or CSV, compressed with gzip or not, and answers once the file is safe on the disk. It is then stored in the background, one file of a partner after the other: everything is checked first, and a single line at fault leaves nothing stored. `GET` the address in `Location` to see how far it has come. At most 10 may wait. */
  uploadFile(observations: readonly Observation[], query?: UploadFileQuery, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'POST', path: 'intakes', query, body: observations }, 'intake', options)
  }

  /** List intakes. Every import, push and upload of the partner, by id, for as long as it can be undone. */
  listIntakes(options?: CallOptions): RecordList<Intake> {
    return this.#connection.list({ method: 'GET', path: 'intakes' }, 'intakes', options)
  }

  /** Show an intake. How far it has come, what it did by kind of record, and the first hundred faults. `interrupted` means that the file was lost with the disk it lay on: send it again. */
  showIntake(intakeId: number, options?: CallOptions): Promise<Intake> {
    return this.#connection.record({ method: 'GET', path: `intakes/${intakeId}` }, 'intake', options)
  }

  /** Cancel an intake. Cancels an upload that has not ended: one that waits at once, one that is being stored after what it stored has been taken back. What has ended is refused with 409; undo it instead. A repetition changes nothing. */
  cancelIntake(intakeId: number, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'DELETE', path: `intakes/${intakeId}`, isRepeatable: true }, 'intake', options)
  }

  /** Undo an intake. Takes back in the background what the intake created, and restores what it changed. What something else has changed since is left alone and listed. A repetition changes nothing. */
  undoIntake(intakeId: number, options?: WriteOptions): Promise<Intake> {
    return this.#connection.record({ method: 'POST', path: `intakes/${intakeId}/undo`, isRepeatable: true }, 'intake', options)
  }
}
