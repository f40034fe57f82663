/** A request for every endpoint that changes something, and the rows that it names. */
import assert from 'node:assert/strict'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { endpoints } from '../../../src/api/endpoints.ts'
import { previewDeletion } from '../../../src/model/partners/deleted-accounts.ts'
import { goodRequest, withQuery } from '../../support/provoke.ts'
import { mailed, withinAccount } from './below.ts'
import type { Ground } from './ground.ts'
import { ownOf, reviewOf, searched } from './measured-lines.ts'
import type { Expected, Named, Recipe } from './recipe.ts'
import { archiveAccounts, deactivateBusinesses, endUndoing, letMailWait, suspendUsers } from './states.ts'
import { expiredLinks, repeatKey } from './world.ts'

interface Asked extends Expected {
  /** In place of the sample of the documentation. */
  readonly body?: unknown
  readonly query?: string
  readonly values?: Readonly<Record<string, unknown>>
  /** Instead of a good answer. */
  readonly status?: 404 | 409 | 422
}

/** What tells a PNG. */
const png = 'iVBORw0KGgo='

/** What it takes to ask: a service on this world, and the database that it is on. */
export type Asking = Pick<Ground, 'app' | 'world' | 'stranger' | 'mailbox'>

export function nameOfEndpoint({ method, path }: Endpoint): string {
  return `${method} ${path}`
}

/** Endpoints that change something, by their names. */
export const changing: ReadonlyMap<string, Endpoint> = new Map(
  endpoints.filter(({ changes }) => changes).map((endpoint) => [nameOfEndpoint(endpoint), endpoint]),
)

/** What a request names: the middle one of everything. */
export async function goodValues({ world, app }: Pick<Ground, 'world' | 'app'>) {
  const { acme, target: t } = world
  const [site, person] = [t.sites[1], t.people[1]]
  const review = app.store.db.selectFrom('reviews').select('id').where('account_id', '=', t.accountId)
  const token = app.store.db.selectFrom('read_tokens').select('id')
  return {
    account_id: t.accountId,
    spare_account_id: t.accountId,
    user_id: person?.id ?? 0,
    business_id: t.businesses[1],
    site_id: site?.id ?? 0,
    keyword_id: site?.keywords[1],
    competitor_id: site?.rivals[1],
    page_id: site?.pages[1],
    review_id: (await review.where('page_id', '=', site?.pages[1] ?? 0).executeTakeFirst())?.id,
    location_id: t.sites[2]?.location,
    intake_id: t.intakes[1],
    waiting_intake_id: acme.intakes.waiting,
    parked_intake_id: acme.intakes.parked,
    annotation_id: site?.annotations[1],
    schedule_id: t.schedules[1]?.id,
    share_link_id: site?.links[1]?.id,
    suppression_id: acme.suppressions[1],
    source_id: acme.sources[0],
    key_id: acme.keys[1]?.id,
    token_id: (await token.where('site_id', '=', site?.id ?? 0).executeTakeFirst())?.id,
    staff_id: acme.staff[1],
    successor_id: acme.staff[2],
    invitation_id: acme.invitations[1],
    account_ids: String(t.accountId),
    site_ids: String(site?.id),
    scope_type: 'Site',
    scope_id: site?.id,
    external_id: 'fresh',
    email: 'fresh@people.example',
    login: 'fresh-login',
    domain: 'fresh.example',
    recipients: 'fresh@people.example',
    mapping_name: 'daily',
    name: 'Fresh',
  }
}

/** How each endpoint that only shows is asked, each by itself and in all its formats. */
export async function shown(ground: Asking): Promise<Recipe[]> {
  const values = await goodValues(ground)
  const rows = endpoints.filter(({ changes }) => !changes)
  return rows.flatMap((endpoint) =>
    (endpoint.formats ?? (['xml', 'json'] as const)).map((format) => {
      const table = format === 'csv' && endpoint.query?.['table'] !== undefined ? '?table=rankings' : ''
      const path = goodRequest(endpoint, values, '').path.replace('.json', `.${format}${table}`)
      return { of: nameOfEndpoint(endpoint), as: `in ${format}`, act: () => show(ground, path) }
    }),
  )
}

/** A CSV of several tables is asked for one of them. */
async function show({ stranger, world }: Asking, path: string): Promise<void> {
  const { status } = await stranger.ask('GET', path, { credentials: world.acme.credentials })
  assert.equal(status, 200, path)
}

