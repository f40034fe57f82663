/** The table of all endpoints of the API. Routing, documentation, OpenAPI and the tenancy guard read it. */

import { list } from '../fields/shape.ts'
import { routerOf } from '../http/router.ts'
import { access, effectiveAccess } from '../resources/access.ts'
import { account, accountDeletion, changedCustomer, customer, newCustomer, newOwner } from '../resources/account.ts'
import { annotation, newAnnotation } from '../resources/annotation.ts'
import { business, changedBusiness } from '../resources/business.ts'
import { feed } from '../resources/event.ts'
import { freshReadToken, newReadToken, readToken } from '../resources/figures/read-token.ts'
import { changedMapping, importMapping } from '../resources/imports/import-preset.ts'
import { changedSource, dataSource, newSource, sourceSite } from '../resources/imports/source.ts'
import { intake, refusedLine } from '../resources/intake.ts'
import { freshKey, keyRotation, newPartnerKey, partnerKey } from '../resources/key.ts'
import { changedLocation, location, newLocation } from '../resources/location.ts'
import { pushResult } from '../resources/push.ts'
import { pageReview, reputationCounts, reputationDetail } from '../resources/reputation.ts'
import { changedSchedule, newSchedule, schedule, suppression } from '../resources/schedule.ts'
import { seoReport } from '../resources/seo-report.ts'
import { freshShareLink, newShareLink, shareLink } from '../resources/share-link.ts'
import { changedSite, newSite, site } from '../resources/site.ts'
import { keyword, newCompetitor, newKeyword, newReviewPage, reviewPage, siteCompetitor } from '../resources/site-contents.ts'
import { usage } from '../resources/usage.ts'
import {
  changedStaffMember,
  changedUser,
  editor,
  loginLink,
  newColleague,
  newLoginLink,
  newStaffInvitation,
  staffInvitation,
  staffMember,
} from '../resources/user.ts'
import { allAbilities, previewAbilities } from './ability-answers.ts'
import * as accounts from './actions/accounts.ts'
import * as annotations from './actions/annotations.ts'
import * as brands from './actions/brands.ts'
import * as bulk from './actions/bulk.ts'
import * as businesses from './actions/businesses.ts'
import * as customers from './actions/customers.ts'
import * as events from './actions/events.ts'
import * as exported from './actions/export.ts'
import * as external from './actions/external-ids.ts'
import * as figures from './actions/figures.ts'
import * as intakes from './actions/intakes.ts'
import * as keys from './actions/keys.ts'
import * as lists from './actions/lists.ts'
import * as locations from './actions/locations.ts'
import * as observations from './actions/observations.ts'
import * as ability from './actions/people/abilities.ts'
import * as accessReasons from './actions/people/access.ts'
import * as colleagues from './actions/people/colleagues.ts'
import * as editors from './actions/people/editors.ts'
import * as staff from './actions/people/staff.ts'
import * as invitations from './actions/people/staff-invitations.ts'
import * as users from './actions/people/users.ts'
import * as reports from './actions/reports.ts'
import * as reviews from './actions/reviews.ts'
import * as schedules from './actions/schedules.ts'
import * as shareLinks from './actions/share-links.ts'
import * as contents from './actions/site-contents.ts'
import * as sites from './actions/sites.ts'
import * as sources from './actions/sources.ts'
import * as tokens from './actions/tokens.ts'
import * as used from './actions/usage.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import * as bodies from './endpoint-bodies.ts'
import { periodFilters, rankingFilters, summaryFilters } from './parameters/figures.ts'
import {
  abilityFlags,
  accessQuestion,
  accountFilters,
  annotationFilters,
  bulkFlags,
  businessFilters,
  calledSo,
  deletionFlags,
  eventFilters,
  exportScope,
  inCharge,
  inPages,
  linkFilters,
  locationFilters,
  mappingFilter,
  namedMapping,
  ownId,
  pushFlags,
  reputationFilters,
  reviewFilters,
  seoFilters,
  siteFilters,
  successor,
  suppressionFilters,
  undoFlags,
  uploadOptions,
  usageSpan,
  userFilters,
} from './parameters.ts'
import { accepted, created, createdOrChanged, paged, record, whole, withName } from './writers.ts'

