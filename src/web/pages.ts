/** The table of all pages: the address of each, who may see it, and the function that shows it. */

import { idIn } from '../lib/text-kinds.ts'
import type { StaffPost } from '../model/core/caller.ts'
import { halfWithData } from '../model/dashboard/halves.ts'
import { openSite } from '../model/people/visible-sites.ts'
import { periodQuery } from './components/period.ts'
import { type PageAnswer, type PageRequest, type PersonPageRequest, type ReaderPageRequest, redirect } from './page-request.ts'
import { createAnnotation, deleteAnnotation } from './screens/annotations.ts'
import { submitAttention } from './screens/attention.ts'
import { showAdd, submitAdd } from './screens/desk/add.ts'
import { showAddMany, submitAddMany, submitTableFile } from './screens/desk/add-many.ts'
import { showAddress, submitAddress } from './screens/desk/brand/address.ts'
import { showBrandPage, submitBrand } from './screens/desk/brand/brand.ts'
import { showLogos, submitLogos } from './screens/desk/brand/logos.ts'
import { showBrandPreview } from './screens/desk/brand/previews.ts'
import { showBulk, submitBulk } from './screens/desk/bulk.ts'
import { showCustomer, submitCustomer } from './screens/desk/customer/customer.ts'
import { showDeleted, showDeletion, submitDeletion, submitRestore } from './screens/desk/customer/deletion.ts'
import { showPerson, submitPerson } from './screens/desk/customer/person.ts'
import { showTracked, submitTracked } from './screens/desk/customer/tracked.ts'
import { submitLeave, submitView } from './screens/desk/customer/views.ts'
import { customersCsv, showCustomers } from './screens/desk/customers.ts'
import { showSources, submitSources } from './screens/desk/data-sources.ts'
import { showDevelopers, submitDevelopers } from './screens/desk/developers/developers.ts'
import { showRequests } from './screens/desk/developers/requests.ts'
import { showColumns, submitColumns } from './screens/desk/files/columns.ts'
import { refusedCsv, showDataFile, submitDataFile } from './screens/desk/files/data-file.ts'
import { showDataFiles, submitDataFiles } from './screens/desk/files/data-files.ts'
import { showDelivery, submitDelivery } from './screens/desk/files/delivery.ts'
import { submitFirstSteps } from './screens/desk/first-steps.ts'
import { showMailing, submitMailing } from './screens/desk/reports/mailing.ts'
import { showMailings, submitMailings } from './screens/desk/reports/mailings.ts'
import { showNewMailing, submitNewMailing } from './screens/desk/reports/new-mailing.ts'
import { showPreview } from './screens/desk/reports/preview.ts'
import { showRun, submitRun } from './screens/desk/reports/run.ts'
import { showSuppressed, submitSuppressed } from './screens/desk/reports/suppressed.ts'
import { showDeskReviews, submitDeskReview } from './screens/desk/reviews.ts'
import { showTeam, submitTeam } from './screens/desk/team.ts'
import { sitePdf, sitesPdf } from './screens/downloads/report-pdf.ts'
import { showHome, sitesCsv, sitesJson } from './screens/home.ts'
import { showKeyword } from './screens/keyword.ts'
import { showEmail, submitEmail } from './screens/login/email.ts'
import { submitFresh } from './screens/login/fresh.ts'
import { showJoin, submitJoin } from './screens/login/join.ts'
import { showLogin, submitLogin, submitLogout, submitTheme } from './screens/login/login.ts'
import { showForgot, showLoginLink, submitForgot, submitLoginLink } from './screens/login/login-link.ts'
import { showPassword, submitPassword } from './screens/login/password.ts'
import { showCode, showSecondFactor, submitCode, submitSecondFactor } from './screens/login/second-factor.ts'
import { showSessions, submitSessions } from './screens/login/sessions.ts'
import { myDataJson, showMe, submitMe } from './screens/me.ts'
import { showInvitation, submitInvitation } from './screens/people/invited.ts'
import { showPeople, submitPeople } from './screens/people/people.ts'
import {
  removeSchedule,
  showConfirm,
  showSchedules,
  showUnsubscribe,
  submitConfirm,
  submitSchedule,
  submitUnsubscribe,
} from './screens/report-mail.ts'
import { reputationCsv, showReputation } from './screens/reputation.ts'
import { submitReviewMark } from './screens/reviews/submit-mark.ts'
import { searchCsv, showSearch } from './screens/search.ts'
import { changeShare, createShare, showShare, showShares, submitShare } from './screens/share.ts'
import { showAsset, showPicture, showPrintCss } from './static-files.ts'

