/** The resources by which the endpoints are sorted: each is a page in the documentation and a tag in OpenAPI. */

import { type Endpoint, isReport } from '../endpoint.ts'

interface ResourceNote {
  readonly title: string
  readonly about: string
}

// biome-ignore format: a table reads by its columns
export const resources = {
  users:        { title: 'Users',        about: 'People who can log in, each attached to an account.' },
  abilities:    { title: 'Abilities',    about: 'What a user may see: an account, a business or a site.' },
  businesses:   { title: 'Businesses',   about: 'What an account runs; the sites hang below it.' },
  accounts:     { title: 'Accounts',     about: 'What a partner manages; users, businesses and sites belong to one.' },
  customers:    { title: 'Customers',    about: 'Accounts as you look after them: with labels, and with all businesses deactivated together.' },
  sites:        { title: 'Sites',        about: 'Domains of businesses, measured by the reports.' },
  locations:    { title: 'Locations',    about: 'Places of sites in the world, at most one for a site; they carry the pages with reviews.' },
  annotations:  { title: 'Annotations',  about: 'Sentences pinned to days of a site’s charts: a new page, a campaign, a move.' },
  schedules:    { title: 'Schedules',    about: 'Reports by mail: which sites of an account, how often, and to whom.' },
  suppressions: { title: 'Suppressed addresses', about: 'Addresses to which you send neither reports nor questions: who unsubscribed, and whom the mail server does not know.' },
  keys:         { title: 'Keys',         about: 'Keys that you issue by yourself, with fewer scopes and accounts. Needs a key with the scope `keys`.' },
  tokens:       { title: 'Tokens',       about: 'Short-lived tokens that read one account or site, also from the pages of a portal. Needs a key with the scope `report`, and its password.' },
  editors:      { title: 'Editors',      about: 'Who may share, note and schedule what they may see of an account.' },
  colleague:    { title: 'Colleague',    about: 'Who of the staff looks after an account. Needs a key with the scope `staff`.' },
  staff:        { title: 'Staff',        about: 'The people who work at the desk of the partner. Needs a key with the scope `staff`.' },
  staff_invitations: { title: 'Staff invitations', about: 'Whom somebody has asked to join the staff. Needs a key with the scope `staff`.' },
  share_links:  { title: 'Share links',  about: 'Links that open the pages of one site without a login, until they expire or are revoked.' },
  brand:        { title: 'Brand',        about: 'The name, the colour and the pictures of pages and mails: yours, and those of single accounts over them.' },
  usage:        { title: 'Usage',        about: 'What you asked for and sent in, day by day, and the limits that hold now.' },
  events:       { title: 'Events',       about: 'What happened, in the order in which it was committed, without gaps: records that were created, changed and deleted, keys, and what came in. Needs a key with the scope `events`, and its password.' },
  bulk:         { title: 'Bulk',         about: 'Many records created and changed by one request.' },
  reports:      { title: 'Reports',      about: 'What was measured, streamed in XML, JSON or CSV. The key alone suffices, unless the partner has switched that off.' },
  summary:      { title: 'Summaries',    about: 'How sites are doing, with the figures of their pages: for dashboards and assistants. Needs a key with the scope `report` or `read`, and its password.' },
  rankings:     { title: 'Rankings',     about: 'Measured places as flat rows, for tables of other tools. Needs a key with the scope `report` or `read`, and its password.' },
  export:       { title: 'Export',       about: 'Everything that makes accounts and all that was measured of them, to keep or to take along. Needs a key with the scopes `provision` and `report`, and its password.' },
  intakes:      { title: 'Intakes',      about: 'Everything that came in, and large files that are stored in the background. Needs a key with the scope `ingest`, and its password.' },
  sources:      { title: 'Sources',      about: 'From where the service fetches figures by itself, and how that went for each site. Needs a key with the scope `ingest`, and its password; who changes one needs `provision` too.' },
  mappings:     { title: 'Mappings',     about: 'Options by which files of a tool are read, saved under a name. Needs a key with the scope `ingest`, and its password.' },
  observations: { title: 'Observations', about: 'Measured data in. Needs a key with the scope `ingest`, and its password.' },
} as const satisfies Record<string, ResourceNote>

export type ResourceName = keyof typeof resources

/** Abilities belong to a user and reports to an account, but each is a resource of its own here. */
export function resourceOf(endpoint: Endpoint): ResourceName {
  const { path } = endpoint
  if (isReport(endpoint)) return 'reports'
  const segments = path.split('/').filter((segment) => !segment.startsWith('{'))
  const found = segments.toReversed().find((segment) => segment in resources)
  if (found === undefined) throw new Error(`${path} belongs to no resource: give it a row in resources.ts`)
  return found as ResourceName
}
