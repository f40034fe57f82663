/** The options of the commands: each maps to its description. The table of commands names them, and the command reads what was given. */

import { addressNote } from '../store/address.ts'

const nameOption = { '--name <text>!': 'its name' }
export const ofPartnerOption = { '--partner <partner>!': 'the partner' }
export const onlyPartnerOption = { '--partner <partner>': 'only those of this partner' }
export const onlyAccountOption = { '--account <id>': 'only those of this account' }
export const ofAccountOption = { '--account <id>!': 'the account' }
export const onlyBusinessOption = { '--business <id>': 'only those of this business' }
export const ofSiteOption = { '--site <id>!': 'the site' }
const passphraseOption = { '--passphrase-stdin': 'read the passphrase from standard input' }

export const serveOptions = {
  '--demo': 'create demo data and print how to try it',
  '--workers <count|auto>': 'number of worker processes, or auto for one per core; MARQUEE_WORKERS by default',
}

export const migrateOptions = {
  '--init': 'create a new database and its server secret if there is none',
  '--plan': 'only show the migrations, and about how long they take',
}

export const conformanceOptions = {
  '--write': 'also create a user and a business; needs --account',
  '--account <id>': 'the account in which they are created',
  '--level <text>': 'interface, recommended, or marquee for all rules (all)',
  '--only <text>': 'these rules only, separated by commas: seo.types, or seo for all that begin so',
  '--start-date <text>': 'look at reports from this day on; all for their whole history (seven days ago)',
}

export const mcpOptions = { '--credentials <text>!': 'a file that contains KEY:PASSWORD' }
export const demoOptions = { '--scale <count>': 'multiplies the number of sites, for tests of size (1)' }

export const newPartnerOptions = {
  '--name <text>': 'its name; a test of another partner is called like that one if you give none',
  '--invite <text>': 'the email address of its first admin, who is invited to its desk',
  '--test': 'make a test partner, filled with the demo’s world by the service; its mails go to the admins of its partner alone',
  '--of <id>': 'with --test: whose test it is',
}

export const staffOptions = {
  ...ofPartnerOption,
  '--email <text>!': 'the email address',
  '--role <admin|member>': 'admin: everything; member: everything except what concerns the staff, keys and the brand (member)',
  '--customers <all|assigned>': 'the customers of a member: all, now and later, or the assigned ones (all)',
}

export const staffRemovalOptions = { ...ofPartnerOption, '--successor <id>': 'the colleague who takes over customers and links' }

export const partnerOptions = {
  '--name <text>': 'another name',
  '--key-alone <on|off>': 'whether reports may be read with the key alone',
  '--names <encoded|legacy|default>': 'how XML element names made from data are written',
  '--series <all|default>': 'whether reports print each device and location as an engine of its own',
  '--release <automatic|unless_wrong|by_hand|default>': 'who lets the reports of new schedules go',
  '--second-factor <demanded|free>': 'whether its staff must have a second factor',
  '--origins <text>': 'https origins whose pages may read with its tokens, separated by commas; none removes them',
  '--reads-per-minute <count|default>': 'limit of reads; 0 switches it off',
  '--writes-per-minute <count|default>': 'limit of writes; 0 switches it off',
  '--taken-per-hour <count|default>': 'limit on answers that say that a name is taken; 0 switches it off',
}

export const accountBrandOptions = {
  '--name <text>': 'name on every page, mail and PDF; for this and the following options, none removes the value',
  '--accent <text>': 'accent colour, such as #0a7d5b',
  '--logo <text>': 'file of a PNG, JPEG or WebP of at most 200 KB',
  '--logo-dark <text>': 'logo for dark pages; without it the logo gets a light background there',
  '--favicon <text>': 'file of a PNG, JPEG, WebP or ICO; the logo by default',
  '--support <text>': 'email address or https page for questions',
  '--sender <text>': 'sender name of mails; the name by default',
  '--off': 'remove the whole brand',
}

export const brandOptions = { '--host <text>': 'host name at which its people log in', ...accountBrandOptions }

export const keyOptions = {
  ...ofPartnerOption,
  '--label <text>': 'what it is for',
  '--scope <scopes>': 'what it may do: provision, report, ingest, login_link, keys, staff, separated by commas (provision,report)',
  '--expires <date>': 'the first day on which it is no longer valid',
  '--direct-writes': 'allow agents to write with it without a dry run first',
}

export const keyRotateOptions = { '--grace <count>': 'days the old key stays valid (7)' }
export const accountOptions = { ...ofPartnerOption, ...nameOption }
export const accountListOptions = { ...onlyPartnerOption, '--deleted': 'those that were deleted and can be brought back' }
export const confirmOption = { '--confirm <text>': 'what the command told without this option' }
export const customerOptions = {
  ...ofPartnerOption,
  '--name <text>!': 'its name',
  '--domain <text>!': 'the domain of its first site',
  '--domains <text>': 'domains of further sites, separated by commas',
  '--keywords <text>': 'phrases tracked for the first site, separated by commas',
  '--competitors <text>': 'domains of competitors, separated by commas',
  '--tags <text>': 'labels separated by commas',
  '--time-zone <text>': 'a name such as Europe/Berlin, or UTC',
  '--external-id <text>': 'the own id that the partner has for it',
  '--colleague <text>': 'login or email of somebody of the staff, who looks after it',
  '--contact <text>': 'name of the person who may see it',
  '--email <text>': 'email address of that person',
  '--rhythm <text>': 'how often the person gets the reports: weekly or monthly',
}
export const customerTableOptions = {
  ...ofPartnerOption,
  '--columns <text>': 'which column is which field, where a column is called otherwise: "Firma=name,Seite=domain"',
  '--dry-run': 'only show what would be made',
}
export const tagsOption = { '--tags <text>!': 'labels separated by commas; an empty text takes them away' }
export const ownerOption = { '--user <id>!': 'a user of that account' }
export const timeZoneOption = { '--time-zone <text>!': 'a name such as Europe/Berlin, or UTC' }