interface Address {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The same for everyone, so it sets no cookie. */
  readonly isStatic?: true
  /** Mail programs post there with only the token in the address, so the form needs no CSRF token. */
  readonly isOneClick?: true
  /** How large a form may be, where lists are typed or pasted, or a file that it brings. */
  readonly formBytes?: number
  /** Its form brings files, which are received only from whoever may open the page. */
  readonly takesFiles?: true
  /** Made in the lane of the reader threads for what takes long. */
  readonly takesLong?: true
  /** Also for staff who have yet to set up the second factor that their partner demands. */
  readonly isOpenWithoutFactor?: true
  /** Asks for the password or the second factor if neither was given for half an hour. */
  readonly isFreshOnly?: true
  /** Also for staff who look at the pages as a person of a customer; all pages of sites are. */
  readonly isOpenInViews?: true
}

export type Page = Address &
  (
    | { readonly to: 'anyone'; readonly show: (request: PageRequest) => PageAnswer | Promise<PageAnswer> }
    | { readonly to: 'reader'; readonly show: (request: ReaderPageRequest) => PageAnswer | Promise<PageAnswer> }
    | { readonly to: 'person'; readonly show: (request: PersonPageRequest) => PageAnswer | Promise<PageAnswer> }
    | {
        readonly to: 'staff'
        readonly role: StaffPost['role']
        readonly show: (request: PersonPageRequest) => PageAnswer | Promise<PageAnswer>
      }
  )

/** Whether a post at the desk opens the page. */
export function isOpenToPost(page: Page, post: StaffPost | null): boolean {
  return page.to !== 'staff' || post?.role === 'admin' || post?.role === page.role
}

