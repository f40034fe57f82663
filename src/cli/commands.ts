/** The table of all commands. The parser, its help and the documentation read it. */

import { exampleAddress } from '../store/address.ts'
import { asOperator, type Command, fromFile } from './command.ts'
import { exportOptions, importOptions } from './import-options.ts'
import {
  accountBrandOptions,
  accountListOptions,
  accountOptions,
  annotationOptions,
  auditOptions,
  auditVerifyOptions,
  backupOptions,
  brandOptions,
  businessOptions,
  confirmOption,
  conformanceOptions,
  contentOptions,
  customerOptions,
  customerTableOptions,
  demoOptions,
  eraseOptions,
  keyOptions,
  keyRotateOptions,
  locationListOptions,
  mappingRenameOptions,
  mcpOptions,
  migrateOptions,
  moveOptions,
  newPartnerOptions,
  ofAccountOption,
  ofPartnerOption,
  ofSiteOption,
  onlyAccountOption,
  onlyBusinessOption,
  onlyPartnerOption,
  ownerOption,
  partnerOptions,
  passwordOptions,
  personOptions,
  removalOptions,
  restoreOptions,
  retentionOptions,
  scheduleOptions,
  secretRetireOptions,
  secretRotateOptions,
  serveOptions,
  shareOptions,
  siteOptions,
  sourceOptions,
  staffOptions,
  staffRemovalOptions,
  subjectOptions,
  suppressedOptions,
  switchOptions,
  tagsOption,
  timeZoneOption,
  undoOptions,
  unshareOptions,
  whyUserOptions,
} from './options.ts'

// The files of commands. Only the one that is used is loaded.
const exportFile = () => import('./commands/imports/export.ts')
const importFile = () => import('./commands/imports/import.ts')
const intake = () => import('./commands/imports/intake.ts')
const source = () => import('./commands/imports/source.ts')
const mapping = () => import('./commands/imports/mapping.ts')
const audit = () => import('./commands/operation/audit.ts')
const backup = () => import('./commands/operation/backup.ts')
const conformance = () => import('./commands/operation/conformance.ts')
const demo = () => import('./commands/operation/demo.ts')
const distribute = () => import('./commands/operation/distribute.ts')
const doctor = () => import('./commands/operation/doctor.ts')
const mcp = () => import('./commands/operation/mcp.ts')
const migrate = () => import('./commands/operation/migrate.ts')
const move = () => import('./commands/operation/move.ts')
const restore = () => import('./commands/operation/restore.ts')
const retention = () => import('./commands/operation/retention.ts')
const secret = () => import('./commands/operation/secret.ts')
const serve = () => import('./commands/operation/serve.ts')
const settings = () => import('./commands/operation/settings.ts')
const why = () => import('./commands/operation/why.ts')
const customer = () => import('./commands/provisioning/customer.ts')
const account = () => import('./commands/provisioning/account.ts')
const annotation = () => import('./commands/provisioning/annotation.ts')
const brand = () => import('./commands/provisioning/brand.ts')
const business = () => import('./commands/provisioning/business.ts')
const key = () => import('./commands/provisioning/key.ts')
const partner = () => import('./commands/provisioning/partner.ts')
const removal = () => import('./commands/provisioning/removal.ts')
const mailing = () => import('./commands/provisioning/report-mail.ts')
const site = () => import('./commands/provisioning/site.ts')
const staff = () => import('./commands/provisioning/staff.ts')
const subject = () => import('./commands/provisioning/subject.ts')
const switchFile = () => import('./commands/provisioning/switch.ts')
const user = () => import('./commands/provisioning/user.ts')

export const groups = {
  partner: 'Partners: the organisations that hold keys and manage accounts.',
  staff: 'Staff: the people who work at the desk of a partner.',
  key: 'Keys: how a partner is known; each is named by its public part.',
  account: 'Accounts: what a partner manages.',
  customer: 'Customers: accounts as their partners look after them.',
  user: 'Users: the people who can log in.',
  business: 'Businesses of an account.',
  site: 'Sites of a business.',
  keyword: 'Keywords of a site.',
  competitor: 'Competitors of a site.',
  page: 'Pages with reviews of a site and its competitors.',
  location: 'Locations of sites, which carry their pages with reviews.',
  annotation: 'Notes on days of charts.',
  reports: 'Reports mailed on a schedule.',
  audit: 'The audit log of every change.',
  secret: 'The server secret, from which all other keys are derived.',
  intake: 'Imports and pushes, which can be undone.',
  mapping: 'Column mappings that are saved by name.',
  source: 'From where the service fetches figures by itself.',
  subject: 'The personal data of one person.',
  why: 'Why a key is refused, and why a user can or cannot see something.',
}

