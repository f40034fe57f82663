/** Every form of the pages, sent by the owner of the account or by someone who holds its link. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { recipientToken } from '../../../src/model/mail/recipients.ts'
import { runVersion } from '../../../src/model/mail/run-version.ts'
import { scheduleVersion } from '../../../src/model/mail/schedule-version.ts'
import { findSchedule } from '../../../src/model/mail/schedules.ts'
import { brandVersion, sayingNothing } from '../../../src/model/partners/brand-version.ts'
import { keyState } from '../../../src/model/partners/keys/admin-keys.ts'
import { rightsState } from '../../../src/model/people/customers/rights.ts'
import { hashRecoveryCode } from '../../../src/model/people/second-factor/one-time-codes.ts'
import { hashToken } from '../../../src/model/people/sessions.ts'
import { scopeTypes } from '../../../src/resources/ability.ts'
import { assetPaths } from '../../../src/web/assets.ts'
import { cookieNames } from '../../../src/web/cookies.ts'
import { formToken } from '../../../src/web/form-token.ts'
import { type Page, pages } from '../../../src/web/pages.ts'
import { formWithFile } from '../../support/form-with-file.ts'
import { markedAt } from './belongings.ts'
import type { Asking } from './endpoint-recipes.ts'
import { reviewers } from './measured-lines.ts'
import type { Expected, Named, Others, Recipe } from './recipe.ts'
import { confirmFactors, endUndoing, forgetSources, letMailWait, restSources } from './states.ts'
import { expiredLinks, expiredPending, expiredSessions, forgottenThrottle, password } from './world.ts'

const answeredOnce: Others = {
  why: 'the answer holds for all reports of the partner that wait for it',
  changes: { report_recipients: { state: 'unconfirmed', email: 'unconfirmed@readers.example' } },
}

interface Sent extends Expected {
  /** Nobody is logged in. */
  readonly isStranger?: true
  /** The cookie of a login that awaits a code. */
  readonly pending?: string
  readonly params?: Readonly<Record<string, string | number>>
  readonly form?: Readonly<Record<string, string>>
  /** The content of a file that the form brings. */
  readonly file?: string
  readonly query?: string
  /** What goes on after the answer has ended then. */
  readonly until?: () => boolean
  /** Instead of a good answer. */
  readonly status?: 404
}

export function nameOfPage({ method, path }: Page): string {
  return `${method} ${path}`
}

/** A form changes something; a page that is only looked at does so where a recipe says it. */
export const forms: readonly string[] = pages.filter(({ method }) => method === 'POST').map(nameOfPage)

const visit = 'v'.repeat(22)

/** As much as a page can be asked for. */
const everything = { from: '2024-01-01', to: '2026-12-31', view: 'all', rows: 'all', print: 'all', q: 'o', words: 'good' }

/** How each page is looked at, each page by itself. */
export function looks(ground: Asking): Recipe[] {
  return recipesOn(ground).looked
}

export function pageRecipes(ground: Asking): Recipe[] {
  const { looked, sent } = recipesOn(ground)
  const showing = async () => {
    for (const { act } of looked) await act()
  }
  // A link is noted as used.
  const changes: Named = { share_links: { id: ground.world.target.sites[1]?.links[1]?.id ?? 0 } }
  return [{ of: 'whatever only shows', act: showing, changes }, ...sent]
}