// biome-ignore format: a table reads by its columns
export const endpoints: readonly Endpoint[] = [
  endpoint({ method: 'POST',   path: 'users',                                          access: 'provision',  id: 'createUser',               summary: 'Create a user',                  ...bodies.given, changes: true, body: bodies.userBody, query: ownId, act: users.create, answer: bodies.newUserMade }),
  endpoint({ method: 'GET',    path: 'users',                                          access: 'provision',  id: 'listUsers',                summary: 'List users',                     query: userFilters, formats: bodies.allFormats, table: lists.table('users'), act: users.index, answer: bodies.manyUsers }),
  endpoint({ method: 'GET',    path: 'users/{user_id}',                                access: 'provision',  id: 'showUser',                 summary: 'Show a user',                    act: users.show, answer: bodies.oneUser }),
  endpoint({ method: 'PUT',    path: 'users/{user_id}',                                access: 'provision',  id: 'changeUser',               summary: 'Change a user',                  changes: true, body: bodies.body('user', changedUser), act: users.change, answer: bodies.oneUser }),
  endpoint({ method: 'DELETE', path: 'users/{user_id}',                                access: 'provision',  id: 'deleteUser',               summary: 'Delete a user',                  changes: true, act: users.remove, answer: bodies.oneUser }),
  endpoint({ method: 'POST',   path: 'users/{user_id}/suspend',                        access: 'provision',  id: 'suspendUser',              summary: 'Suspend a user',                 changes: true, act: users.suspend, answer: bodies.oneUser }),
  endpoint({ method: 'POST',   path: 'users/{user_id}/unsuspend',                      access: 'provision',  id: 'unsuspendUser',            summary: 'Unsuspend a user',               changes: true, act: users.unsuspend, answer: bodies.oneUser }),
  endpoint({ method: 'POST',   path: 'users/{user_id}/login_link',                     access: 'login_link', id: 'makeLoginLink',            summary: 'Make a login link',              changes: true, body: bodies.body('login_link', newLoginLink), act: users.loginLink, answer: record('login_link', loginLink) }),
  endpoint({ method: 'GET',    path: 'users/{user_id}/abilities',                      access: 'provision',  id: 'viewUserAbilities',        summary: "View a user's abilities",        ...bodies.given, isConditional: true, act: ability.show, answer: allAbilities }),
  endpoint({ method: 'PUT',    path: 'users/{user_id}/abilities',                      access: 'provision',  id: 'updateUserAbilities',      summary: "Update a user's abilities",      ...bodies.given, changes: true, body: bodies.abilitiesBody, query: abilityFlags, isConditional: true, act: ability.update, answer: allAbilities, preview: previewAbilities }),
  endpoint({ method: 'GET',    path: 'users/{user_id}/access',                         access: 'provision',  id: 'explainUserAccess',        summary: "Explain a user's access",        query: accessQuestion, act: accessReasons.show, answer: record('access', access) }),
  endpoint({ method: 'GET',    path: 'users/{user_id}/effective_access',               access: 'provision',  id: 'showEffectiveAccess',      summary: 'Show all that a user sees',      act: accessReasons.effective, answer: record('effective_access', effectiveAccess) }),
  endpoint({ method: 'POST',   path: 'businesses',                                     access: 'provision',  id: 'createBusiness',           summary: 'Create a business',              ...bodies.given, changes: true, body: bodies.businessBody, query: ownId, act: businesses.create, answer: created('business', business, 'businesses'), alias: '/businesses' }),
  endpoint({ method: 'GET',    path: 'businesses',                                     access: 'provision',  id: 'listBusinesses',           summary: 'List businesses',                query: businessFilters, formats: bodies.allFormats, table: lists.table('businesses'), act: businesses.index, answer: paged('businesses', list('business', business)) }),
  endpoint({ method: 'PUT',    path: 'businesses',                                     access: 'provision',  id: 'createOrUpdateBusiness',   summary: 'Create or update a business',    changes: true, body: bodies.businessBody, query: calledSo, act: businesses.put, answer: createdOrChanged('business', business, 'businesses') }),
  endpoint({ method: 'GET',    path: 'businesses/{business_id}',                       access: 'provision',  id: 'showBusiness',             summary: 'Show a business',                act: businesses.show, answer: bodies.oneBusiness }),
  endpoint({ method: 'PUT',    path: 'businesses/{business_id}',                       access: 'provision',  id: 'renameBusiness',           summary: 'Rename a business',              changes: true, body: bodies.body('business', changedBusiness), act: businesses.change, answer: bodies.oneBusiness }),
  endpoint({ method: 'GET',    path: 'businesses/{business_id}/deactivate',            access: 'provision',  id: 'deactivateBusinessByGet',  summary: 'Deactivate a business',          ...bodies.given, changes: true, act: businesses.deactivate, answer: bodies.oneBusiness }),
  endpoint({ method: 'POST',   path: 'businesses/{business_id}/deactivate',            access: 'provision',  id: 'deactivateBusiness',       summary: 'Deactivate a business',          ...bodies.given, changes: true, act: businesses.deactivate, answer: bodies.oneBusiness }),
  endpoint({ method: 'GET',    path: 'businesses/{business_id}/reactivate',            access: 'provision',  id: 'reactivateBusinessByGet',  summary: 'Reactivate a business',          ...bodies.given, changes: true, act: businesses.reactivate, answer: bodies.oneBusiness }),
  endpoint({ method: 'POST',   path: 'businesses/{business_id}/reactivate',            access: 'provision',  id: 'reactivateBusiness',       summary: 'Reactivate a business',          ...bodies.given, changes: true, act: businesses.reactivate, answer: bodies.oneBusiness }),
  endpoint({ method: 'GET',    path: 'accounts',                                       access: 'provision',  id: 'listManagedAccounts',      summary: 'List managed accounts',          query: accountFilters, formats: bodies.allFormats, table: lists.table('accounts'), act: accounts.index, answer: paged('accounts', list('account', account)) }),
  endpoint({ method: 'POST',   path: 'accounts',                                       access: 'provision',  id: 'createAccount',            summary: 'Create an account',              changes: true, body: bodies.accountBody, query: ownId, act: accounts.create, answer: created('account', account, 'accounts') }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}',                          access: 'provision',  id: 'showAccount',              summary: 'Show an account',                act: accounts.show, answer: bodies.oneAccount }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}',                          access: 'provision',  id: 'renameAccount',            summary: 'Rename an account',              changes: true, body: bodies.accountBody, act: accounts.change, answer: bodies.oneAccount }),
  endpoint({ method: 'DELETE', path: 'accounts/{account_id}',                          access: 'provision',  id: 'deleteAccount',            summary: 'Delete an account',              changes: true, query: deletionFlags, act: accounts.remove, answer: bodies.oneAccount, preview: { act: accounts.previewRemoval, answer: withName('account_deletion', record('deletion', accountDeletion)) } }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}/owner',                    access: 'provision',  id: 'setAccountOwner',          summary: 'Set the owner of an account',    was: 'setOwnerAccount', changes: true, body: bodies.body('owner', newOwner), act: accounts.giveOwner, answer: bodies.oneAccount }),
  endpoint({ method: 'DELETE', path: 'accounts/{account_id}/owner',                    access: 'provision',  id: 'clearAccountOwner',        summary: 'Clear the owner of an account',  was: 'clearOwnerAccount', changes: true, act: accounts.takeOwner, answer: bodies.oneAccount }),
  endpoint({ method: 'POST',   path: 'customers',                                      access: 'provision',  id: 'createCustomer',           summary: 'Create a customer',              changes: true, body: bodies.body('customer', newCustomer), query: inCharge, act: customers.create, answer: created('customer', customer, 'customers') }),
  endpoint({ method: 'GET',    path: 'customers/{account_id}',                         access: 'provision',  id: 'showCustomer',             summary: 'Show a customer',                act: customers.show, answer: bodies.oneCustomer }),
  endpoint({ method: 'PUT',    path: 'customers/{account_id}',                         access: 'provision',  id: 'changeCustomer',           summary: 'Change a customer',              changes: true, body: bodies.body('customer', changedCustomer), act: customers.change, answer: bodies.oneCustomer }),
  endpoint({ method: 'POST',   path: 'customers/{account_id}/deactivate',              access: 'provision',  id: 'deactivateCustomer',       summary: 'Deactivate a customer',          changes: true, act: customers.deactivate, answer: bodies.oneCustomer }),
  endpoint({ method: 'POST',   path: 'customers/{account_id}/reactivate',              access: 'provision',  id: 'reactivateCustomer',       summary: 'Reactivate a customer',          changes: true, act: customers.reactivate, answer: bodies.oneCustomer }),
  endpoint({ method: 'POST',   path: 'customers/{account_id}/archive',                 access: 'provision',  id: 'archiveCustomer',          summary: 'Archive a customer',             changes: true, act: customers.archive, answer: bodies.oneCustomer }),
  endpoint({ method: 'POST',   path: 'customers/{account_id}/unarchive',               access: 'provision',  id: 'unarchiveCustomer',        summary: 'Take a customer out of the archive', changes: true, act: customers.unarchive, answer: bodies.oneCustomer }),
  endpoint({ method: 'GET',    path: 'sites',                                          access: 'provision',  id: 'listSites',                summary: 'List sites',                     query: siteFilters, formats: bodies.allFormats, table: lists.table('sites'), act: sites.index, answer: paged('sites', list('site', site)) }),
  endpoint({ method: 'POST',   path: 'sites',                                          access: 'provision',  id: 'createSite',               summary: 'Create a site',                  changes: true, body: bodies.body('site', newSite), query: ownId, act: sites.create, answer: created('site', site, 'sites') }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}',                                access: 'provision',  id: 'showSite',                 summary: 'Show a site',                    act: sites.show, answer: bodies.oneSite }),
  endpoint({ method: 'PUT',    path: 'sites/{site_id}',                                access: 'provision',  id: 'changeSite',               summary: 'Change a site',                  changes: true, body: bodies.body('site', changedSite), act: sites.change, answer: bodies.oneSite }),
  endpoint({ method: 'DELETE', path: 'sites/{site_id}',                                access: 'provision',  id: 'deleteSite',               summary: 'Delete a site',                  changes: true, act: sites.remove, answer: bodies.oneSite }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/keywords',                       access: 'provision',  id: 'listKeywords',             summary: 'List keywords',                  query: inPages, act: contents.keywords, answer: paged('keywords', list('keyword', keyword)) }),
  endpoint({ method: 'POST',   path: 'sites/{site_id}/keywords',                       access: 'provision',  id: 'addKeywords',              summary: 'Add keywords',                   changes: true, body: bodies.entries('keywords', list('keyword', newKeyword)), act: contents.createKeywords, answer: whole('keywords', list('keyword', keyword)) }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/keywords/{keyword_id}',          access: 'provision',  id: 'showKeyword',              summary: 'Show a keyword',                 act: contents.showKeyword, answer: bodies.oneKeyword }),
  endpoint({ method: 'DELETE', path: 'sites/{site_id}/keywords/{keyword_id}',          access: 'provision',  id: 'deleteKeyword',            summary: 'Delete a keyword',               changes: true, act: contents.removeKeyword, answer: bodies.oneKeyword }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/competitors',                    access: 'provision',  id: 'listCompetitors',          summary: 'List competitors',               query: inPages, act: contents.competitors, answer: paged('competitors', list('competitor', siteCompetitor)) }),
  endpoint({ method: 'POST',   path: 'sites/{site_id}/competitors',                    access: 'provision',  id: 'addCompetitors',           summary: 'Add competitors',                changes: true, body: bodies.entries('competitors', list('competitor', newCompetitor)), act: contents.createCompetitors, answer: whole('competitors', list('competitor', siteCompetitor)) }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/competitors/{competitor_id}',    access: 'provision',  id: 'showCompetitor',           summary: 'Show a competitor',              act: contents.showCompetitor, answer: bodies.oneCompetitor }),
  endpoint({ method: 'DELETE', path: 'sites/{site_id}/competitors/{competitor_id}',    access: 'provision',  id: 'deleteCompetitor',         summary: 'Delete a competitor',            changes: true, act: contents.removeCompetitor, answer: bodies.oneCompetitor }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/pages',                          access: 'provision',  id: 'listReviewPages',          summary: 'List pages with reviews',        was: 'listPagesWithReviews', query: inPages, act: contents.pages, answer: paged('pages', list('page', reviewPage)) }),
  endpoint({ method: 'POST',   path: 'sites/{site_id}/pages',                          access: 'provision',  id: 'addReviewPages',           summary: 'Add pages with reviews',         was: 'addPagesWithReviews', changes: true, body: bodies.longEntries('pages', list('page', newReviewPage)), act: contents.createPages, answer: whole('pages', list('page', reviewPage)) }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/pages/{page_id}',                access: 'provision',  id: 'showReviewPage',           summary: 'Show a page with reviews',       was: 'showPageWithReviews', act: contents.showPage, answer: bodies.onePage }),
  endpoint({ method: 'DELETE', path: 'sites/{site_id}/pages/{page_id}',                access: 'provision',  id: 'deleteReviewPage',         summary: 'Delete a page with reviews',     was: 'deletePageWithReviews', changes: true, act: contents.removePage, answer: bodies.onePage }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/pages/{page_id}/reviews',        access: 'provision',  id: 'listReviews',              summary: 'List reviews',                   query: reviewFilters, act: reviews.index, answer: paged('reviews', list('review', pageReview)) }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/pages/{page_id}/reviews/{review_id}', access: 'provision', id: 'showReview',               summary: 'Show a review',              act: reviews.show, answer: record('review', pageReview) }),
  endpoint({ method: 'GET',    path: 'locations',                                      access: 'provision',  id: 'listLocations',            summary: 'List locations',                 query: locationFilters, act: locations.index, answer: paged('locations', list('location', location)) }),
  endpoint({ method: 'POST',   path: 'locations',                                      access: 'provision',  id: 'addLocations',             summary: 'Add locations',                  changes: true, body: bodies.longEntries('locations', list('location', newLocation)), act: locations.create, answer: whole('locations', list('location', location)) }),
  endpoint({ method: 'GET',    path: 'locations/{location_id}',                        access: 'provision',  id: 'showLocation',             summary: 'Show a location',                act: locations.show, answer: bodies.oneLocation }),
  endpoint({ method: 'PUT',    path: 'locations/{location_id}',                        access: 'provision',  id: 'changeLocation',           summary: 'Change a location',              changes: true, body: bodies.body('location', changedLocation), act: locations.change, answer: bodies.oneLocation }),
  endpoint({ method: 'DELETE', path: 'locations/{location_id}',                        access: 'provision',  id: 'deleteLocation',           summary: 'Delete a location',              changes: true, act: locations.remove, answer: bodies.oneLocation }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/external_id',              access: 'provision',  id: 'showAccountExternalId',    summary: 'Read your own id of an account', was: 'readYourOwnIdAccount', act: external.show('account'), answer: bodies.oneExternal }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}/external_id',              access: 'provision',  id: 'setAccountExternalId',     summary: 'Set your own id of an account',  was: 'setYourOwnIdAccount', changes: true, body: bodies.externalBody, act: external.set('account'), answer: bodies.oneExternal }),
  endpoint({ method: 'GET',    path: 'users/{user_id}/external_id',                    access: 'provision',  id: 'showUserExternalId',       summary: 'Read your own id of a user',     was: 'readYourOwnIdUser', act: external.show('user'), answer: bodies.oneExternal }),
  endpoint({ method: 'PUT',    path: 'users/{user_id}/external_id',                    access: 'provision',  id: 'setUserExternalId',        summary: 'Set your own id of a user',      was: 'setYourOwnIdUser', changes: true, body: bodies.externalBody, act: external.set('user'), answer: bodies.oneExternal }),
  endpoint({ method: 'GET',    path: 'businesses/{business_id}/external_id',           access: 'provision',  id: 'showBusinessExternalId',   summary: 'Read your own id of a business', was: 'readYourOwnIdBusiness', act: external.show('business'), answer: bodies.oneExternal }),
  endpoint({ method: 'PUT',    path: 'businesses/{business_id}/external_id',           access: 'provision',  id: 'setBusinessExternalId',    summary: 'Set your own id of a business',  was: 'setYourOwnIdBusiness', changes: true, body: bodies.externalBody, act: external.set('business'), answer: bodies.oneExternal }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/external_id',                    access: 'provision',  id: 'showSiteExternalId',       summary: 'Read your own id of a site',     was: 'readYourOwnIdSite', act: external.show('site'), answer: bodies.oneExternal }),
  endpoint({ method: 'PUT',    path: 'sites/{site_id}/external_id',                    access: 'provision',  id: 'setSiteExternalId',        summary: 'Set your own id of a site',      was: 'setYourOwnIdSite', changes: true, body: bodies.externalBody, act: external.set('site'), answer: bodies.oneExternal }),
  endpoint({ method: 'GET',    path: 'annotations',                                    access: 'provision',  id: 'listAnnotations',          summary: 'List annotations',               query: annotationFilters, act: annotations.index, answer: paged('annotations', list('annotation', annotation)) }),
  endpoint({ method: 'POST',   path: 'annotations',                                    access: 'provision',  id: 'addAnnotation',            summary: 'Add an annotation',              changes: true, body: bodies.body('annotation', newAnnotation), act: annotations.create, answer: created('annotation', annotation, 'annotations') }),
  endpoint({ method: 'GET',    path: 'annotations/{annotation_id}',                    access: 'provision',  id: 'showAnnotation',           summary: 'Show an annotation',             act: annotations.show, answer: bodies.oneAnnotation }),
  endpoint({ method: 'DELETE', path: 'annotations/{annotation_id}',                    access: 'provision',  id: 'deleteAnnotation',         summary: 'Delete an annotation',           changes: true, act: annotations.remove, answer: bodies.oneAnnotation }),
  endpoint({ method: 'GET',    path: 'share_links',                                    access: 'provision',  id: 'listShareLinks',           summary: 'List share links',               query: linkFilters, act: shareLinks.index, answer: paged('share_links', list('share_link', shareLink)) }),
  endpoint({ method: 'POST',   path: 'share_links',                                    access: 'provision',  id: 'createShareLink',          summary: 'Share a site by a link',         changes: true, body: bodies.body('share_link', newShareLink), act: shareLinks.create, answer: created('fresh_share_link', freshShareLink, 'share_links') }),
  endpoint({ method: 'GET',    path: 'share_links/{share_link_id}',                    access: 'provision',  id: 'showShareLink',            summary: 'Show a share link',              act: shareLinks.show, answer: bodies.oneShareLink }),
  endpoint({ method: 'DELETE', path: 'share_links/{share_link_id}',                    access: 'provision',  id: 'revokeShareLink',          summary: 'Revoke a share link',            changes: true, act: shareLinks.revoke, answer: bodies.oneShareLink }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/schedules',                access: 'provision',  id: 'listReportSchedules',      summary: 'List report schedules',          act: schedules.index, answer: whole('schedules', list('schedule', schedule)) }),
  endpoint({ method: 'POST',   path: 'accounts/{account_id}/schedules',                access: 'provision',  id: 'createReportSchedule',     summary: 'Schedule reports by mail',       was: 'scheduleReportsByMail', changes: true, body: bodies.body('schedule', newSchedule), act: schedules.create, answer: created('schedule', schedule, 'accounts/{account_id}/schedules') }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/schedules/{schedule_id}',  access: 'provision',  id: 'showReportSchedule',       summary: 'Show a report schedule',         act: schedules.show, answer: bodies.oneSchedule }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}/schedules/{schedule_id}',  access: 'provision',  id: 'changeReportSchedule',     summary: 'Change a report schedule',       changes: true, body: bodies.body('schedule', changedSchedule), act: schedules.change, answer: bodies.oneSchedule }),
  endpoint({ method: 'DELETE', path: 'accounts/{account_id}/schedules/{schedule_id}',  access: 'provision',  id: 'deleteReportSchedule',     summary: 'Delete a report schedule',       changes: true, act: schedules.remove, answer: bodies.oneSchedule }),
  endpoint({ method: 'GET',    path: 'suppressions',                                   access: 'provision',  id: 'listSuppressions',         summary: 'List suppressed addresses',      query: suppressionFilters, act: schedules.suppressions, answer: paged('suppressions', list('suppression', suppression)) }),
  endpoint({ method: 'GET',    path: 'suppressions/{suppression_id}',                  access: 'provision',  id: 'showSuppression',          summary: 'Show a suppressed address',      act: schedules.showSuppression, answer: bodies.oneSuppression }),
  endpoint({ method: 'DELETE', path: 'suppressions/{suppression_id}',                  access: 'provision',  id: 'endSuppression',           summary: 'Take an address off the list of suppressed ones', changes: true, act: schedules.endSuppressed, answer: bodies.oneSuppression }),
  endpoint({ method: 'GET',    path: 'keys',                                           access: 'keys',       id: 'listKeys',                 summary: 'List keys',                      query: inPages, act: keys.index, answer: paged('keys', list('key', partnerKey)) }),
  endpoint({ method: 'POST',   path: 'keys',                                           access: 'keys',       id: 'issueKey',                 summary: 'Issue a key',                    changes: true, body: bodies.body('key', newPartnerKey), act: keys.create, answer: created('fresh_key', freshKey, 'keys') }),
  endpoint({ method: 'GET',    path: 'keys/{key_id}',                                  access: 'keys',       id: 'showKey',                  summary: 'Show a key',                     act: keys.show, answer: bodies.oneKey }),
  endpoint({ method: 'POST',   path: 'keys/{key_id}/rotate',                           access: 'keys',       id: 'rotateKey',                summary: 'Rotate a key',                   changes: true, body: bodies.body('rotation', keyRotation), act: keys.rotate, answer: created('fresh_key', freshKey, 'keys') }),
  endpoint({ method: 'DELETE', path: 'keys/{key_id}',                                  access: 'keys',       id: 'revokeKey',                summary: 'Revoke a key',                   changes: true, act: keys.revoke, answer: bodies.oneKey }),
  endpoint({ method: 'GET',    path: 'tokens',                                         access: 'report',     id: 'listTokens',               summary: 'List tokens',                    ...bodies.ofTokens, query: inPages, act: tokens.index, answer: paged('tokens', list('token', readToken)) }),
  endpoint({ method: 'POST',   path: 'tokens',                                         access: 'report',     id: 'issueToken',               summary: 'Issue a token',                  ...bodies.ofTokens, changes: true, body: bodies.body('token', newReadToken), act: tokens.create, answer: created('fresh_token', freshReadToken, 'tokens') }),
  endpoint({ method: 'GET',    path: 'tokens/{token_id}',                              access: 'report',     id: 'showToken',                summary: 'Show a token',                   ...bodies.ofTokens, act: tokens.show, answer: bodies.oneToken }),
  endpoint({ method: 'DELETE', path: 'tokens/{token_id}',                              access: 'report',     id: 'revokeToken',              summary: 'Revoke a token',                 ...bodies.ofTokens, changes: true, act: tokens.revoke, answer: bodies.oneToken }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/editors',                  access: 'provision',  id: 'listAccountEditors',       summary: 'List the editors of an account', act: editors.index, answer: whole('editors', list('editor', editor)) }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/editors/{user_id}',        access: 'provision',  id: 'showAccountEditor',        summary: 'Show an editor of an account',   act: editors.show, answer: bodies.oneEditor }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}/editors/{user_id}',        access: 'provision',  id: 'addAccountEditor',         summary: 'Add an editor to an account',    changes: true, act: editors.add, answer: bodies.oneEditor }),
  endpoint({ method: 'DELETE', path: 'accounts/{account_id}/editors/{user_id}',        access: 'provision',  id: 'removeAccountEditor',      summary: 'Remove an editor of an account', changes: true, act: editors.remove, answer: bodies.oneEditor }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/colleague',                access: 'staff',      id: 'showColleague',            summary: 'Show who looks after an account', act: colleagues.show, answer: bodies.oneColleague }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}/colleague',                access: 'staff',      id: 'setColleague',             summary: 'Set who looks after an account', changes: true, body: bodies.body('colleague', newColleague), act: colleagues.set, answer: bodies.oneColleague }),
  endpoint({ method: 'DELETE', path: 'accounts/{account_id}/colleague',                access: 'staff',      id: 'removeColleague',          summary: 'Let nobody look after an account', changes: true, act: colleagues.remove, answer: bodies.oneColleague }),
  endpoint({ method: 'GET',    path: 'staff',                                          access: 'staff',      id: 'listStaff',                summary: 'List staff',                     act: staff.index, answer: whole('staff', list('staff_member', staffMember)) }),
  endpoint({ method: 'POST',   path: 'staff',                                          access: 'staff',      id: 'inviteStaff',              summary: 'Invite somebody to the staff',   changes: true, body: bodies.body('staff_invitation', newStaffInvitation), act: invitations.create, answer: created('staff_invitation', staffInvitation, 'staff_invitations') }),
  endpoint({ method: 'GET',    path: 'staff/{staff_id}',                               access: 'staff',      id: 'showStaffMember',          summary: 'Show somebody of the staff',     act: staff.show, answer: bodies.oneStaffMember }),
  endpoint({ method: 'PUT',    path: 'staff/{staff_id}',                               access: 'staff',      id: 'changeStaffMember',        summary: 'Change the role of somebody of the staff', changes: true, body: bodies.body('staff_member', changedStaffMember), act: staff.change, answer: bodies.oneStaffMember }),
  endpoint({ method: 'DELETE', path: 'staff/{staff_id}',                               access: 'staff',      id: 'removeStaffMember',        summary: 'Remove somebody from the staff', changes: true, query: successor, act: staff.remove, answer: bodies.oneStaffMember }),
  endpoint({ method: 'GET',    path: 'staff_invitations',                              access: 'staff',      id: 'listStaffInvitations',     summary: 'List invitations to the staff',  act: invitations.index, answer: whole('staff_invitations', list('staff_invitation', staffInvitation)) }),
  endpoint({ method: 'GET',    path: 'staff_invitations/{invitation_id}',              access: 'staff',      id: 'showStaffInvitation',      summary: 'Show an invitation to the staff', act: invitations.show, answer: bodies.oneInvitation }),
  endpoint({ method: 'DELETE', path: 'staff_invitations/{invitation_id}',              access: 'staff',      id: 'withdrawStaffInvitation',  summary: 'Withdraw an invitation to the staff', changes: true, act: invitations.remove, answer: bodies.oneInvitation }),
  endpoint({ method: 'GET',    path: 'brand',                                          access: 'provision',  id: 'showBrand',                summary: 'Show the brand',                 act: brands.show, answer: bodies.oneBrand }),
  endpoint({ method: 'PUT',    path: 'brand',                                          access: 'provision',  id: 'changeBrand',              summary: 'Change the brand',               changes: true, body: bodies.brandBody, act: brands.change, answer: bodies.oneBrand }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/brand',                    access: 'provision',  id: 'showAccountBrand',         summary: 'Show the brand of an account',   act: brands.showOfAccount, answer: bodies.oneBrand }),
  endpoint({ method: 'PUT',    path: 'accounts/{account_id}/brand',                    access: 'provision',  id: 'changeAccountBrand',       summary: 'Change the brand of an account', changes: true, body: bodies.brandBody, act: brands.changeOfAccount, answer: bodies.oneBrand }),
  endpoint({ method: 'GET',    path: 'usage',                                          access: 'provision',  id: 'showUsage',                summary: 'Show usage',                     query: usageSpan, act: used.show, answer: record('usage', usage) }),
  endpoint({ method: 'GET',    path: 'events',                                         access: 'events',     id: 'listEvents',               summary: 'Read what happened',             query: eventFilters, waiting: events.waiting, act: events.index, answer: withName('event_feed', record('feed', feed)) }),
  endpoint({ method: 'POST',   path: 'bulk',                                           access: 'provision',  id: 'changeInBulk',             summary: 'Create and change many records', was: 'createChangeManyRecords', changes: true, work: 'push', body: bodies.bulkBody, query: bulkFlags, countsAs: bulk.countsAs, act: bulk.run, answer: bodies.bulkAnswer }),
  endpoint({ method: 'GET',    path: 'seo_report',                                     access: 'report',     id: 'seoReport',                summary: 'SEO report',                     ...bodies.given, isOpenToTokens: true, query: seoFilters, formats: bodies.allFormats, content: { root: 'hash', of: seoReport }, stream: reports.seo }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/reputation_report/detail', access: 'report',     id: 'reputationReportDetail',   summary: 'Reputation report, detail',      ...bodies.given, query: reputationFilters, formats: bodies.allFormats, content: { root: 'account', of: reputationDetail }, stream: reports.detail }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/reputation_report/counts', access: 'report',     id: 'reputationReportCounts',   summary: 'Reputation report, counts',      ...bodies.given, query: reputationFilters, formats: bodies.allFormats, content: { root: 'account', of: reputationCounts }, stream: reports.counts }),
  endpoint({ method: 'GET',    path: 'summary',                                        access: 'report',     id: 'listSiteSummaries',        summary: 'Summarize all sites',            needsPassword: true, isOpenToTokens: true, formats: bodies.allFormats, query: summaryFilters, act: figures.ofAll, answer: bodies.manySiteLines }),
  endpoint({ method: 'GET',    path: 'accounts/{account_id}/summary',                  access: 'report',     id: 'listAccountSummaries',     summary: 'Summarize the sites of an account', needsPassword: true, isOpenToTokens: true, formats: bodies.allFormats, query: summaryFilters, act: figures.ofAccount, answer: bodies.manySiteLines }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/summary',                        access: 'report',     id: 'showSiteSummary',          summary: 'Summarize a site',               needsPassword: true, isOpenToTokens: true, formats: bodies.allFormats, query: periodFilters, act: figures.ofSite, answer: bodies.oneSummary }),
  endpoint({ method: 'GET',    path: 'sites/{site_id}/rankings',                       access: 'report',     id: 'listRankings',             summary: 'List rankings',                  needsPassword: true, isOpenToTokens: true, formats: bodies.allFormats, query: rankingFilters, act: figures.rankings, answer: bodies.manyRankings }),
  endpoint({ method: 'GET',    path: 'export',                                         access: 'provision',  id: 'exportAccounts',           summary: 'Export whole accounts',          alsoNeeds: 'report', isKeptFromRead: true, work: 'report', query: exportScope, formats: ['json'], areLines: true, stream: exported.stream }),
  endpoint({ method: 'POST',   path: 'observations',                                   access: 'ingest',     id: 'pushObservations',         summary: 'Push measured records',          was: 'pushMeasuredRecords', changes: true, query: pushFlags, takes: bodies.pushed, content: { root: 'observations', of: pushResult }, also: bodies.pushOutcomes, work: 'push', receive: observations.receive, stream: observations.push }),
  endpoint({ method: 'GET',    path: 'mappings',                                       access: 'ingest',     id: 'listMappings',             summary: 'List saved mappings',            query: mappingFilter, act: intakes.mappings, answer: whole('mappings', list('mapping', importMapping)) }),
  endpoint({ method: 'PUT',    path: 'mappings',                                       access: 'ingest',     id: 'renameMapping',            summary: 'Rename a saved mapping',         changes: true, body: bodies.body('mapping', changedMapping), query: namedMapping, act: intakes.renameSaved, answer: bodies.oneMapping }),
  endpoint({ method: 'DELETE', path: 'mappings',                                       access: 'ingest',     id: 'deleteMapping',            summary: 'Delete a saved mapping',         changes: true, query: namedMapping, act: intakes.deleteSaved, answer: bodies.oneMapping }),
  endpoint({ method: 'POST',   path: 'intakes',                                        access: 'ingest',     id: 'uploadFile',               summary: 'Upload a file',                  changes: true, query: uploadOptions, takes: bodies.uploaded, receives: 'file', receive: intakes.receive, act: intakes.create, answer: accepted('intake', intake, 'intakes') }),
  endpoint({ method: 'GET',    path: 'intakes',                                        access: 'ingest',     id: 'listIntakes',              summary: 'List intakes',                   query: inPages, act: intakes.index, answer: paged('intakes', list('intake', intake)) }),
  endpoint({ method: 'GET',    path: 'intakes/{intake_id}',                            access: 'ingest',     id: 'showIntake',               summary: 'Show an intake',                 act: intakes.show, answer: record('intake', intake) }),
  endpoint({ method: 'POST',   path: 'intakes/{intake_id}/release',                    access: 'ingest',     id: 'releaseIntake',            summary: 'Release a parked intake',        changes: true, act: intakes.release, answer: bodies.intakeToCome }),
  endpoint({ method: 'DELETE', path: 'intakes/{intake_id}',                            access: 'ingest',     id: 'cancelIntake',             summary: 'Cancel an intake',               changes: true, act: intakes.cancel, answer: record('intake', intake) }),
  endpoint({ method: 'GET',    path: 'intakes/{intake_id}/refused',                    access: 'ingest',     id: 'listRefusedLines',         summary: 'List refused lines',             query: inPages, formats: bodies.allFormats, act: intakes.refused, table: intakes.refusedTable, answer: paged('refused_lines', list('refused_line', refusedLine)) }),
  endpoint({ method: 'POST',   path: 'intakes/{intake_id}/undo',                       access: 'ingest',     id: 'undoIntake',               summary: 'Undo an intake',                 changes: true, query: undoFlags, act: intakes.undo, answer: bodies.intakeToCome, preview: { act: intakes.tryUndo, answer: bodies.triedIntake } }),
  endpoint({ method: 'GET',    path: 'sources',                                      access: 'ingest',     id: 'listSources',              summary: 'List sources',                  query: inPages, act: sources.index, answer: paged('sources', list('source', dataSource)) }),
  endpoint({ method: 'POST',   path: 'sources',                                      access: 'ingest',     id: 'createSource',             summary: 'Add a source',                  alsoNeeds: 'provision', changes: true, body: bodies.body('source', newSource), act: sources.create, answer: created('source', dataSource, 'sources') }),
  endpoint({ method: 'GET',    path: 'sources/{source_id}',                          access: 'ingest',     id: 'showSource',               summary: 'Show a source',                 act: sources.show, answer: bodies.oneSource }),
  endpoint({ method: 'PUT',    path: 'sources/{source_id}',                          access: 'ingest',     id: 'changeSource',             summary: 'Change a source',               alsoNeeds: 'provision', changes: true, body: bodies.body('source', changedSource), act: sources.change, answer: bodies.oneSource }),
  endpoint({ method: 'POST',   path: 'sources/{source_id}/run',                      access: 'ingest',     id: 'runSource',                summary: 'Run a source at once',          changes: true, act: sources.run, answer: bodies.oneSource }),
  endpoint({ method: 'GET',    path: 'sources/{source_id}/sites',                    access: 'ingest',     id: 'listSourceSites',          summary: 'List the sites of a source',    query: inPages, act: sources.sites, answer: paged('source_sites', list('source_site', sourceSite)) }),
  endpoint({ method: 'DELETE', path: 'sources/{source_id}',                          access: 'ingest',     id: 'deleteSource',             summary: 'Delete a source',               alsoNeeds: 'provision', changes: true, act: sources.remove, answer: bodies.oneSource }),
]

/** The endpoints at a path without its extension, one for each method. */
export const endpointsAt = routerOf(
  endpoints.flatMap((row) => [`/api/${row.path}`, ...(row.alias === undefined ? [] : [row.alias])].map((path) => [path, row] as const)),
)