// biome-ignore format: a table reads by its columns
export const commands: readonly Command[] = [
  { words: 'serve',                                   options: serveOptions,        says: 'Start the service',                                                           example: '--demo',                                                     act: fromFile(serve, 'serve'), needsKnownSettings: true },
  { words: 'migrate',                                 options: migrateOptions,      says: 'Migrate the database to the schema of this version',                          example: '--init',                                                     act: fromFile(migrate, 'migrate') },
  { words: 'settings',                                                              says: 'Show each setting and where its value came from',                             example: '--json',                                                     act: fromFile(settings, 'listSettings') },
  { words: 'doctor',                                                                says: 'Examine the installation and report what is wrong',                           example: '--json',                                                     act: fromFile(doctor, 'doctor'), needsKnownSettings: true },
  { words: 'conformance',         takes: '<url>',     options: conformanceOptions,  says: 'Check a server against the interface; KEY:PASSWORD comes on standard input',  example: 'https://marquee.example < credentials',                      act: fromFile(conformance, 'conformance') },
  { words: 'mcp',                 takes: '<url>',     options: mcpOptions,          says: 'Connect an agent with the tools of a service over standard input and output', example: 'https://marquee.example --credentials key.txt',              act: fromFile(mcp, 'mcp') },
  { words: 'demo',                                    options: demoOptions,         says: 'Create the demo data if it is missing, and a key to it',                      example: '--scale 10',                                                 act: fromFile(demo, 'demo') },
  { words: 'partner create',                          options: newPartnerOptions,   says: 'Create a partner with its account and first key',                             example: '--name "Acme" --invite boss@acme.example',                   act: asOperator(partner, 'create') },
  { words: 'partner list',                                                          says: 'List partners',                                                               example: '--json',                                                     act: asOperator(partner, 'list') },
  { words: 'partner show',        takes: '<id>',                                    says: 'Show a partner',                                                              example: '3',                                                          act: asOperator(partner, 'show') },
  { words: 'partner set',         takes: '<id>',      options: partnerOptions,      says: 'Change the settings of a partner',                                            example: '3 --key-alone off --reads-per-minute 600',                   act: asOperator(partner, 'set') },
  { words: 'partner brand',       takes: '<id>',      options: brandOptions,        says: 'Set the brand of the pages and mails of a partner',                           example: '3 --name Acme --host reports.acme.example --accent "#0a7d5b" --logo acme.png', act: asOperator(brand, 'brand') },
  { words: 'partner suspend',     takes: '<id>',                                    says: 'Refuse all keys of a partner from now on',                                    example: '3',                                                          act: asOperator(partner, 'suspend') },
  { words: 'partner resume',      takes: '<id>',                                    says: 'Accept the keys of a suspended partner again',                                example: '3',                                                          act: asOperator(partner, 'resume') },
  { words: 'staff invite',                            options: staffOptions,        says: 'Invite somebody to the staff of a partner',                                   example: '--partner 3 --email ben@acme.example --role member',         act: asOperator(staff, 'invite') },
  { words: 'staff list',                              options: ofPartnerOption,     says: 'List the staff of a partner',                                                 example: '--partner 3',                                                act: asOperator(staff, 'list') },
  { words: 'staff remove',        takes: '<id>',      options: staffRemovalOptions, says: 'Remove somebody from the staff; the login stays',                             example: '9 --partner 3 --successor 12',                               act: asOperator(staff, 'remove') },
  { words: 'key issue',                               options: keyOptions,          says: 'Issue a key with its password',                                               example: '--partner 3 --label "nightly import" --scope ingest',        act: asOperator(key, 'issue') },
  { words: 'key list',                                options: onlyPartnerOption,   says: 'List keys',                                                                   example: '--partner 3',                                                act: asOperator(key, 'list') },
  { words: 'key rotate',          takes: '<key>',     options: keyRotateOptions,    says: 'Replace a key, which stays valid for a while',                                example: 'AbC12345 --grace 2',                                         act: asOperator(key, 'rotate') },
  { words: 'key revoke',          takes: '<key>',                                   says: 'Refuse a key from now on',                                                    example: 'AbC12345',                                                   act: asOperator(key, 'revoke') },
  { words: 'account create',                          options: accountOptions,      says: 'Create an account',                                                           example: '--partner 3 --name "Harbor Dental"',                         act: asOperator(account, 'create') },
  { words: 'account list',                            options: accountListOptions,  says: 'List accounts',                                                               example: '--partner 3',                                                act: asOperator(account, 'list') },
  { words: 'customer add',                            options: customerOptions,     says: 'Make an account with its business, sites, keywords, competitors, a person and their mail', example: '--partner 3 --name "Harbor Dental" --domain harbordental.example --keywords "dentist chicago, implants"', act: asOperator(customer, 'add') },
  { words: 'customer import',     takes: '<file>',    options: customerTableOptions, says: 'Make customers from a CSV table, after every row was found to be good',      example: 'customers.csv --partner 3 --dry-run',                        act: asOperator(customer, 'importTable') },
  { words: 'customer show',       takes: '<id>',                                    says: 'Show an account with its labels, and its businesses by state',                example: '5',                                                          act: asOperator(customer, 'show') },
  { words: 'customer set',        takes: '<id>',      options: tagsOption,          says: 'Set the labels of an account',                                                example: '5 --tags "dental, chicago"',                                 act: asOperator(customer, 'set') },
  { words: 'customer deactivate', takes: '<id>',                                    says: 'Deactivate all active businesses of an account together',                     example: '5',                                                          act: asOperator(customer, 'deactivate') },
  { words: 'customer reactivate', takes: '<id>',                                    says: 'Reactivate what was deactivated together, and nothing else',                  example: '5',                                                          act: asOperator(customer, 'reactivate') },
  { words: 'customer archive',    takes: '<id>',                                    says: 'End the mails of an account',                                                 example: '5',                                                          act: asOperator(customer, 'archive') },
  { words: 'customer unarchive',  takes: '<id>',                                    says: 'Let an archived account get mail again',                                      example: '5',                                                          act: asOperator(customer, 'unarchive') },
  { words: 'account delete',      takes: '<id>',      options: confirmOption,       says: 'Show what a deletion takes, or delete the account and keep it out of reach for a time', example: '5',                                                act: asOperator(account, 'remove') },
  { words: 'account restore',     takes: '<id>',                                    says: 'Bring a deleted account back as it was',                                      example: '5',                                                          act: asOperator(account, 'restore') },
  { words: 'account set',         takes: '<id>',      options: timeZoneOption,      says: 'Set the time zone in which pages count its days',                             example: '5 --time-zone Europe/Berlin',                                act: asOperator(account, 'set') },
  { words: 'account brand',       takes: '<id>',      options: accountBrandOptions, says: 'Set a brand for one account that overrides its partner’s',                    example: '5 --name "Harbor Dental" --logo harbor.png --support help@harbor.example', act: asOperator(brand, 'accountBrand') },
  { words: 'account set-owner',   takes: '<id>',      options: ownerOption,         says: 'Make a user the owner of an account',                                         example: '5 --user 9',                                                 act: asOperator(account, 'setOwner') },
  { words: 'user create',                             options: personOptions,       says: 'Create a user',                                                               example: '--account 5 --email dana@acme.example --login dana-acme --generate', act: asOperator(user, 'create') },
  { words: 'user list',                               options: onlyAccountOption,   says: 'List users',                                                                  example: '--account 5',                                                act: asOperator(user, 'list') },
  { words: 'user show',           takes: '<id>',                                    says: 'Show a user',                                                                 example: '9',                                                          act: asOperator(user, 'show') },
  { words: 'user suspend',        takes: '<id>',                                    says: 'Suspend a user, who then cannot log in',                                      example: '9',                                                          act: asOperator(user, 'suspend') },
  { words: 'user unsuspend',      takes: '<id>',                                    says: 'End the suspension of a user',                                                example: '9',                                                          act: asOperator(user, 'unsuspend') },
  { words: 'user login-link',     takes: '<id>',                                    says: 'Make a link that logs a user in once, within 15 minutes',                     example: '9',                                                          act: asOperator(user, 'loginLink') },
  { words: 'user reset-second-factor', takes: '<id>',                               says: 'Take away the second factor of a user who has lost it',                       example: '9',                                                          act: asOperator(user, 'resetFactor') },
  { words: 'user log-out',        takes: '<id>',                                    says: 'End all sessions and links of a user',                                        example: '9',                                                          act: asOperator(user, 'logOut') },
  { words: 'user delete',         takes: '<id>',                                    says: 'Delete a user; login and email stay reserved',                                example: '9',                                                          act: asOperator(user, 'remove') },
  { words: 'user set-password',   takes: '<id>',      options: passwordOptions,     says: 'Give a user another password and end their sessions',                         example: '9 --generate',                                               act: asOperator(user, 'setPassword') },
  { words: 'business create',                         options: businessOptions,     says: 'Create a business',                                                           example: '--account 5 --name "Harbor Dental Chicago"',                 act: asOperator(business, 'create') },
  { words: 'business list',                           options: onlyAccountOption,   says: 'List businesses',                                                             example: '--account 5',                                                act: asOperator(business, 'list') },
  { words: 'business deactivate', takes: '<id>',                                    says: 'Deactivate a business',                                                       example: '7',                                                          act: asOperator(business, 'deactivate') },
  { words: 'business reactivate', takes: '<id>',                                    says: 'Reactivate a business',                                                       example: '7',                                                          act: asOperator(business, 'reactivate') },
  { words: 'business delete',     takes: '<id>',      options: removalOptions,      says: 'Delete a business without sites and abilities',                               example: '7 --dry-run',                                                act: asOperator(removal, 'business') },
  { words: 'site create',                             options: siteOptions,         says: 'Create a site',                                                               example: '--business 7 --domain chicago.harbordental.example',         act: asOperator(site, 'create') },
  { words: 'site list',                               options: onlyBusinessOption,  says: 'List sites',                                                                  example: '--business 7',                                               act: asOperator(site, 'list') },
  { words: 'site share',          takes: '<id>',      options: shareOptions,        says: 'Make a link that shows the pages of a site',                                  example: '12 --days 30 --label "Harbor Dental"',                       act: asOperator(site, 'share') },
  { words: 'site shares',         takes: '<id>',                                    says: 'List the share links of a site',                                              example: '12',                                                         act: asOperator(site, 'shares') },
  { words: 'site unshare',        takes: '<id>',      options: unshareOptions,      says: 'Revoke a share link',                                                         example: '12 --link 3',                                                act: asOperator(site, 'unshare') },
  { words: 'site delete',         takes: '<id>',      options: removalOptions,      says: 'Delete a site with all its measurements',                                     example: '12 --dry-run',                                               act: asOperator(removal, 'site') },
  { words: 'keyword list',                            options: ofSiteOption,        says: 'List the keywords of a site',                                                 example: '--site 12',                                                  act: asOperator(removal, 'keywords') },
  { words: 'keyword delete',      takes: '<id>',      options: contentOptions,      says: 'Delete a keyword with its rankings',                                          example: '81 --site 12 --dry-run',                                     act: asOperator(removal, 'keyword') },
  { words: 'competitor list',                         options: ofSiteOption,        says: 'List the competitors of a site',                                              example: '--site 12',                                                  act: asOperator(removal, 'competitors') },
  { words: 'competitor delete',   takes: '<id>',      options: contentOptions,      says: 'Delete a competitor with all its measurements',                               example: '33 --site 12 --dry-run',                                     act: asOperator(removal, 'competitor') },
  { words: 'page list',                               options: ofSiteOption,        says: 'List the pages with reviews of a site',                                       example: '--site 12',                                                  act: asOperator(removal, 'pages') },
  { words: 'page delete',         takes: '<id>',      options: contentOptions,      says: 'Delete a page with its reviews and counts',                                   example: '14 --site 12 --dry-run',                                     act: asOperator(removal, 'page') },
  { words: 'location list',                           options: locationListOptions, says: 'List the locations of sites',                                                 example: '--site 12',                                                  act: asOperator(removal, 'locations') },
  { words: 'location delete',     takes: '<id>',      options: removalOptions,      says: 'Delete a location that has no pages',                                         example: '16 --dry-run',                                               act: asOperator(removal, 'location') },
  { words: 'import',              takes: '[file...]', options: importOptions,       says: 'Import data files or saved reports',                                          example: 'rankings.ndjson.gz --partner 3 --create-missing',            act: fromFile(importFile, 'importFiles') },
  { words: 'export',                                  options: exportOptions,       says: 'Print the imported data, one JSON object per line',                           example: '--account 5 --kind rankings,backlinks',                      printsLines: true, act: asOperator(exportFile, 'exportLines') },
  { words: 'intake list',                             options: onlyPartnerOption,   says: 'List imports and pushes',                                                     example: '--partner 3',                                                act: asOperator(intake, 'list') },
  { words: 'intake show',         takes: '<id>',                                    says: 'Show an import or push',                                                      example: '41',                                                         act: asOperator(intake, 'show') },
  { words: 'intake release',      takes: '<id>',                                    says: 'Store an upload that is parked, or was refused because its key was revoked',  example: '41',                                                         act: asOperator(intake, 'release') },
  { words: 'intake undo',         takes: '<id>',      options: undoOptions,         says: 'Undo what an import or push created and changed',                             example: '41',                                                         act: asOperator(intake, 'undo') },
  { words: 'mapping list',                            options: ofPartnerOption,     says: 'List the column mappings saved for a partner',                                example: '--partner 3',                                                act: asOperator(mapping, 'list') },
  { words: 'mapping show',        takes: '<name>',    options: ofPartnerOption,     says: 'Show every option of a saved mapping',                                        example: 'positions --partner 3',                                      act: asOperator(mapping, 'show') },
  { words: 'mapping rename',      takes: '<name>',    options: mappingRenameOptions, says: 'Rename a saved mapping',                                                      example: 'positions --partner 3 --to weekly',                          act: asOperator(mapping, 'rename') },
  { words: 'mapping delete',      takes: '<name>',    options: ofPartnerOption,     says: 'Delete a saved mapping',                                                      example: 'positions --partner 3',                                      act: asOperator(mapping, 'remove') },
  { words: 'annotation add',                          options: annotationOptions,   says: "Add a note to a day of a site's charts",                                      example: '--site 7 --day 2026-10-12 --text "New host"',                act: asOperator(annotation, 'add') },
  { words: 'annotation remove',   takes: '<id>',      options: ofSiteOption,        says: 'Remove a note',                                                               example: '4 --site 7',                                                 act: asOperator(annotation, 'remove') },
  { words: 'reports schedule',                        options: scheduleOptions,     says: 'Mail reports of an account every week or month',                              example: '--account 5 --every week --to dana@acme.example',            act: asOperator(mailing, 'schedule') },
  { words: 'reports unschedule',  takes: '<id>',      options: ofAccountOption,     says: 'End a schedule',                                                              example: '3 --account 5',                                              act: asOperator(mailing, 'unschedule') },
  { words: 'reports list',                            options: ofAccountOption,     says: 'List the schedules of an account and its last mails',                         example: '--account 5 --json',                                         act: asOperator(mailing, 'list') },
  { words: 'reports send',        takes: '<id>',                                    says: 'Mail the last period to recipients who have not got it',                      example: '3',                                                          act: asOperator(mailing, 'send') },
  { words: 'reports suppressed',                      options: suppressedOptions,   says: 'List the addresses to which a partner sends nothing that nobody asked for',   example: '--partner 3 --email dana@acme.example',                      act: asOperator(mailing, 'suppressed') },
  { words: 'reports unsuppress',  takes: '<id>',      options: ofPartnerOption,     says: 'Take an address off that list',                                               example: '4 --partner 3',                                              act: asOperator(mailing, 'unsuppress') },
  { words: 'source list',                             options: onlyPartnerOption,   says: 'List sources',                                                                 example: '--partner 3',                                             act: asOperator(source, 'list') },
  { words: 'source add',                              options: sourceOptions,       says: 'Add a source',                                                                 example: '--partner 3 --kind site',                                 act: asOperator(source, 'add') },
  { words: 'source show',         takes: '<id>',                                    says: 'Show a source, and what came of the last run for each site',                   example: '2',                                                       act: asOperator(source, 'show') },
  { words: 'source run',          takes: '<id>',                                    says: 'Let a source fetch at once',                                                   example: '2',                                                       act: asOperator(source, 'run') },
  { words: 'source start',        takes: '<id>',                                    says: 'Start a source that rests',                                                    example: '2',                                                       act: asOperator(source, 'start') },
  { words: 'source rest',         takes: '<id>',                                    says: 'Put a source to rest',                                                         example: '2',                                                       act: asOperator(source, 'rest') },
  { words: 'source remove',       takes: '<id>',                                    says: 'Remove a source; what it has fetched stays',                                   example: '2',                                                       act: asOperator(source, 'remove') },
  { words: 'source try',          takes: '<site>',                                  says: 'Print what a site gives when it is measured, and store nothing',               example: '12',                                                      act: asOperator(source, 'tryOut') },
  { words: 'why key',             takes: '<key>',                                   says: 'Explain why a key is refused, or what it may do',                             example: 'AbC12345',                                                   act: asOperator(why, 'key') },
  { words: 'why user',            takes: '<id>',      options: whyUserOptions,      says: 'Explain why a user can or cannot see something',                              example: '9 --site 12',                                                act: asOperator(why, 'user') },
  { words: 'secret list',                                                           says: 'List the server secrets and the keys that depend on an old one',              example: '',                                                           act: asOperator(secret, 'list') },
  { words: 'secret rotate',                           options: secretRotateOptions, says: 'Create a new server secret; the old one is accepted for a while',             example: '--grace 30',                                                 act: asOperator(secret, 'rotate') },
  { words: 'secret retire',       takes: '<id>',      options: secretRetireOptions, says: 'Refuse values made with an old server secret',                                example: '1',                                                          act: asOperator(secret, 'retire') },
  { words: 'audit list',                              options: auditOptions,        says: 'List the last thousand changes',                                              example: '--partner 3 --since 2026-11-01',                             act: asOperator(audit, 'list') },
  { words: 'audit export',                            options: auditOptions,        says: 'Print all changes, one JSON object per line',                                 example: '--subject User:9',                                           printsLines: true, act: asOperator(audit, 'exportEntries') },
  { words: 'audit verify',                            options: auditVerifyOptions,  says: 'Prove that no entry was changed or removed',                                  example: '',                                                           act: asOperator(audit, 'verify') },
  { words: 'subject export',                          options: subjectOptions,      says: 'Print the personal data of a person as JSON',                                 example: '--user dana@acme.example',                                   act: asOperator(subject, 'exportSubject') },
  { words: 'subject erase',                           options: eraseOptions,        says: 'Erase the personal data of a person',                                         example: '--reviewer "Dana K."',                                       act: asOperator(subject, 'erase') },
  { words: 'switch',                                  options: switchOptions,       says: 'Turn a feature of the running service off or on',                             example: '--get-actions off',                                          act: asOperator(switchFile, 'setSwitches') },
  { words: 'backup',              takes: '[file]',    options: backupOptions,       says: 'Write the whole database to a file while it is in use',                       example: '--to /var/backups/marquee --keep 14',                        act: fromFile(backup, 'backup') },
  { words: 'restore',             takes: '<file>',    options: restoreOptions,      says: 'Replace the database by a backup',                                            example: '/var/backups/marquee/monday.db --check',                     act: fromFile(restore, 'restore') },
  { words: 'move',                                    options: moveOptions,         says: 'Move everything to another database, and leave this one',                     example: `--to ${exampleAddress}`,                                     act: fromFile(move, 'move') },
  { words: 'distribute',                                                            says: 'Spread the measurements over the workers of a Citus cluster',                 example: '--json',                                                     act: fromFile(distribute, 'distribute') },
  { words: 'retention',                               options: retentionOptions,    says: 'Remove rankings, counts and figures of old months of all accounts',           example: '--keep-months 36 --dry-run',                                 act: asOperator(retention, 'retention') },
]