// biome-ignore format: a table reads by its columns
export const pages: readonly Page[] = [
  { method: 'GET',  path: '/login',                                 to: 'anyone', show: showLogin },
  { method: 'POST', path: '/login',                                 to: 'anyone', show: submitLogin },
  { method: 'GET',  path: '/login/code',                            to: 'anyone', show: showCode },
  { method: 'POST', path: '/login/code',                            to: 'anyone', show: submitCode },
  { method: 'GET',  path: '/login-link/{token}',                     to: 'anyone', show: showLoginLink },
  { method: 'POST', path: '/login-link/{token}',                     to: 'anyone', show: submitLoginLink },
  { method: 'GET',  path: '/join/{token}',                          to: 'anyone', show: showJoin },
  { method: 'POST', path: '/join/{token}',                          to: 'anyone', show: submitJoin },
  { method: 'GET',  path: '/invitation/{token}',                    to: 'anyone', show: showInvitation },
  { method: 'POST', path: '/invitation/{token}',                    to: 'anyone', show: submitInvitation },
  { method: 'GET',  path: '/email/{token}',                         to: 'anyone', show: showEmail },
  { method: 'POST', path: '/email/{token}',                         to: 'anyone', show: submitEmail },
  { method: 'GET',  path: '/forgot',                                to: 'anyone', show: showForgot },
  { method: 'POST', path: '/forgot',                                to: 'anyone', show: submitForgot },
  { method: 'GET',  path: '/share/{token}',                         to: 'anyone', show: showShare },
  { method: 'POST', path: '/share/{token}',                         to: 'anyone', show: submitShare },
  { method: 'GET',  path: '/reports/confirm/{token}',               to: 'anyone', show: showConfirm },
  { method: 'POST', path: '/reports/confirm/{token}',               to: 'anyone', show: submitConfirm },
  { method: 'GET',  path: '/reports/unsubscribe/{token}',           to: 'anyone', show: showUnsubscribe },
  { method: 'POST', path: '/reports/unsubscribe/{token}',           to: 'anyone', show: submitUnsubscribe, isOneClick: true },
  { method: 'POST', path: '/theme',                                 to: 'anyone', show: submitTheme },
  { method: 'GET',  path: '/print.css',                             to: 'anyone', show: showPrintCss, isStatic: true },
  { method: 'GET',  path: '/assets/{name}',                          to: 'anyone', show: showAsset, isStatic: true },
  { method: 'GET',  path: '/brand/{picture_id}',                    to: 'anyone', show: showPicture, isStatic: true },
  { method: 'POST', path: '/logout',                                to: 'person', show: submitLogout, isOpenWithoutFactor: true },
  { method: 'GET',  path: '/password',                              to: 'person', show: showPassword, isOpenWithoutFactor: true },
  { method: 'POST', path: '/password',                              to: 'person', show: submitPassword, isOpenWithoutFactor: true },
  { method: 'GET',  path: '/second-factor',                         to: 'person', show: showSecondFactor, isOpenWithoutFactor: true },
  { method: 'POST', path: '/second-factor',                         to: 'person', show: submitSecondFactor, isOpenWithoutFactor: true },
  { method: 'POST', path: '/fresh',                                 to: 'person', show: submitFresh },
  { method: 'GET',  path: '/sessions',                              to: 'person', show: showSessions },
  { method: 'POST', path: '/sessions',                              to: 'person', show: submitSessions },
  { method: 'GET',  path: '/',                                      to: 'person', show: showHome, isOpenInViews: true },
  { method: 'GET',  path: '/me',                                    to: 'person', show: showMe },
  { method: 'POST', path: '/me',                                    to: 'person', show: submitMe },
  { method: 'GET',  path: '/me/data.json',                          to: 'person', show: myDataJson },
  { method: 'GET',  path: '/people',                                to: 'person', show: showPeople },
  { method: 'POST', path: '/people',                                to: 'person', show: submitPeople },
  { method: 'GET',  path: '/desk',                                  to: 'staff', role: 'member', show: showCustomers },
  { method: 'POST', path: '/desk/first-steps',                      to: 'staff', role: 'admin', show: submitFirstSteps },
  { method: 'GET',  path: '/desk.csv',                              to: 'staff', role: 'member', show: customersCsv },
  { method: 'GET',  path: '/desk.xlsx',                             to: 'staff', role: 'member', show: customersCsv },
  { method: 'GET',  path: '/desk/add',                              to: 'staff', role: 'member', show: showAdd },
  { method: 'POST', path: '/desk/add',                              to: 'staff', role: 'member', show: submitAdd, formBytes: 256 * 1024 },
  { method: 'GET',  path: '/desk/add/table',                        to: 'staff', role: 'member', show: showAddMany },
  { method: 'POST', path: '/desk/add/table',                        to: 'staff', role: 'member', show: submitAddMany, formBytes: 4 * 1024 * 1024 },
  { method: 'POST', path: '/desk/add/table/file',                   to: 'staff', role: 'member', show: submitTableFile, takesFiles: true, formBytes: 2 * 1024 * 1024 },
  { method: 'GET',  path: '/desk/bulk',                             to: 'staff', role: 'member', show: showBulk },
  { method: 'POST', path: '/desk/bulk',                             to: 'staff', role: 'member', show: submitBulk },
  { method: 'GET',  path: '/desk/customers/{account_id}',           to: 'staff', role: 'member', show: showCustomer },
  { method: 'POST', path: '/desk/customers/{account_id}',           to: 'staff', role: 'member', show: submitCustomer },
  { method: 'GET',  path: '/desk/customers/{account_id}/sites/{site_id}', to: 'staff', role: 'member', show: showTracked },
  { method: 'POST', path: '/desk/customers/{account_id}/sites/{site_id}', to: 'staff', role: 'member', show: submitTracked, formBytes: 256 * 1024 },
  { method: 'GET',  path: '/desk/customers/{account_id}/people/{user_id}', to: 'staff', role: 'member', show: showPerson },
  { method: 'POST', path: '/desk/customers/{account_id}/people/{user_id}', to: 'staff', role: 'member', show: submitPerson, formBytes: 64 * 1024 },
  { method: 'GET',  path: '/desk/customers/{account_id}/delete',    to: 'staff', role: 'member', show: showDeletion },
  { method: 'POST', path: '/desk/customers/{account_id}/delete',    to: 'staff', role: 'member', show: submitDeletion },
  { method: 'GET',  path: '/desk/deleted',                          to: 'staff', role: 'member', show: showDeleted },
  { method: 'POST', path: '/desk/deleted/{account_id}',             to: 'staff', role: 'member', show: submitRestore },
  { method: 'POST', path: '/desk/customers/{account_id}/people/{user_id}/view', to: 'staff', role: 'member', show: submitView },
  { method: 'POST', path: '/desk/leave',                            to: 'staff', role: 'member', show: submitLeave, isOpenInViews: true },
  { method: 'GET',  path: '/desk/data',                             to: 'staff', role: 'member', show: showDataFiles },
  { method: 'POST', path: '/desk/data',                             to: 'staff', role: 'member', show: submitDataFiles, takesFiles: true },
  { method: 'GET',  path: '/desk/data/{intake_id}',                 to: 'staff', role: 'member', show: showDataFile },
  { method: 'POST', path: '/desk/data/{intake_id}',                 to: 'staff', role: 'member', show: submitDataFile },
  { method: 'GET',  path: '/desk/data/{intake_id}/refused.csv',     to: 'staff', role: 'member', show: refusedCsv },
  { method: 'GET',  path: '/desk/data/arrived/{delivery_id}',       to: 'staff', role: 'member', show: showDelivery },
  { method: 'POST', path: '/desk/data/arrived/{delivery_id}',       to: 'staff', role: 'member', show: submitDelivery, formBytes: 256 * 1024 },
  { method: 'GET',  path: '/desk/data/arrived/{delivery_id}/{place}', to: 'staff', role: 'member', show: showColumns },
  { method: 'POST', path: '/desk/data/arrived/{delivery_id}/{place}', to: 'staff', role: 'member', show: submitColumns, formBytes: 64 * 1024 },
  { method: 'GET',  path: '/desk/reviews',                          to: 'staff', role: 'member', show: showDeskReviews, takesLong: true },
  { method: 'POST', path: '/desk/reviews',                          to: 'staff', role: 'member', show: submitDeskReview },
  { method: 'GET',  path: '/desk/sources',                          to: 'staff', role: 'member', show: showSources },
  { method: 'POST', path: '/desk/sources',                          to: 'staff', role: 'member', show: submitSources },
  { method: 'GET',  path: '/desk/reports',                          to: 'staff', role: 'member', show: showMailings },
  { method: 'POST', path: '/desk/reports',                          to: 'staff', role: 'member', show: submitMailings },
  { method: 'GET',  path: '/desk/reports/new',                      to: 'staff', role: 'member', show: showNewMailing },
  { method: 'POST', path: '/desk/reports/new',                      to: 'staff', role: 'member', show: submitNewMailing },
  { method: 'GET',  path: '/desk/reports/suppressed',               to: 'staff', role: 'member', show: showSuppressed },
  { method: 'POST', path: '/desk/reports/suppressed',               to: 'staff', role: 'member', show: submitSuppressed },
  { method: 'GET',  path: '/desk/reports/runs/{period}',            to: 'staff', role: 'member', show: showRun },
  { method: 'POST', path: '/desk/reports/runs/{period}',            to: 'staff', role: 'member', show: submitRun },
  { method: 'GET',  path: '/desk/reports/{schedule_id}',            to: 'staff', role: 'member', show: showMailing },
  { method: 'GET',  path: '/desk/reports/{schedule_id}/preview',    to: 'staff', role: 'member', show: showPreview, takesLong: true },
  { method: 'POST', path: '/desk/reports/{schedule_id}',            to: 'staff', role: 'member', show: submitMailing },
  { method: 'GET',  path: '/desk/team',                             to: 'staff', role: 'admin', show: showTeam, isFreshOnly: true },
  { method: 'POST', path: '/desk/team',                             to: 'staff', role: 'admin', show: submitTeam, isFreshOnly: true },
  { method: 'GET',  path: '/desk/brand',                            to: 'staff', role: 'admin', show: showBrandPage, isFreshOnly: true },
  { method: 'POST', path: '/desk/brand',                            to: 'staff', role: 'admin', show: submitBrand, isFreshOnly: true },
  { method: 'GET',  path: '/desk/brand/address',                    to: 'staff', role: 'admin', show: showAddress, isFreshOnly: true },
  { method: 'POST', path: '/desk/brand/address',                    to: 'staff', role: 'admin', show: submitAddress, isFreshOnly: true },
  { method: 'GET',  path: '/desk/brand/logos',                      to: 'staff', role: 'admin', show: showLogos, isFreshOnly: true },
  { method: 'POST', path: '/desk/brand/logos',                      to: 'staff', role: 'admin', show: submitLogos, takesFiles: true, formBytes: 1024 * 1024 },
  { method: 'GET',  path: '/desk/brand/preview/{view}',             to: 'staff', role: 'admin', show: showBrandPreview, takesLong: true },
  { method: 'GET',  path: '/desk/developers',                       to: 'staff', role: 'admin', show: showDevelopers, isFreshOnly: true },
  { method: 'POST', path: '/desk/developers',                       to: 'staff', role: 'admin', show: submitDevelopers, isFreshOnly: true },
  { method: 'GET',  path: '/desk/developers/requests',              to: 'staff', role: 'admin', show: showRequests },
  { method: 'GET',  path: '/reports',                               to: 'person', show: showSchedules },
  { method: 'POST', path: '/reports',                               to: 'person', show: submitSchedule },
  { method: 'POST', path: '/reports/{schedule_id}',                 to: 'person', show: removeSchedule },
  { method: 'GET',  path: '/sites.csv',                             to: 'person', show: sitesCsv, isOpenInViews: true },
  { method: 'GET',  path: '/sites.xlsx',                            to: 'person', show: sitesCsv, isOpenInViews: true },
  { method: 'GET',  path: '/sites.pdf',                             to: 'person', show: sitesPdf, isOpenInViews: true },
  { method: 'GET',  path: '/sites.json',                            to: 'person', show: sitesJson, isOpenInViews: true },
  { method: 'GET',  path: '/sites/{site_id}',                        to: 'reader', show: showSite },
  { method: 'GET',  path: '/sites/{site_id}/search',                 to: 'reader', show: showSearch },
  { method: 'GET',  path: '/sites/{site_id}/search.csv',             to: 'reader', show: searchCsv },
  { method: 'GET',  path: '/sites/{site_id}/search.xlsx',            to: 'reader', show: searchCsv },
  { method: 'GET',  path: '/sites/{site_id}/report.pdf',             to: 'reader', show: sitePdf },
  { method: 'GET',  path: '/sites/{site_id}/keywords/{keyword_id}',   to: 'reader', show: showKeyword },
  { method: 'POST', path: '/sites/{site_id}/attention',             to: 'person', show: submitAttention },
  { method: 'POST', path: '/sites/{site_id}/annotations',           to: 'person', show: createAnnotation },
  { method: 'POST', path: '/sites/{site_id}/annotations/{annotation_id}', to: 'person', show: deleteAnnotation },
  { method: 'GET',  path: '/sites/{site_id}/share',                 to: 'person', show: showShares },
  { method: 'POST', path: '/sites/{site_id}/share',                 to: 'person', show: createShare },
  { method: 'POST', path: '/sites/{site_id}/share/{link_id}',       to: 'person', show: changeShare },
  { method: 'GET',  path: '/sites/{site_id}/reputation',             to: 'reader', show: showReputation },
  { method: 'POST', path: '/sites/{site_id}/reputation',             to: 'person', show: submitReviewMark },
  { method: 'GET',  path: '/sites/{site_id}/reputation.csv',         to: 'reader', show: reputationCsv },
  { method: 'GET',  path: '/sites/{site_id}/reputation.xlsx',        to: 'reader', show: reputationCsv },
]

/** All that reads much: what only people, staff and guests get to see. */
export function isMadeByReaders({ method, to }: Page): boolean {
  return method === 'GET' && to !== 'anyone'
}

async function showSite(request: ReaderPageRequest): Promise<PageAnswer> {
  const site = await openSite(request.reader, idIn(request.params['site_id']))
  return redirect(`/sites/${site.id}/${await halfWithData(request.reader, site)}${periodQuery(request)}`)
}
