/** A command line for every command that changes something, and the rows that it names. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../../src/cli/commands.ts'
import { previewDeletion } from '../../../src/model/partners/deleted-accounts.ts'
import { monthTableNames } from '../../../src/store/month-tables.ts'
import type { marquee } from '../../support/command.ts'
import type { Place } from '../../support/engines.ts'
import { mailed, mailedByAll, stored, traceless, withinAccount } from './below.ts'
import type { Ground } from './ground.ts'
import { lateLines, reviewers } from './measured-lines.ts'
import type { Expected, Named, Recipe } from './recipe.ts'
import { archiveAccounts, confirmFactors, deactivateBusinesses, endUndoing, letMailWait, restSources, suspendUsers } from './states.ts'
import { expiredLinks } from './world.ts'

/** Why these have no recipe. */
// biome-ignore format: a table reads by its columns
export const elsewhere: Readonly<Record<string, string>> = {
  serve:       'what it does are the requests, the forms and the jobs',
  mcp:         'asks a service as any client does',
  conformance: 'asks a service as any client does',
  demo:        'refuses a database in which there are partners',
  migrate:     'changes the schema, on a database that nobody uses',
  move:        'copies the whole database, and proves every table of the copy',
  distribute:  'needs a Citus cluster, and changes no row',
  backup:      'writes a file',
  restore:     'replaces the whole database',
  'source try': 'asks a site, and stores nothing',
}

/** These only show something: all of them together change nothing. */
// biome-ignore format: a table reads by its columns
export const shows: Readonly<Record<string, (one: Shown) => string>> = {
  settings:          () => '',
  doctor:            () => '',
  'partner list':    () => '',
  'partner show':    ({ partner }) => `${partner}`,
  'key list':        () => '',
  'account list':    () => '',
  'staff list':      ({ partner }) => `--partner ${partner}`,
  'customer show':   ({ account }) => `${account}`,
  'user list':       () => '',
  'user show':       ({ user }) => `${user}`,
  'business list':   () => '',
  'site list':       () => '',
  'site shares':     ({ site }) => `${site}`,
  'keyword list':    ({ site }) => `--site ${site}`,
  'competitor list': ({ site }) => `--site ${site}`,
  'page list':       ({ site }) => `--site ${site}`,
  'location list':   ({ site }) => `--site ${site}`,
  export:            ({ account }) => `--account ${account}`,
  'intake list':     () => '',
  'mapping list':    ({ partner }) => `--partner ${partner}`,
  'mapping show':    ({ partner }) => `daily --partner ${partner}`,
  'intake show':     ({ intake }) => `${intake}`,
  'source list':     () => '',
  'source show':     ({ source }) => `${source}`,
  'reports list':    ({ account }) => `--account ${account}`,
  'reports suppressed': ({ partner }) => `--partner ${partner}`,
  'why key':         ({ key }) => key,
  'why user':        ({ user, site }) => `${user} --site ${site}`,
  'secret list':     () => '',
  'audit list':      () => '',
  'audit export':    () => '',
  'audit verify':    () => '',
  'subject export':  ({ login }) => `--user ${login}`,
}

interface Shown {
  readonly source: number
  readonly partner: number
  readonly account: number
  readonly site: number
  readonly user: number
  readonly login: string
  readonly key: string
  readonly intake: number
}

export const commandNames: readonly string[] = commands.map(({ words }) => words)