export const passwordOptions = {
  '--password-stdin': 'read the password from standard input',
  '--generate': 'generate a password and print it',
}

export const personOptions = {
  ...ofAccountOption,
  '--email <text>!': 'the email address',
  '--login <text>!': 'the login',
  '--name <text>': 'the name of the person',
  '--owner': 'make them owner of the account',
  ...passwordOptions,
}

export const businessOptions = { ...ofAccountOption, ...nameOption }
export const siteOptions = { '--business <id>!': 'the business', '--domain <text>!': 'its domain' }

export const shareOptions = {
  '--days <count>': 'how many days the link is valid, 1 to 366 (30)',
  '--label <text>': 'who or what it is for',
  '--password-stdin': 'read a password for the link from standard input',
}

export const sourceOptions = {
  ...ofPartnerOption,
  '--kind <site>!': 'what it fetches: site measures the sites themselves',
  '--account <id>': 'only for the sites of this account',
  '--every <daily|weekly|monthly>': 'how often (daily)',
}

export const unshareOptions = { '--link <id>!': 'the share link' }
export const suppressedOptions = { ...ofPartnerOption, '--email <text>': 'only this address' }
export const mappingRenameOptions = { ...ofPartnerOption, '--to <text>!': 'the new name' }
export const undoOptions = {
  '--dry-run': 'show what would go and what would stay, and change nothing',
  '--with-people': 'take what people have hung on its records too; needs a --dry-run --with-people since the last change',
  '--despite-later': 'of an earlier version: undo it although later ones may have delivered the same records, and take those too',
}
export const removalOptions = { '--dry-run': 'show what would be deleted, and delete nothing' }
export const contentOptions = { ...ofSiteOption, ...removalOptions }
export const locationListOptions = { '--site <id>': 'only the location of this site' }

export const annotationOptions = {
  ...ofSiteOption,
  '--day <date>!': 'the day',
  '--text <text>!': 'what happened, in at most 200 characters',
}

export const scheduleOptions = {
  ...ofAccountOption,
  '--every <week|month>!': 'how often',
  '--to <text>!': 'email addresses, separated by commas',
  '--sites <text>': 'ids of sites, separated by commas; without it every site',
  '--release <automatic|unless_wrong|by_hand>':
    'whether a report goes by itself, waits at the desk where something is wrong, or always waits',
}

export const whyUserOptions = {
  '--site <id>': 'whether the user can see this site',
  '--business <id>': 'whether the user can see this business',
  '--account <id>': 'whether the user can see this account',
}

export const secretRotateOptions = {
  '--grace <count>': 'days for which values made with the old secret are still accepted (30)',
  '--in <count>': 'seconds until the new secret is used (15)',
}

export const secretRetireOptions = { '--force': 'retire it even if keys that were not used since the rotation will be refused' }

export const auditOptions = {
  '--partner <partner>': 'only what concerns this partner',
  '--account <id>': 'only what concerns this account',
  '--subject <text>': 'only what was done to this subject: User:9',
  '--actor <text>': 'only what this key or user did: key:AbC12345, user:9, operator',
  '--action <text>': 'only this action: business.deactivate',
  '--since <date>': 'only from this day on',
}
export const auditVerifyOptions = { '--anchor <text>': 'a position and seal from the log that must be part of the chain' }
export const subjectOptions = {
  '--user <text>': 'a user, by email or login, or the address of somebody who only gets mails',
  '--reviewer <text>': 'the author of reviews, by the name in the reviews',
}

export const eraseOptions = {
  ...subjectOptions,
  '--since <date>': 'everybody who was erased from this day on, again: for a backup that the tools of a database server restored',
}
export const switchOptions = { '--get-actions <on|off>': 'whether GET deactivates and reactivates businesses' }
export const backupOptions = {
  '--to <folder>': 'write a file named after the time into this folder',
  '--keep <count>': 'keep this many of the newest backups in that folder, and remove older ones',
  '--with-secret': 'include the server secret under a passphrase',
  ...passphraseOption,
}

export const restoreOptions = {
  '--check': 'only verify the backup, in a temporary folder',
  '--end-sessions': 'end all sessions, so that people must log in again',
  ...passphraseOption,
}

export const moveOptions = {
  '--to <address>': addressNote,
  '--to-file <file>': 'read that address from a file, where it holds a password',
  '--abort': 'let the database that is being moved accept writes again',
}

export const retentionOptions = {
  '--keep-months <count>!': 'how many months before the current one are kept',
  '--dry-run': 'show what would be removed, and remove nothing',
}