export async function endpointRecipes(ground: Asking): Promise<Recipe[]> {
  const { world, app } = ground
  const { acme, target: t } = world
  const [site, person, schedule, key] = [t.sites[1], t.people[1], t.schedules[1], acme.keys[1]]
  assert.ok(site && person && schedule && key)
  const [business, bareSite] = [t.businesses[1], t.sites[2]]
  const values = await goodValues(ground)
  const below = withinAccount(app, t.accountId)
  const account = { id: t.accountId }
  const versions: Named = { measured_versions: { account_id: t.accountId } }
  const ofUser = { user_id: person.id }
  const external = (kind: string, record_id: number | undefined): Named => ({ external_ids: { kind, record_id: record_id ?? 0 } })
  const ability = (scope_type: string, scope_id: number) => ({ abilities: [{ key: 'show', scope_type, scope_id }] })
  const newBusiness = { name: 'New', account_id: t.accountId, external_id: 'fresh' }

  const newCustomer = {
    name: 'New',
    domain: 'fresh.example',
    keywords: 'new',
    external_id: 'fresh',
    email: 'fresh@people.example',
    rhythm: 'weekly',
  }
  const confirmed: Record<string, string> = {}

  // biome-ignore format: a table reads by its columns
  const asked: readonly (readonly [string, Asked])[] = [
    ['POST users',                                   { adds: ['users', 'user_passwords', 'user_names'] }],
    ['POST users',                                   { as: 'with an id of your own', query: 'external_id=fresh', adds: ['users', 'user_passwords', 'user_names', 'external_ids'] }],
    ['PUT users/{user_id}',                          { changes: { users: { id: person.id }, user_names: ofUser, user_passwords: ofUser, sessions: ofUser, login_links: ofUser, pending_logins: ofUser, email_changes: ofUser }, adds: ['user_names'] }],
    ['DELETE users/{user_id}',                       { changes: { ...mailed(world), users: { id: person.id }, abilities: ofUser, account_editors: ofUser, sessions: ofUser, login_links: ofUser, pending_logins: ofUser, email_changes: ofUser, ...external('user', person.id) } }],
    ['DELETE users/{user_id}',                       { as: 'the owner of the account', values: { user_id: t.people[0]?.id }, changes: { ...ofPerson(t.people[0]?.id), accounts: account, ...external('user', t.people[0]?.id) } }],
    ['POST users/{user_id}/suspend',                 { changes: { users: { id: person.id }, sessions: ofUser, login_links: ofUser, pending_logins: ofUser, email_changes: ofUser } }],
    ['POST users/{user_id}/unsuspend',               { prepare: () => suspendUsers(app), changes: { users: { id: person.id } } }],
    ['POST users/{user_id}/login_link',              { adds: ['login_links'], others: expiredLinks }],
    ['PUT users/{user_id}/abilities',                { changes: { abilities: ofUser } }],
    ['PUT users/{user_id}/abilities',                { as: '?merge', query: 'merge=1', body: ability('Site', t.late.id), adds: ['abilities'] }],
    ['PUT users/{user_id}/abilities',                { as: '?remove', query: 'remove=1', changes: { abilities: { ...ofUser, scope_type: 'Site', scope_id: site.id } } }],
    ['POST businesses',                              { adds: ['businesses'] }],
    ['PUT businesses',                               { as: 'one that is not there', body: newBusiness, adds: ['businesses', 'external_ids'] }],
    ['PUT businesses',                               { as: 'one that is there', values: { external_id: `acme1-${business}` }, changes: { businesses: { id: business ?? 0 } } }],
    ['PUT businesses/{business_id}',                 { changes: { businesses: { id: business ?? 0 } } }],
    ['GET businesses/{business_id}/deactivate',      { changes: { businesses: { id: business ?? 0 } } }],
    ['POST businesses/{business_id}/deactivate',     { changes: { businesses: { id: business ?? 0 } } }],
    ['GET businesses/{business_id}/reactivate',      { prepare: () => deactivateBusinesses(app), changes: { businesses: { id: business ?? 0 } } }],
    ['POST businesses/{business_id}/reactivate',     { prepare: () => deactivateBusinesses(app), changes: { businesses: { id: business ?? 0 } } }],
    ['POST accounts',                                { adds: ['accounts'] }],
    ['PUT accounts/{account_id}',                    { changes: { accounts: account } }],
    ['DELETE accounts/{account_id}',                 { prepare: () => confirmDeletion(), values: confirmed, changes: { accounts: account }, adds: ['deleted_accounts'] }],
    ['POST customers',                               { body: newCustomer, adds: ['accounts', 'businesses', 'sites', 'locations', 'subjects', 'keywords', 'measured_versions', 'mails', 'external_ids', 'users', 'user_passwords', 'user_names', 'abilities', 'report_schedules', 'report_recipients'] }],
    ['PUT customers/{account_id}',                   { changes: { accounts: account } }],
    ['POST customers/{account_id}/deactivate',       { changes: { businesses: { account_id: t.accountId } } }],
    ['POST customers/{account_id}/reactivate',       { prepare: () => deactivateBusinesses(app), changes: { businesses: { account_id: t.accountId } } }],
    ['POST customers/{account_id}/archive',          { prepare: () => letMailWait(app), changes: { accounts: account, mails: { account_id: t.accountId } } }],
    ['POST customers/{account_id}/unarchive',        { prepare: () => archiveAccounts(app), changes: { accounts: account } }],
    ['PUT accounts/{account_id}/owner',              { changes: { accounts: account } }],
    ['DELETE accounts/{account_id}/owner',           { changes: { accounts: account } }],
    ['POST sites',                                   { changes: { accounts: account }, adds: ['sites'] }],
    ['PUT sites/{site_id}',                          { changes: { accounts: account, sites: { id: site.id } } }],
    ['DELETE sites/{site_id}',                       { changes: { ...(await below.site(site)), ...below.leftSchedules(t) } }],
    ['POST sites/{site_id}/keywords',                { changes: versions, adds: ['keywords', 'intake_steps'] }],
    ['DELETE sites/{site_id}/keywords/{keyword_id}', { changes: below.keywords([site.keywords[1] ?? 0]) }],
    ['POST sites/{site_id}/competitors',             { changes: versions, adds: ['subjects', 'intake_steps'] }],
    ['DELETE sites/{site_id}/competitors/{competitor_id}', { changes: await below.competitor(site.rivals[1] ?? 0) }],
    ['POST sites/{site_id}/pages',                   { changes: versions, adds: ['pages', 'intake_steps', 'intake_directory_steps'] }],
    ['DELETE sites/{site_id}/pages/{page_id}',       { changes: below.pages([site.pages[1] ?? 0]) }],
    ['POST locations',                               { prepare: () => forgetLocation(), values: { site_id: bareSite?.id }, changes: { accounts: account }, adds: ['locations', 'intake_directory_steps'] }],
    ['PUT locations/{location_id}',                  { values: { location_id: site.location }, changes: { accounts: account, locations: { id: site.location } }, adds: ['intake_directory_steps'] }],
    ['DELETE locations/{location_id}',               { changes: { accounts: account, locations: { id: bareSite?.location ?? 0 } } }],
    ['PUT accounts/{account_id}/external_id',        { changes: external('account', t.accountId), adds: ['external_ids'] }],
    ['PUT users/{user_id}/external_id',              { changes: external('user', person.id), adds: ['external_ids'] }],
    ['PUT businesses/{business_id}/external_id',     { changes: external('business', business), adds: ['external_ids'] }],
    ['PUT sites/{site_id}/external_id',              { changes: external('site', site.id), adds: ['external_ids'] }],
    ['POST annotations',                             { adds: ['annotations'] }],
    ['DELETE annotations/{annotation_id}',           { changes: { annotations: { id: site.annotations[1] ?? 0 } } }],
    ['POST accounts/{account_id}/schedules',         { adds: ['report_schedules', 'report_recipients', 'mails'] }],
    ['PUT accounts/{account_id}/schedules/{schedule_id}',    { changes: { report_schedules: { id: schedule.id }, report_recipients: { schedule_id: schedule.id } }, adds: ['report_recipients', 'mails'] }],
    ['DELETE accounts/{account_id}/schedules/{schedule_id}', { changes: { report_schedules: { id: schedule.id }, report_recipients: { schedule_id: schedule.id }, report_runs: { schedule_id: schedule.id } } }],
    ['POST keys',                                    { adds: ['keys'] }],
    ['POST keys/{key_id}/rotate',                    { changes: { keys: [{ id: key.id }, { issued_by: key.id }] }, adds: ['keys'] }],
    ['DELETE keys/{key_id}',                         { as: 'with those it has issued', changes: { keys: [{ id: key.id }, { issued_by: key.id }] } }],
    ['PUT accounts/{account_id}/editors/{user_id}',  { prepare: () => forgetEditors(), adds: ['account_editors'] }],
    ['DELETE accounts/{account_id}/editors/{user_id}', { changes: { account_editors: { account_id: t.accountId, user_id: person.id } } }],
    ['PUT accounts/{account_id}/colleague',          { values: { staff_id: acme.staff[2] }, changes: { accounts: account } }],
    ['DELETE accounts/{account_id}/colleague',       { changes: { accounts: account } }],
    ['POST staff',                                   { adds: ['staff_invitations', 'mails'] }],
    ['PUT staff/{staff_id}',                         { body: { staff_member: { role: 'member' } }, changes: { staff: { user_id: acme.staff[1] ?? 0 } } }],
    ['DELETE staff/{staff_id}',                      { query: `successor_id=${acme.staff[2]}`, changes: { staff: { user_id: acme.staff[1] ?? 0 }, accounts: account, share_links: { created_by: acme.staff[1] ?? 0 }, sessions: { user_id: acme.staff[1] ?? 0 } } }],
    ['DELETE staff/{staff_id}',                      { as: 'without a successor', status: 409 }],
    ['DELETE staff_invitations/{invitation_id}',     { changes: { staff_invitations: { id: acme.invitations[1] ?? 0 } } }],
    ['POST bulk',                                    { body: bulkOf(), changes: { users: { id: person.id }, businesses: { id: business ?? 0 }, accounts: account, sites: { id: site.id } }, adds: ['sites'] }],
    ['POST observations',                            { body: pushed(), query: 'create_missing=1', changes: { ...versions, ...below.changed(site) }, adds: ['intakes', 'intake_steps', 'intake_directory_steps', 'keywords', 'ranked_urls'] }],
    ['POST observations',                            { as: 'of which nothing is good', body: [{ type: 'keyword', site: 'nowhere.example', phrase: 'new' }], status: 422 }],
    ['POST intakes',                                 { body: pushed(), adds: ['intakes', 'intake_tasks'] }],
    ['DELETE suppressions/{suppression_id}',         { changes: { suppressions: { id: acme.suppressions[1] ?? 0 } } }],
    ['POST sources',                                 { adds: ['data_sources'] }],
    ['PUT sources/{source_id}',                      { changes: { data_sources: { id: acme.sources[0] ?? 0 } } }],
    ['DELETE sources/{source_id}',                   { changes: { data_sources: { id: acme.sources[0] ?? 0 }, data_source_sites: { source_id: acme.sources[0] ?? 0 } } }],
    ['POST sources/{source_id}/run',                 { changes: { data_source_sites: { source_id: acme.sources[0] ?? 0 } } }],
    ['POST share_links',                             { adds: ['share_links'] }],
    ['POST tokens',                                  { adds: ['read_tokens'] }],
    ['DELETE tokens/{token_id}',                     { changes: { read_tokens: { id: values.token_id ?? 0 } } }],
    ['DELETE share_links/{share_link_id}',           { changes: { share_links: { id: site.links[1]?.id ?? 0 } } }],
    ['PUT brand',                                    { body: { name: 'New' }, changes: { brands: { partner_id: acme.id } } }],
    ['PUT brand',                                    { as: 'with a picture', body: { logo: png }, changes: { brands: { partner_id: acme.id }, brand_pictures: { id: 'picture-acme' } }, adds: ['brand_pictures'] }],
    ['PUT accounts/{account_id}/brand',              { body: { name: 'New' }, changes: { account_brands: { account_id: t.accountId } } }],
    ['PUT mappings',                                 { changes: { import_mappings: { partner_id: acme.id, name: 'daily' } }, adds: ['import_mappings'] }],
    ['DELETE mappings',                              { changes: { import_mappings: { partner_id: acme.id, name: 'daily' } } }],
    ['DELETE intakes/{intake_id}',                   { as: 'that waits', changes: { intakes: { id: acme.intakes.waiting }, intake_tasks: { intake_id: acme.intakes.waiting } } }],
    ['DELETE intakes/{intake_id}',                   { as: 'that has begun', values: { waiting_intake_id: acme.intakes.begun }, changes: { intakes: { id: acme.intakes.begun } } }],
    ['DELETE intakes/{intake_id}',                   { as: 'that is being undone', values: { waiting_intake_id: acme.intakes.undoing }, status: 409 }],
    ['POST intakes/{intake_id}/release',             { changes: { intakes: { id: acme.intakes.parked }, intake_tasks: { intake_id: acme.intakes.parked } } }],
    ['POST intakes/{intake_id}/undo',                { as: 'tried out', query: 'despite_later=1&dry_run=1', changes: { intakes: { id: t.intakes[1] ?? 0 } }, adds: ['intake_tasks'] }],
    ['POST intakes/{intake_id}/undo',                { query: 'despite_later=1', changes: { intakes: { id: t.intakes[1] ?? 0 } }, adds: ['intake_tasks'] }],
  ]
  const changes = asked.map(([of, given]): Recipe => {
    const { body: _body, query: _query, values: _values, status: _status, ...expected } = given
    return { of, ...expected, act: () => ask(of, given) }
  })
  const others = { site_id: t.sites[0]?.id, account_id: acme.holdings[2]?.accountId }
  // A user of the partner may edit any of its accounts.
  const anywhere = 'PUT accounts/{account_id}/editors/{user_id}'
  const astray = [...changing.keys()].filter((of) => (of.match(/\{/g) ?? []).length > 1 && of !== anywhere)
  const showing: Recipe = {
    of: 'whatever only shows',
    act: async () => {
      for (const { act } of await shown(ground)) await act()
    },
  }
  return [
    showing,
    ...changes,
    ...astray.map((of) => ({ of, as: 'found by way of another', act: () => ask(of, { values: others, status: 404 }) })),
  ]

  async function ask(of: string, given: Pick<Asked, 'body' | 'query' | 'values' | 'status'>): Promise<void> {
    const endpoint = changing.get(of)
    assert.ok(endpoint !== undefined, 'there is no such endpoint')
    const good = goodRequest(endpoint, { ...values, ...given.values }, acme.credentials)
    const path = given.query === undefined ? good.path : withQuery(good.path, given.query)
    const body = given.body === undefined ? {} : { body: JSON.stringify(given.body), type: 'application/json' }
    const headers = endpoint.method === 'GET' ? {} : { 'idempotency-key': repeatKey }
    const { status, text } = await ground.stranger.ask(endpoint.method, path, { ...good, ...body, headers })
    const isWanted = given.status === undefined ? status < 300 : status === given.status
    assert.ok(isWanted, `${endpoint.method} ${path} answered ${status}: ${text.slice(text.indexOf('errors'))}`)
  }

  function ofPerson(id = 0): Named {
    return {
      users: { id },
      abilities: { user_id: id },
      account_editors: { user_id: id },
      sessions: { user_id: id },
      login_links: { user_id: id },
      pending_logins: { user_id: id },
      email_changes: { user_id: id },
    }
  }

  function bulkOf(): object {
    const operations = [
      { kind: 'user', id: person?.id, name: 'Bulk' },
      { kind: 'business', id: business, name: 'Bulk' },
      { kind: 'account', id: t.accountId, name: 'Bulk' },
      { kind: 'site', id: site?.id, domain: 'bulk.example' },
      { kind: 'site', business_id: business, domain: 'new-bulk.example' },
    ]
    return { operations }
  }

  /** Other values of the site itself, and a keyword that it did not have. */
  function pushed(): readonly object[] {
    const of = { site: site?.domain }
    const changed = searched(of).map((line) => ({
      ...line,
      ...('rank' in line && { rank: 60, url: 'https://c.example/' }),
      ...('clicks' in line && { clicks: 61 }),
    }))
    return [...changed, ownOf(site?.domain ?? '', 9), { ...reviewOf(of, 1), rating: 2 }, { type: 'keyword', ...of, phrase: 'new' }]
  }

  async function confirmDeletion(): Promise<void> {
    await endUndoing(app)
    Object.assign(confirmed, await previewDeletion(world.operator, t.accountId))
  }

  function forgetEditors(): Promise<unknown> {
    return app.store.write((tx) => tx.deleteFrom('account_editors').execute())
  }

  function forgetLocation(): Promise<unknown> {
    return app.store.write((tx) =>
      tx
        .deleteFrom('locations')
        .where('id', '=', bareSite?.location ?? 0)
        .execute(),
    )
  }
}