function recipesOn({ app, world, stranger, mailbox }: Asking): { looked: Recipe[]; sent: Recipe[] } {
  const { target: t, acme, globex, joining, changing, welcome, verifier } = world
  const [site, owner, person, schedule] = [t.sites[1], t.people[0], t.people[1], t.schedules[1]]
  assert.ok(site && owner && person && schedule)
  const session = owner.sessions[1] ?? ''
  const [first = '', here = '', last = ''] = owner.sessions.map(hashToken)
  const [link, loginLink = ''] = [site.links[1], person.loginLinks[1]]
  const [asked = 0, active = 0] = schedule.recipients
  const pending = person.pendingLogins[1] ?? ''
  const entered: Named = { users: { id: person.id } }
  const throttle: Named = { login_throttles: forgottenThrottle }
  const all = { user_id: owner.id }
  const ofPerson = { user_id: person.id }
  const other = { site_id: t.sites[0]?.id ?? 0 }
  const invitation = owner.invitations[1] ?? 0
  const scopes = { Account: [t.accountId], Business: t.businesses, Site: t.sites.map(({ id }) => id) }
  const heldHere = rightsState(
    scopeTypes.flatMap((scope_type) => scopes[scope_type].map((scope_id) => ({ scope_type, scope_id }))),
    true,
  )
  const confirmed: Record<string, string> = {}
  const removal: Record<string, string> = { do: 'remove' }
  const alike: Record<string, string> = { do: 'tag', tag: 'fresh', customer: String(t.accountId) }
  const delivery = acme.deliveries[1] ?? 0
  const staffHash = hashToken(acme.staffSessions[1] ?? '')
  const newestKey = String(Math.max(acme.callerKey, ...acme.keys.map(({ id }) => id)))
  const held = { period: '2026-11-02', was: runVersion({ state: 'held', sentence: 'hello' }) }

  // biome-ignore format: a table reads by its columns
  const sent: readonly (readonly [string, Sent])[] = [
    ['POST /login',                         { isStranger: true, form: { name: person.login, password }, changes: { ...entered, ...throttle }, adds: ['sessions', 'login_networks', 'login_throttles'], others: expiredSessions }],
    ['POST /login',                         { as: 'with a second factor', isStranger: true, prepare: () => confirmFactors(app), form: { name: person.login, password }, changes: throttle, adds: ['pending_logins', 'login_throttles'], others: expiredPending }],
    ['POST /login/code',                    { isStranger: true, prepare: () => confirmFactors(app), pending, form: { code: person.recoveryCodes[1] ?? '' }, changes: { ...entered, ...throttle, pending_logins: { token_hash: hashToken(pending) }, recovery_codes: { code_hash: hashRecoveryCode(person.recoveryCodes[1] ?? '') } }, adds: ['sessions', 'login_networks', 'login_throttles'], others: expiredSessions }],
    ['POST /second-factor',                 { as: 'begin', form: { do: 'begin', 'password-begin': password }, changes: { second_factors: all, ...throttle }, adds: ['login_throttles'] }],
    ['POST /second-factor',                 { as: 'codes', prepare: () => confirmFactors(app), form: { do: 'codes', 'password-codes': password }, changes: { recovery_codes: all, ...throttle }, adds: ['recovery_codes', 'login_throttles'] }],
    ['POST /second-factor',                 { as: 'off', prepare: () => confirmFactors(app), form: { do: 'off', 'password-off': password }, changes: { recovery_codes: all, second_factors: all, ...throttle }, adds: ['login_throttles'] }],
    ['POST /login-link/{token}',            { isStranger: true, params: { token: loginLink }, changes: { ...entered, login_links: { token_hash: hashToken(loginLink) } }, adds: ['sessions', 'login_networks'], others: expiredSessions }],
    ['POST /join/{token}',                  { isStranger: true, params: { token: joining }, form: { name: 'New', fresh: password, again: password }, changes: { staff_invitations: { id: acme.invitations[1] ?? 0 } }, adds: ['users', 'user_passwords', 'user_names', 'staff', 'sessions', 'login_networks'], others: expiredSessions }],
    ['POST /invitation/{token}',            { isStranger: true, params: { token: welcome }, form: { name: 'New', fresh: password, again: password }, changes: { people_invitations: { id: invitation } }, adds: ['users', 'user_passwords', 'user_names', 'abilities', 'sessions', 'login_networks'], others: expiredSessions }],
    ['POST /people',                        { as: 'an invitation', form: { do: 'invite', email: 'fresh@readers.example', sees: `Account:${t.accountId}` }, adds: ['people_invitations', 'mails'] }],
    ['POST /people',                        { as: 'an invitation again', form: { do: 'again', invitation: String(invitation) }, changes: { people_invitations: { id: invitation } }, adds: ['people_invitations', 'mails'] }],
    ['POST /people',                        { as: 'an invitation withdrawn', form: { do: 'withdraw', invitation: String(invitation) }, changes: { people_invitations: { id: invitation } } }],
    ['POST /people',                        { as: 'somebody removed', form: { do: 'remove', person: String(person.id), was: heldHere }, changes: { abilities: ofPerson, account_editors: { account_id: t.accountId, user_id: person.id } } }],
    ['POST /people',                        { as: 'a region', form: { do: 'region', region: 'DE', was: '' }, changes: { accounts: { id: t.accountId } } }],
    ['POST /people',                        { as: 'another owner', form: { do: 'hand', person: String(person.id), current: password }, changes: { accounts: { id: t.accountId }, ...throttle }, adds: ['login_throttles'] }],
    ['POST /desk/first-steps',              { adds: ['facts'] }],
    ['POST /desk/add',                      { form: { name: 'New', domain: 'new.example', keywords: 'new', email: 'new@new.example', rhythm: 'weekly' }, adds: ['accounts', 'businesses', 'sites', 'locations', 'subjects', 'keywords', 'users', 'user_names', 'user_passwords', 'abilities', 'report_schedules', 'report_recipients', 'measured_versions', 'mails'] }],
    ['POST /desk/add/table',                { as: 'a look', form: { table: 'Customer,Domain\nNew,new.example', do: 'look' } }],
    ['POST /desk/add/table/file',           { as: 'a look', file: 'Customer,Domain\nNew,new.example' }],
    ['POST /desk/customers/{account_id}',   { form: { do: 'assign', colleague: String(acme.staff[2]), was: String(acme.staff[1]) }, changes: { accounts: { id: t.accountId } } }],
    ['POST /desk/customers/{account_id}',   { as: 'invite', form: { do: 'invite', email: 'fresh@readers.example', sees: `Account:${t.accountId}` }, adds: ['people_invitations', 'mails'] }],
    ['POST /desk/customers/{account_id}',   { as: 'invite again', form: { do: 'again', invitation: String(invitation) }, changes: { people_invitations: { id: invitation } }, adds: ['people_invitations', 'mails'] }],
    ['POST /desk/customers/{account_id}',   { as: 'withdraw an invitation', form: { do: 'withdraw', invitation: String(invitation) }, changes: { people_invitations: { id: invitation } } }],
    ['POST /desk/customers/{account_id}',   { as: 'a site', form: { do: 'domain', business_id: String(t.businesses[1]), domain: 'fresh.example' }, adds: ['sites'], changes: { accounts: { id: t.accountId } } }],
    ['POST /desk/customers/{account_id}',   { as: 'a business', form: { do: 'business', business: 'Fresh' }, adds: ['businesses'] }],
    ['POST /desk/customers/{account_id}',   { as: 'a name', form: { do: 'rename', changed: String(t.businesses[1]), business_name: 'Fresh', was: `Business of ${site.domain}` }, changes: { businesses: { id: t.businesses[1] ?? 0 } } }],
    ['POST /desk/customers/{account_id}',   { as: 'an end', form: { do: 'deactivate', changed: String(t.businesses[1]) }, changes: { businesses: { id: t.businesses[1] ?? 0 } } }],
    ['POST /desk/customers/{account_id}',   { as: 'a link', form: { do: 'revoke', site: String(site.id), link: String(link?.id) }, changes: { share_links: { id: link?.id ?? 0 } } }],
    ['POST /desk/customers/{account_id}',   { as: 'a note', form: { do: 'note', noted: String(site.id), day: '2026-11-02', text: 'Fresh' }, adds: ['annotations'] }],
    ['POST /desk/customers/{account_id}',   { as: 'a note removed', form: { do: 'unnote', site: String(site.id), note: String(site.annotations[1]) }, changes: { annotations: { id: site.annotations[1] ?? 0 } } }],
    ['POST /desk/customers/{account_id}/sites/{site_id}', { form: { do: 'add-keywords', keywords: 'fresh words' }, adds: ['keywords', 'intake_steps'], changes: { measured_versions: { account_id: t.accountId } } }],
    ['POST /desk/customers/{account_id}/sites/{site_id}', { as: 'tags', form: { do: 'tag', 'one-of-keywords': `${site.keywords[1]}:`, tags: 'fresh' }, adds: ['intake_steps'], changes: { keywords: { id: site.keywords[1] ?? 0 }, measured_versions: { account_id: t.accountId } } }],
    ['POST /desk/customers/{account_id}/people/{user_id}', { params: { user_id: person.id }, form: { was: heldHere, sees: `Account:${t.accountId}`, edits: 'yes' }, changes: { abilities: { user_id: person.id } } }],
    ['POST /desk/customers/{account_id}/people/{user_id}', { as: 'suspended', params: { user_id: person.id }, form: { do: 'suspend', was: 'open client' }, changes: { users: { id: person.id }, sessions: ofPerson, login_links: ofPerson, pending_logins: ofPerson, email_changes: ofPerson } }],
    ['POST /desk/customers/{account_id}',   { as: 'pause', form: { do: 'pause' }, changes: { businesses: { account_id: t.accountId } } }],
    ['POST /desk/customers/{account_id}',   { as: 'archive', form: { do: 'archive' }, changes: { accounts: { id: t.accountId }, mails: { account_id: t.accountId } }, prepare: () => letMailWait(app) }],
    ['POST /desk/customers/{account_id}/delete', { prepare: confirmDeletion, form: confirmed, changes: { accounts: { id: t.accountId } }, adds: ['deleted_accounts'] }],
    ['POST /desk/bulk',                     { prepare: lookAtBulk, form: alike, changes: { accounts: { id: t.accountId } } }],
    ['POST /desk/deleted/{account_id}',     { params: { account_id: acme.goneId }, changes: { accounts: { id: acme.goneId }, deleted_accounts: { account_id: acme.goneId } } }],
    ['POST /desk/customers/{account_id}/people/{user_id}', { as: 'another owner', params: { user_id: person.id }, form: { do: 'own', owner: String(owner.id) }, changes: { accounts: { id: t.accountId } } }],
    ['POST /desk/customers/{account_id}/people/{user_id}/view', { params: { user_id: person.id }, changes: { sessions: { token_hash: staffHash } } }],
    ['POST /desk/leave',                    { prepare: () => see(staffHash, '2999-01-01T00:00:00Z'), changes: { sessions: { token_hash: staffHash } } }],
    ['POST /desk/data',                     { form: { customer: '', make: 'yes' }, file: 'site,phrase\nnowhere.example,new', adds: ['intakes', 'intake_tasks'] }],
    ['POST /desk/data/{intake_id}',         { form: { do: 'undo', despite: 'yes' }, changes: { intakes: { id: t.intakes[1] ?? 0 } }, adds: ['intake_tasks'] }],
    ['POST /desk/data/{intake_id}',         { as: 'stop', params: { intake_id: acme.intakes.waiting }, form: { do: 'stop' }, changes: { intakes: { id: acme.intakes.waiting }, intake_tasks: { intake_id: acme.intakes.waiting } } }],
    ['POST /desk/data/arrived/{delivery_id}', { as: 'kept', params: { delivery_id: delivery }, form: { do: 'save', version: '1', 'out-1': 'yes' }, changes: { deliveries: { id: delivery } } }],
    ['POST /desk/data/arrived/{delivery_id}', { as: 'stored', params: { delivery_id: delivery }, form: { do: 'store', version: '1' }, changes: { deliveries: { id: delivery } }, adds: ['intakes', 'intake_tasks'] }],
    ['POST /desk/data/arrived/{delivery_id}', { as: 'thrown away', params: { delivery_id: delivery }, form: { do: 'discard', version: '1' }, changes: { deliveries: { id: delivery } } }],
    ['POST /desk/data/arrived/{delivery_id}', { as: 'of a colleague', params: { delivery_id: acme.deliveries[2] ?? 0 }, form: { do: 'discard', version: '1' }, status: 404 }],
    ['POST /desk/data/arrived/{delivery_id}/{place}', { params: { delivery_id: delivery, place: 1 }, form: { do: 'look', version: '1', kind: 'ranking' }, changes: { deliveries: { id: delivery } } }],
    ['POST /desk/data/arrived/{delivery_id}/{place}', { as: 'tried out', params: { delivery_id: delivery, place: 1 }, form: { do: 'try', version: '1' }, changes: { deliveries: { id: delivery } }, adds: ['intakes', 'intake_tasks'] }],
    ['POST /desk/data/arrived/{delivery_id}/{place}', { as: 'saved', params: { delivery_id: delivery, place: 1 }, form: { do: 'remember', version: '1', name: 'new' }, changes: { deliveries: { id: delivery } }, adds: ['import_mappings'] }],
    ['POST /fresh',                         { form: { fresh_password: password, next: '/me' }, changes: { sessions: { token_hash: here }, ...throttle }, adds: ['login_throttles'] }],
    ['POST /desk/team',                     { form: { do: 'change', member: String(acme.staff[2]), was: 'admin all', new_post: 'member assigned' }, changes: { staff: { user_id: acme.staff[2] ?? 0 } } }],
    ['POST /desk/team',                     { as: 'an invitation', form: { do: 'invite', email: 'fresh@readers.example', post: 'member all' }, adds: ['staff_invitations', 'mails'] }],
    ['POST /desk/team',                     { as: 'an invitation withdrawn', form: { do: 'withdraw', invitation: String(acme.invitations[1]) }, changes: { staff_invitations: { id: acme.invitations[1] ?? 0 } } }],
    ['POST /desk/team',                     { as: 'all second factors', form: { do: 'demand', wanted: 'yes' }, changes: { partners: { id: acme.id } } }],
    ['POST /desk/brand',                    { form: { name: 'New', was: brandVersion({ ...sayingNothing, name: 'Brand acme', logo_id: 'picture-acme' }) }, changes: { brands: { partner_id: acme.id } } }],
    ['POST /desk/developers',               { form: { do: 'issue', newest: newestKey, label: 'fresh', scope: 'report' }, adds: ['keys'] }],
    ['POST /desk/developers',               { as: 'a key rotated', form: { do: 'rotate', key: String(acme.keys[1]?.id), was: keyState({ expires_at: null, revoked_at: null }) }, changes: { keys: { id: [acme.keys[1]?.id ?? 0, acme.keys[2]?.id ?? 0] } }, adds: ['keys'] }],
    ['POST /desk/developers',               { as: 'a key revoked', form: { do: 'revoke', key: String(acme.keys[2]?.id), sure: 'yes' }, changes: { keys: { id: acme.keys[2]?.id ?? 0 } } }],
    ['POST /desk/developers',               { as: 'a client of 2012', form: { do: 'switch', wanted: 'yes', was: '[null,1,null]' }, changes: { partners: { id: acme.id } } }],
    ['POST /desk/developers',               { as: 'origins', form: { do: 'origins', origins: 'https://portal.example', was: '' }, changes: { partners: { id: acme.id } } }],
    ['POST /desk/developers',               { as: 'a test partner', form: { do: 'test' }, adds: ['partners', 'accounts', 'keys', 'test_partners'] }],
    ['POST /desk/brand/logos',              { form: { kind: 'logo', do: 'look' }, file: 'RIFF1234WEBP', changes: { brand_drafts: { partner_id: acme.id }, brand_pictures: { id: 'draft-acme' } }, adds: ['brand_pictures'] }],
    ['POST /desk/brand/logos',              { as: 'none', form: { do: 'discard' }, file: 'none', changes: { brand_drafts: { partner_id: acme.id }, brand_pictures: { id: 'draft-acme' } } }],
    ['POST /desk/brand/logos',              { as: 'a saved one', form: { do: 'save', was: brandVersion({ ...sayingNothing, name: 'Brand acme', logo_id: 'picture-acme' }) }, file: 'none', changes: { brands: { partner_id: acme.id }, brand_drafts: { partner_id: acme.id }, brand_pictures: { id: ['draft-acme', 'picture-acme'] } }, adds: ['brand_pictures'] }],
    ['POST /desk/sources',                  { as: 'a new one', form: { do: 'add', rhythm: 'weekly', customer: '' }, prepare: () => forgetSources(app, acme.sources[0] ?? 0), adds: ['data_sources'] }],
    ['POST /desk/sources',                  { as: 'a start', prepare: () => restSources(app), form: { do: 'start', source: String(acme.sources[0]) }, changes: { data_sources: { id: acme.sources[0] ?? 0 } } }],
    ['POST /desk/sources',                  { as: 'a rest', form: { do: 'rest', source: String(acme.sources[0]) }, changes: { data_sources: { id: acme.sources[0] ?? 0 } } }],
    ['POST /desk/sources',                  { as: 'a run', form: { do: 'run', source: String(acme.sources[0]) }, changes: { data_source_sites: { source_id: acme.sources[0] ?? 0 } } }],
    ['POST /desk/sources',                  { as: 'a removal', form: { do: 'remove', source: String(acme.sources[0]) }, changes: { data_sources: { id: acme.sources[0] ?? 0 }, data_source_sites: { source_id: acme.sources[0] ?? 0 } } }],
    ['POST /desk/brand/address',            { form: { do: 'name', host: 'new.acme.example' }, adds: ['named_hosts'] }],
    ['POST /desk/brand/address',            { as: 'a page around links', form: { do: 'frame', origin: 'https://new.acme.example' }, adds: ['named_hosts'] }],
    ['POST /desk/brand/address',            { as: 'no page around links', form: { do: 'unframe', unframed: 'second.acme.example' }, changes: { named_hosts: { host_name: 'second.acme.example' } } }],
    ['POST /desk/brand/address',            { as: 'a look', form: { do: 'look', looked: 'second.acme.example' }, changes: { named_hosts: { host_name: 'second.acme.example' } } }],
    ['POST /desk/brand/address',            { as: 'a sender', form: { do: 'send', sender: 'fresh@new.example' }, changes: { mail_senders: { partner_id: acme.id } } }],
    ['POST /desk/brand/address',            { as: 'no sender', form: { do: 'unsend' }, changes: { mail_senders: { partner_id: acme.id } } }],
    ['POST /desk/reports/new',              { form: { customer: String(t.accountId), rhythm: 'weekly', recipients: 'fresh@readers.example' }, adds: ['report_schedules', 'report_recipients', 'mails'] }],
    ['POST /desk/reports/{schedule_id}',    { params: { schedule_id: schedule.id }, form: removal, prepare: lookAtMailing, changes: { report_schedules: { id: schedule.id }, report_recipients: { schedule_id: schedule.id }, report_runs: { schedule_id: schedule.id } } }],
    ['POST /desk/reports/{schedule_id}',    { as: 'ask again', params: { schedule_id: schedule.id }, form: { do: 'ask', recipient: String(asked) }, adds: ['mails'] }],
    ['POST /desk/reports/{schedule_id}',    { as: 'send me one', params: { schedule_id: schedule.id }, form: { do: 'sample' }, adds: ['mails'] }],
    ['POST /desk/reports/{schedule_id}',    { as: 'send what is held', params: { schedule_id: schedule.id }, form: { do: 'send', ...held }, changes: { report_runs: { schedule_id: schedule.id } }, adds: ['mails'] }],
    ['POST /desk/reports/{schedule_id}',    { as: 'skip what is held', params: { schedule_id: schedule.id }, form: { do: 'skip', ...held }, changes: { report_runs: { schedule_id: schedule.id } } }],
    ['POST /desk/reports',                  { form: { release: 'by_hand', was: 'unless_wrong' }, changes: { partners: { id: acme.id } } }],
    ['POST /desk/reports/suppressed',       { form: { entry: String(acme.suppressions[1]) }, changes: { suppressions: { id: acme.suppressions[1] ?? 0 } } }],
    ['POST /desk/reports/runs/{period}',    { params: { period: held.period }, form: { schedule: String(schedule.id), do: 'note', sentence: 'New', was: held.was }, changes: { report_runs: { schedule_id: schedule.id } } }],
    ['POST /forgot',                        { isStranger: true, form: { name: person.login }, adds: ['login_links', 'budgets'], others: expiredLinks, until: () => mailbox.take(person.email).length > 0 }],
    ['POST /share/{token}',                 { isStranger: true, params: { token: link?.token ?? '' }, changes: { share_links: { id: link?.id ?? 0 } } }],
    ['POST /share/{token}',                 { as: 'with a password', isStranger: true, prepare: protectLinks, params: { token: link?.token ?? '' }, form: { password }, changes: { share_links: { id: link?.id ?? 0 }, ...throttle }, adds: ['login_throttles'] }],
    ['POST /reports/confirm/{token}',       { isStranger: true, params: { token: recipientToken(app, asked) }, changes: { report_recipients: { id: asked } }, others: answeredOnce }],
    ['POST /reports/unsubscribe/{token}',   { isStranger: true, params: { token: recipientToken(app, active) }, changes: { report_recipients: { id: active } }, adds: ['suppressions'] }],
    ['POST /theme',                         { form: { theme: 'dark' } }],
    ['POST /logout',                        { changes: { sessions: { token_hash: here } } }],
    ['POST /password',                      { form: { current: password, fresh: 'another password', again: 'another password' }, changes: { users: { id: owner.id }, user_passwords: all, sessions: all, login_links: all, pending_logins: all, email_changes: all, ...throttle }, adds: ['sessions', 'login_throttles'], others: expiredSessions }],
    ['POST /sessions',                      { as: 'one', prepare: () => openAlike(last), form: { session: last.slice(0, 16) }, changes: { sessions: { token_hash: last } } }],
    ['POST /sessions',                      { as: 'all others', form: { session: 'others' }, changes: { sessions: { token_hash: [first, last] } } }],
    ['POST /me',                            { form: { name: 'Fresh', region: 'US', time_zone: 'UTC', was: JSON.stringify(['', 'CH', 'UTC']) }, changes: { users: { id: owner.id }, preferences: all } }],
    ['POST /me',                            { as: 'a new address', form: { do: 'email', email: 'fresh@readers.example', current: password }, changes: { email_changes: all, ...throttle }, adds: ['mails', 'budgets', 'login_throttles'] }],
    ['POST /email/{token}',                 { isStranger: true, params: { token: changing }, changes: { users: { id: person.id }, report_recipients: { email: person.email }, user_names: ofPerson, email_changes: ofPerson, login_links: ofPerson }, adds: ['user_names', 'mails'] }],
    ['POST /me',                            { as: 'the end of the login', form: { do: 'end', sure: 'yes', 'end-password': password }, changes: { users: { id: owner.id }, accounts: { id: t.accountId }, abilities: all, account_editors: all, sessions: all, login_links: all, pending_logins: all, email_changes: all, external_ids: { record_id: owner.id }, ...throttle }, adds: ['mails', 'login_throttles'] }],
    ['POST /me',                            { as: 'a mail', prepare: () => mailTo(owner.email, active), form: { do: 'stop', mail: String(active) }, changes: { report_recipients: { id: active } }, adds: ['suppressions'] }],
    ['POST /reports',                       { form: { rhythm: 'weekly', recipients: 'fresh@readers.example' }, adds: ['report_schedules', 'report_recipients', 'mails'] }],
    ['POST /reports/{schedule_id}',         { params: { schedule_id: schedule.id }, changes: { report_schedules: { id: schedule.id }, report_recipients: { schedule_id: schedule.id }, report_runs: { schedule_id: schedule.id } } }],
    ['POST /sites/{site_id}/attention',     { form: { days: '90', seen: 'lost 4' }, changes: { preferences: all } }],
    ['POST /sites/{site_id}/reputation',    { form: { do: 'answered', review: String(site.review), note: 'fresh', was: markedAt }, changes: { review_marks: { site_id: site.id, note: reviewers[0] ?? '' } }, adds: ['review_marks'] }],
    ['POST /sites/{site_id}/reputation',    { as: 'found by way of another site', params: other, form: { do: 'seen', review: String(site.review) }, status: 404 }],
    ['POST /desk/reviews',                  { form: { do: 'none', site: String(site.id), review: String(site.review), was: markedAt }, changes: { review_marks: { site_id: site.id, note: reviewers[0] ?? '' } } }],
    ['POST /sites/{site_id}/annotations',   { form: { day: '2026-10-02', text: 'new' }, adds: ['annotations'] }],
    ['POST /sites/{site_id}/annotations/{annotation_id}', { params: { annotation_id: site.annotations[1] ?? 0 }, changes: { annotations: { id: site.annotations[1] ?? 0 } } }],
    ['POST /sites/{site_id}/share',         { form: { days: '30', label: 'new' }, adds: ['share_links'] }],
    ['POST /sites/{site_id}/share/{link_id}', { params: { link_id: link?.id ?? 0 }, changes: { share_links: { id: link?.id ?? 0 } } }],
    ['POST /sites/{site_id}/annotations/{annotation_id}', { as: 'found by way of another site', params: { ...other, annotation_id: site.annotations[1] ?? 0 }, status: 404, changes: { users: { id: owner.id } } }],
    ['POST /sites/{site_id}/share/{link_id}', { as: 'taken over', prepare: loseMaker, params: { link_id: link?.id ?? 0 }, form: { do: 'keep' }, changes: { share_links: { id: link?.id ?? 0 } } }],
    ['POST /sites/{site_id}/share/{link_id}', { as: 'found by way of another site', params: { ...other, link_id: link?.id ?? 0 }, status: 404 }],
    ['POST /reports/{schedule_id}',         { as: 'of another account', params: { schedule_id: acme.holdings[2]?.schedules[1]?.id ?? 0 }, status: 404 }],
    ['GET /',                               { as: 'after a while', prepare: letTimePass, changes: { sessions: { token_hash: here } } }],
    ['GET /sites/{site_id}/search',         { params: { site_id: t.sites[0]?.id ?? 0 }, changes: { users: { id: owner.id } } }],
  ]
  const shown = {
    user_id: person.id,
    keyword_id: site.keywords[1] ?? 0,
    schedule_id: schedule.id,
    delivery_id: delivery,
    place: 1,
    period: held.period,
    name: assetPaths.style.slice('/assets/'.length),
    picture_id: 'picture-acme',
    view: 'login',
  }
  const tokens: Readonly<Record<string, string>> = {
    '/login-link/{token}': loginLink,
    '/join/{token}': joining,
    '/invitation/{token}': welcome,
    '/email/{token}': changing,
    '/share/{token}': link?.token ?? '',
    '/reports/confirm/{token}': recipientToken(app, asked),
    '/reports/unsubscribe/{token}': recipientToken(app, active),
  }
  const tables: Readonly<Record<string, string>> = {
    '/sites/{site_id}/search.csv': 'keywords',
    '/sites/{site_id}/search.xlsx': 'keywords',
    '/sites/{site_id}/reputation.csv': 'reviews',
    '/sites/{site_id}/reputation.xlsx': 'reviews',
  }
  const looked = pages
    .filter(({ method }) => method === 'GET')
    .flatMap((page) => {
      const params = { ...shown, token: tokens[page.path] ?? '' }
      const queries = { plainly: {}, 'for everything': page.isStatic || page.to === 'anyone' ? null : everything }
      return Object.entries(queries).flatMap(([as, query]): Recipe[] => {
        const asked = new URLSearchParams({ ...query, ...(tables[page.path] && { table: tables[page.path] }) }).toString()
        return query === null ? [] : [{ of: nameOfPage(page), as, act: () => send(nameOfPage(page), { params, query: asked }) }]
      })
    })
  const made = sent.map(([of, given]): Recipe => {
    const {
      isStranger: _isStranger,
      pending: _pending,
      params: _params,
      form: _form,
      file: _file,
      query: _query,
      until: _until,
      status: _status,
      ...expected
    } = given
    return { of, ...expected, act: () => send(of, given) }
  })
  return { looked, sent: made }

  async function send(
    of: string,
    { isStranger, pending: awaiting = '', params, query = '', form = {}, file, until = () => true, status: wanted }: Sent,
  ): Promise<void> {
    const [method = '', template = ''] = of.split(' ')
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      String({ site_id: site?.id, account_id: t.accountId, intake_id: t.intakes[1], ...params }[name]),
    )
    const token = template.startsWith('/desk') ? (acme.staffSessions[1] ?? '') : session
    const holder = isStranger ? visit : hashToken(token)
    const cookie = isStranger ? `${cookieNames.visit}=${visit}; ${cookieNames.pending}=${awaiting}` : `${cookieNames.session}=${token}`
    const fields = { form_token: formToken(app.secrets, holder), ...form }
    const plain = { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' }
    const question = method === 'GET' ? {} : file === undefined ? plain : formWithFile(fields, 'new.csv', file)
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const { status, headers: said } = await stranger.ask(method, query === '' ? path : `${path}?${query}`, { ...question, headers })
    const isWanted = wanted === undefined ? status < 400 : status === wanted
    assert.ok(isWanted, `${of} answered ${status}`)
    assert.ok(!/^\/login\?(?!session=deleted)/.test(said.location ?? ''), `${of} asked for a login`)
    while (!until()) await sleep(5)
  }

  async function confirmDeletion(): Promise<void> {
    await endUndoing(app)
    Object.assign(confirmed, { seen: await shownAt(`/desk/customers/${t.accountId}/delete`, 'seen') })
  }

  async function lookAtBulk(): Promise<void> {
    Object.assign(alike, { was: await shownAt(`/desk/bulk?${new URLSearchParams(alike)}`, 'was') })
  }

  async function lookAtMailing(): Promise<void> {
    const operator = { kind: 'operator', app, requestId: 'a look' } as const
    Object.assign(removal, { was: scheduleVersion(await findSchedule(operator, t.accountId, schedule?.id ?? 0)) })
  }

  /** A hidden field of a page of the desk. */
  async function shownAt(path: string, name: string): Promise<string> {
    const cookie = `${cookieNames.session}=${acme.staffSessions[1] ?? ''}`
    const { text } = await stranger.get(path, { headers: { cookie, accept: 'text/html' } })
    return new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
  }

  /** Somebody of the staff looks as the person. */
  function see(token_hash: string, seen_until: string): Promise<unknown> {
    const seen = { seen_user_id: person?.id ?? 0, seen_account_id: t.accountId, seen_until }
    return app.store.write((tx) => tx.updateTable('sessions').set(seen).where('token_hash', '=', token_hash).execute())
  }

  function mailTo(email: string, id: number): Promise<unknown> {
    return app.store.write((tx) => tx.updateTable('report_recipients').set({ email }).where('id', '=', id).execute())
  }

  function protectLinks(): Promise<unknown> {
    return app.store.write((tx) => tx.updateTable('share_links').set({ verifier }).execute())
  }

  /** Whoever made the link may share nothing. */
  function loseMaker(): Promise<unknown> {
    const maker = { created_by: globex.holdings[0]?.people[0]?.id ?? 0 }
    return app.store.write((tx) =>
      tx
        .updateTable('share_links')
        .set(maker)
        .where('id', '=', link?.id ?? 0)
        .execute(),
    )
  }

  /** A stranger has a session whose id on the page is the same. */
  function openAlike(hash: string): Promise<unknown> {
    const token_hash = hash.slice(0, 16).padEnd(64, '0')
    const user_id = globex.holdings[0]?.people[0]?.id ?? 0
    return app.store.write(async (tx) => {
      const like = await tx.selectFrom('sessions').selectAll().where('token_hash', '=', hash).executeTakeFirstOrThrow()
      await tx
        .insertInto('sessions')
        .values({ ...like, token_hash, user_id })
        .execute()
    })
  }

  function letTimePass(): Promise<unknown> {
    const before = new Date(Date.now() - 600_000).toISOString().replace(/\.\d+/, '')
    return app.store.write((tx) => tx.updateTable('sessions').set({ last_seen_at: before }).execute())
  }
}
