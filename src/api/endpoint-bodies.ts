/** What endpoints read and answer: their bodies with bounds, and their records by name. */

import { settingTable } from '../config.ts'
import { type List, list, type Shape } from '../fields/shape.ts'
import { maxPushBytes } from '../model/intakes/pushes/push-body.ts'
import { newAbility } from '../resources/ability.ts'
import { account, customer, newAccount } from '../resources/account.ts'
import { annotation } from '../resources/annotation.ts'
import { brandRecord, changedBrand } from '../resources/brand.ts'
import { bulkOperation, bulkResult } from '../resources/bulk.ts'
import { business, newBusiness } from '../resources/business.ts'
import { externalId, newExternalId } from '../resources/external-id.ts'
import { rankingRow } from '../resources/figures/ranking-row.ts'
import { readToken } from '../resources/figures/read-token.ts'
import { siteLine, siteSummary } from '../resources/figures/summary.ts'
import { importMapping } from '../resources/imports/import-preset.ts'
import { dataSource } from '../resources/imports/source.ts'
import { intake } from '../resources/intake.ts'
import { partnerKey } from '../resources/key.ts'
import { location } from '../resources/location.ts'
import { observations as kinds } from '../resources/observation.ts'
import { schedule, suppression } from '../resources/schedule.ts'
import { shareLink } from '../resources/share-link.ts'
import { site } from '../resources/site.ts'
import { keyword, reviewPage, siteCompetitor } from '../resources/site-contents.ts'
import { briefUser, colleague, editor, newUser, staffInvitation, staffMember, user } from '../resources/user.ts'
import * as bulk from './actions/bulk.ts'
import type { BodyRules } from './endpoint.ts'
import { fileMediaTypes } from './pushed-types.ts'
import { accepted, askedAgain, briefly, created, paged, pagedOrTable, record, recordOrTable, withName } from './writers.ts'

export const body = (root: string, of: Shape): BodyRules => ({ root, of, maxBytes: 65_536, maxElements: 64 })
export const userBody = body('user', newUser)
export const businessBody = body('business', newBusiness)
export const entries = (root: string, of: List): BodyRules => ({ root, of, maxBytes: 262_144, maxElements: 8_000 })
export const longEntries = (root: string, of: List): BodyRules => ({ ...entries(root, of), maxBytes: 1_048_576 })
export const accountBody = body('account', newAccount)
export const abilitiesBody = { root: 'abilities', of: list('ability', newAbility), maxBytes: 262_144, maxElements: 8_000 }
export const allFormats = ['xml', 'json', 'csv'] as const
export const pushed = { mediaTypes: ['application/json', 'application/x-ndjson', 'text/csv'], kinds, maxBytes: maxPushBytes }
export const uploaded = { ...pushed, files: fileMediaTypes, maxBytes: settingTable.maxUpload.fallback }
export const pushOutcomes = { 207: 'some records were stored and some refused', 422: 'nothing was stored' }
export const oneUser = briefly(record('user', user), record('user', briefUser))
export const newUserMade = briefly(created('user', user, 'users'), record('user', briefUser))
export const manyUsers = briefly(paged('users', list('user', user)), paged('users', list('user', briefUser)))
export const oneBusiness = record('business', business)
export const oneCustomer = record('customer', customer)
export const oneAccount = record('account', account)
export const externalBody = body('external', newExternalId)
export const oneExternal = record('external', externalId)
export const oneKey = record('key', partnerKey)
export const oneSource = record('source', dataSource)
export const oneSite = record('site', site)
export const oneKeyword = record('keyword', keyword)
export const oneCompetitor = record('competitor', siteCompetitor)
export const onePage = record('page', reviewPage)
export const oneLocation = record('location', location)
export const oneMapping = record('mapping', importMapping)
export const intakeToCome = accepted('intake', intake, 'intakes')
export const triedIntake = askedAgain(intakeToCome, ({ preview }) => preview.state === 'working')
export const oneAnnotation = record('annotation', annotation)
export const oneSchedule = record('schedule', schedule)
export const oneSuppression = record('suppression', suppression)
export const oneEditor = record('editor', editor)
export const oneColleague = record('colleague', colleague)
export const oneStaffMember = record('staff_member', staffMember)
export const oneInvitation = record('staff_invitation', staffInvitation)
export const brandBody: BodyRules = { ...body('brand', changedBrand), maxBytes: 1_048_576 }
export const oneBrand = record('brand', brandRecord)
export const oneShareLink = record('share_link', shareLink)
export const bulkBody = { root: 'operations', of: list('operation', bulkOperation), maxBytes: 1_048_576, maxElements: 16_000 }
const bulkOutcomes = { 207: 'some operations were done and some refused', 422: 'nothing was done' }
export const bulkAnswer = { ...record('bulk', bulkResult), statusOf: bulk.statusOf, also: bulkOutcomes }
export const oneSummary = withName('site_summary', recordOrTable('summary', siteSummary, siteLine))
export const manySiteLines = pagedOrTable('summaries', list('summary', siteLine))
export const manyRankings = pagedOrTable('rankings', list('ranking', rankingRow))
export const oneToken = record('token', readToken)
/** Tokens are made with the scope of reports, but need the password, and take the places of provisioning. */
export const ofTokens = { needsPassword: true, isKeptFromRead: true, work: 'provision' } as const
export const given = { fromInterface: true } as const