export async function commandRecipes({ app, world }: Pick<Ground, 'app' | 'world'>, place: Place, run: typeof marquee): Promise<Recipe[]> {
  const { acme, target: t } = world
  const [site, owner, person, schedule, key, business = 0] = [
    t.sites[1],
    t.people[0],
    t.people[1],
    t.schedules[1],
    acme.keys[1],
    t.businesses[1],
  ]
  assert.ok(site && owner && person && schedule && key)
  const below = withinAccount(app, t.accountId)
  const [account, ofUser, ofPartner] = [{ id: t.accountId }, { user_id: person.id }, { id: acme.id }]
  const [link = { id: 0 }, note = 0, page = 0, keyword = 0, rival = 0, bare = 0] = [
    site.links[1],
    site.annotations[1],
    site.pages[1],
    site.keywords[1],
    site.rivals[1],
    t.sites[2]?.location,
  ]
  const late = t.intakes[1] ?? 0
  const table = join(place.folder, 'customers.csv')
  writeFileSync(table, 'Customer,Website,Keywords\nNew,new.example,new\nNewer,newer.example,newer\n')
  const file = join(place.folder, 'lines.ndjson')
  const lines = lateLines('imported.acme1.example', t.sites[0]?.domain ?? '')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const ended: Named = { sessions: ofUser, login_links: ofUser, pending_logins: ofUser, email_changes: ofUser }
  const named = `--account ${t.accountId}`
  const { confirm } = await previewDeletion(world.operator, t.accountId)

  // biome-ignore format: a table reads by its columns
  const typed: readonly (readonly [string, string, Expected])[] = [
    ['partner create',      '--name New',                                 { adds: ['partners', 'accounts', 'keys'] }],
    ['partner create',      '--name New --invite boss@new.example',       { as: '--invite', adds: ['partners', 'accounts', 'keys', 'staff_invitations'] }],
    ['partner create',      `--test --of ${acme.id}`,                   { as: '--test', adds: ['partners', 'accounts', 'keys', 'test_partners'] }],
    ['staff invite',        `--partner ${acme.id} --email new@acme.example`, { adds: ['staff_invitations'] }],
    ['staff remove',        `${acme.staff[1]} --partner ${acme.id} --successor ${acme.staff[2]}`, { changes: { staff: { user_id: acme.staff[1] ?? 0 }, accounts: account, share_links: { created_by: acme.staff[1] ?? 0 }, sessions: { user_id: acme.staff[1] ?? 0 } } }],
    ['partner set',         `${acme.id} --names legacy`,                  { changes: { partners: ofPartner } }],
    ['partner brand',       `${acme.id} --name New`,                      { changes: { brands: { partner_id: acme.id } } }],
    ['partner brand',       `${acme.id} --off`,                           { as: '--off', changes: { brands: { partner_id: acme.id }, brand_pictures: { id: 'picture-acme' } } }],
    ['partner suspend',     `${acme.id}`,                                 { changes: { partners: ofPartner } }],
    ['partner resume',      `${acme.id}`,                                 { prepare: suspendPartners, changes: { partners: ofPartner } }],
    ['key issue',           `--partner ${acme.id}`,                       { adds: ['keys'] }],
    ['key rotate',          key.publicPart,                               { changes: { keys: [{ id: key.id }, { issued_by: key.id }] }, adds: ['keys'] }],
    ['key revoke',          key.publicPart,                               { changes: { keys: [{ id: key.id }, { issued_by: key.id }] } }],
    ['account create',      `--partner ${acme.id} --name New`,            { adds: ['accounts'] }],
    ['account set',         `${t.accountId} --time-zone Europe/Berlin`,   { changes: { accounts: account } }],
    ['account brand',       `${t.accountId} --name New`,                  { changes: { account_brands: { account_id: t.accountId } } }],
    ['account brand',       `${t.accountId} --off`,                       { as: '--off', changes: { account_brands: { account_id: t.accountId }, brand_pictures: { id: 'picture-acme1' } } }],
    ['customer add',        `--partner ${acme.id} --name New --domain new.example`, { adds: ['accounts', 'businesses', 'sites', 'locations'] }],
    ['customer import',     `${table} --partner ${acme.id}`,              { adds: ['accounts', 'businesses', 'sites', 'locations', 'subjects', 'keywords', 'measured_versions'] }],
    ['customer set',        `${t.accountId} --tags new`,                  { changes: { accounts: account } }],
    ['customer deactivate', `${t.accountId}`,                             { changes: { businesses: { account_id: t.accountId } } }],
    ['customer reactivate', `${t.accountId}`,                             { prepare: () => deactivateBusinesses(app), changes: { businesses: { account_id: t.accountId } } }],
    ['customer archive',    `${t.accountId}`,                             { prepare: () => letMailWait(app), changes: { accounts: account, mails: { account_id: t.accountId } } }],
    ['customer unarchive',  `${t.accountId}`,                             { prepare: () => archiveAccounts(app), changes: { accounts: account } }],
    ['account delete',      `${t.accountId} --confirm ${confirm}`,        { prepare: () => endUndoing(app), changes: { accounts: account }, adds: ['deleted_accounts'] }],
    ['account delete',      `${t.accountId}`,                             { as: 'without a confirmation' }],
    ['account restore',     `${acme.goneId}`,                             { changes: { accounts: { id: acme.goneId }, deleted_accounts: { account_id: acme.goneId } } }],
    ['account set-owner',   `${t.accountId} --user ${person.id}`,         { changes: { accounts: account } }],
    ['user create',         `${named} --email new@people.example --login new-login --generate`, { adds: ['users', 'user_passwords', 'user_names'] }],
    ['user suspend',        `${person.id}`,                               { changes: { users: { id: person.id }, ...ended } }],
    ['user unsuspend',      `${person.id}`,                               { prepare: () => suspendUsers(app), changes: { users: { id: person.id } } }],
    ['user login-link',     `${person.id}`,                               { adds: ['login_links'], others: expiredLinks }],
    ['user log-out',        `${person.id}`,                               { changes: ended }],
    ['user reset-second-factor', `${person.id}`,                        { prepare: () => confirmFactors(app), changes: { ...ended, second_factors: ofUser, recovery_codes: ofUser } }],
    ['user delete',         `${person.id}`,                               { changes: { ...mailed(world), users: { id: person.id }, ...ended, abilities: ofUser, account_editors: ofUser, external_ids: { kind: 'user', record_id: person.id } } }],
    ['user set-password',   `${person.id} --generate`,                    { changes: { users: { id: person.id }, ...ended, user_passwords: ofUser } }],
    ['business create',     `${named} --name New`,                        { adds: ['businesses'] }],
    ['business deactivate', `${business}`,                                { changes: { businesses: { id: business } } }],
    ['business reactivate', `${business}`,                                { prepare: () => deactivateBusinesses(app), changes: { businesses: { id: business } } }],
    ['business delete',     `${business}`,                                { prepare: emptyBusiness, changes: { businesses: { id: business }, external_ids: { kind: 'business', record_id: business } } }],
    ['site create',         `--business ${business} --domain new.example`, { changes: { accounts: account }, adds: ['sites'] }],
    ['source add',          `--partner ${acme.id} --kind site --account ${t.accountId}`, { adds: ['data_sources'] }],
    ['source rest',         `${acme.sources[0]}`,                         { changes: { data_sources: { id: acme.sources[0] ?? 0 } } }],
    ['source start',        `${acme.sources[0]}`,                         { prepare: () => restSources(app), changes: { data_sources: { id: acme.sources[0] ?? 0 } } }],
    ['source run',          `${acme.sources[0]}`,                         { changes: { data_source_sites: { source_id: acme.sources[0] ?? 0 } } }],
    ['source remove',       `${acme.sources[0]}`,                         { changes: { data_sources: { id: acme.sources[0] ?? 0 }, data_source_sites: { source_id: acme.sources[0] ?? 0 } } }],
    ['site share',          `${site.id}`,                                 { adds: ['share_links'] }],
    ['site unshare',        `${site.id} --link ${link.id}`,               { changes: { share_links: { id: link.id } } }],
    ['site delete',         `${site.id}`,                                 { changes: { ...(await below.site(site)), ...below.leftSchedules(t) } }],
    ['keyword delete',      `${keyword} --site ${site.id}`,               { changes: below.keywords([keyword]) }],
    ['competitor delete',   `${rival} --site ${site.id}`,                 { changes: await below.competitor(rival) }],
    ['page delete',         `${page} --site ${site.id}`,                  { changes: below.pages([page]) }],
    ['location delete',     `${bare}`,                                    { changes: { accounts: account, locations: { id: bare } } }],
    ['import',              `${file} ${named} --create-missing`,          { changes: below.imported(t), adds: [...stored, 'intakes'] }],
    ['import',              `${file} ${named} --create-missing --dry-run`, { as: '--dry-run' }],
    ['intake release',      `${acme.intakes.held}`,                       { changes: { intakes: { id: acme.intakes.held }, intake_tasks: { intake_id: acme.intakes.held } } }],
    ['intake undo',         `${late} --despite-later --dry-run`,          { as: '--dry-run', changes: { intakes: { id: late } } }],
    ['intake undo',         `${late} --despite-later`,                    { changes: await below.undone(t) }],
    ['mapping rename',      `daily --partner ${acme.id} --to nightly`,    { changes: { import_mappings: { partner_id: acme.id, name: 'daily' } }, adds: ['import_mappings'] }],
    ['mapping delete',      `weekly --partner ${acme.id}`,                { changes: { import_mappings: { partner_id: acme.id, name: 'weekly' } } }],
    ['annotation add',      `--site ${site.id} --day 2026-10-02 --text new`, { adds: ['annotations'] }],
    ['annotation remove',   `${note} --site ${site.id}`,                  { changes: { annotations: { id: note } } }],
    ['reports schedule',    `${named} --every week --to new@readers.example`, { adds: ['report_schedules', 'report_recipients', 'mails'] }],
    ['reports unschedule',  `${schedule.id} ${named}`,                    { changes: { report_schedules: { id: schedule.id }, report_recipients: { schedule_id: schedule.id }, report_runs: { schedule_id: schedule.id } } }],
    ['reports send',        `${schedule.id}`,                             { changes: { report_schedules: { id: schedule.id }, report_runs: { schedule_id: schedule.id } }, adds: ['mails', 'report_runs'] }],
    ['reports unsuppress',  `${acme.suppressions[1]} --partner ${acme.id}`, { changes: { suppressions: { id: acme.suppressions[1] ?? 0 } } }],
    ['subject erase',       `--user ${person.login}`,                     { changes: { ...mailed(world), ...traceless(world) }, others: { why: 'nobody mails to an erased person', changes: mailedByAll(world) } }],
    ['subject erase',       `--reviewer ${reviewers[0]}`,                 { as: 'a reviewer', others: { why: 'a reviewer is erased wherever they have written', changes: reviewed() } }],
    ['switch',              '--get-actions off',                          { adds: ['facts'] }],
    ['secret rotate',       '--in 1',                                     { changes: { server_secrets: { id: 1 } }, adds: ['server_secrets'], stays: true }],
    ['secret retire',       '1 --force',                                  { prepare: takeOver, changes: { server_secrets: { id: 1 } }, others: { why: 'what needs the secret is encrypted again first', changes: { second_factors: { last_step: 0 }, mail_senders: { selector: 'marquee-0' } } }, stays: true }],
    ['retention',           '--keep-months 12',                           { others: { why: 'old months go for all', changes: await oldMonths() }, stays: true }],
  ]
  const changing = typed.map(([of, line, expected]): Recipe => ({ of, ...expected, act: () => type(`${of} ${line}`) }))
  const one: Shown = {
    partner: acme.id,
    account: t.accountId,
    site: site.id,
    user: person.id,
    login: person.login,
    key: key.publicPart,
    source: acme.sources[0] ?? 0,
    intake: late,
  }
  const showing: Recipe = {
    of: 'whatever only shows',
    act: async () => {
      for (const [words, line] of Object.entries(shows)) await type(`${words} ${line(one)}`.trim())
    },
  }
  const astray = [
    ['site unshare', `${t.sites[0]?.id} --link ${link.id}`],
    ['keyword delete', `${keyword} --site ${t.sites[0]?.id}`],
    ['competitor delete', `${rival} --site ${t.sites[0]?.id}`],
    ['page delete', `${page} --site ${t.sites[0]?.id}`],
    ['annotation remove', `${note} --site ${t.sites[0]?.id}`],
    ['reports unschedule', `${schedule.id} --account ${acme.holdings[2]?.accountId}`],
  ] as const
  const lost = astray.map(([of, line]): Recipe => ({ of, as: 'found by way of another', act: () => type(`${of} ${line}`, 1) }))
  return [showing, ...lost, ...changing].map((recipe) => ({ ...recipe, isElsewhere: true }))

  async function type(line: string, wanted = 0): Promise<void> {
    const { code, stderr } = await run(place, line)
    // The doctor ends with 1 where it finds something.
    assert.ok(code === wanted || line === 'doctor', `\`${line}\` said ${stderr}`)
  }

  function suspendPartners(): Promise<unknown> {
    return app.store.write((tx) => tx.updateTable('partners').set({ state: 'suspended' }).execute())
  }

  /** Its sites go to the next business, and nobody has an ability on it. */
  function emptyBusiness(): Promise<unknown> {
    return app.store.write(async (tx) => {
      await tx
        .updateTable('sites')
        .set({ business_id: t.businesses[2] ?? 0 })
        .where('business_id', '=', business)
        .execute()
      await tx.deleteFrom('abilities').where('scope_type', '=', 'Business').where('scope_id', '=', business).execute()
    })
  }

  /** What they wrote, in reports, in the way back of an intake, in refused lines, and in files that are still to be read. */
  function reviewed(): Named {
    return {
      reviews: { user: reviewers[0] ?? '' },
      review_marks: { note: reviewers[0] ?? '' },
      measured_versions: {},
      intake_steps: { kind: 'review' },
      intake_tasks: { task: ['store', 'held'] },
      intake_refused_lines: { part: 0 },
    }
  }

  /** As if some time had passed since the rotation. */
  function takeOver(): Promise<unknown> {
    return app.store.write((tx) => tx.updateTable('server_secrets').set({ starts_at: app.clock.now() }).where('id', '=', 2).execute())
  }

  async function oldMonths(): Promise<Named> {
    const before = Math.floor(Date.now() / 1000) - 400 * 86_400
    const starts = monthTableNames.map(async (table) => {
      const rows = await app.store.db.selectFrom(table).select('starts_at').distinct().where('starts_at', '<', before).execute()
      return [table, { starts_at: rows.map((row) => row.starts_at) }]
    })
    return { ...Object.fromEntries(await Promise.all(starts)), measured_versions: {} }
  }
}
