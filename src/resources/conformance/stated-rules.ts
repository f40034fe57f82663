/** What a server is held to, each rule with the paragraph of the interface or the dated decision that says so. */

export const conformanceLevels = ['interface', 'recommended', 'marquee'] as const

/** Of the interface itself; what any server of it should do where it is silent; and what only Marquee does. */
export type ConformanceLevel = (typeof conformanceLevels)[number]

export interface StatedRule {
  readonly level: ConformanceLevel
  readonly says: string
  readonly by: Citation
}

/** A heading of the interface, or the name of a page among the decisions. */
export interface Citation {
  readonly page: 'interface' | `2026-${string}`
  readonly heading?: string
}

const interfaceAt = (heading: string): Citation => ({ page: 'interface', heading })
const decided = (page: `2026-${string}`): Citation => ({ page })

// biome-ignore format: a table reads by its columns
export const statedRules = {
  'access.none':       { level: 'recommended', says: 'without credentials a report is 401',                         by: decided('2026-11-15-credentials-and-scopes') },
  'access.challenge':  { level: 'interface',   says: 'a 401 carries a Basic challenge',                             by: interfaceAt('Authentication') },
  'access.password':   { level: 'recommended', says: 'a wrong password is 401, for reports too',                    by: decided('2026-11-15-credentials-and-scopes') },
  'access.key':        { level: 'recommended', says: 'an unknown key is 401',                                       by: decided('2026-11-15-credentials-and-scopes') },
  'access.provision':  { level: 'recommended', says: 'users cannot be created with the key alone',                  by: decided('2026-11-15-credentials-and-scopes') },
  'format.extension':  { level: 'interface',   says: 'the extension .json is answered in JSON',                     by: interfaceAt('SEO report') },
  'format.xml':        { level: 'recommended', says: 'the extension .xml is answered in XML, in UTF-8',             by: decided('2026-11-15-formats') },
  'format.default':    { level: 'recommended', says: 'without extension and Accept the answer is XML',              by: decided('2026-11-15-formats') },
  'format.accept':     { level: 'recommended', says: 'without extension Accept decides',                            by: decided('2026-11-15-formats') },
  'format.unknown':    { level: 'marquee',     says: 'an unknown extension is 406',                                 by: decided('2026-11-15-formats') },
  'error.address':     { level: 'recommended', says: 'an unknown address is 404',                                   by: decided('2026-11-15-errors') },
  'error.method':      { level: 'recommended', says: 'a method that is not taken is 405 with Allow',                by: decided('2026-11-15-errors') },
  'error.xml':         { level: 'marquee',     says: 'errors in XML are <errors> with a code each',                 by: decided('2026-11-15-errors') },
  'error.json':        { level: 'marquee',     says: 'errors in JSON are problem documents',                        by: decided('2026-11-15-errors') },
  'error.request-id':  { level: 'marquee',     says: 'every answer carries X-Request-Id',                           by: decided('2026-11-15-errors') },
  'seo.status':        { level: 'recommended', says: 'the SEO report is 200',                                       by: decided('2026-11-15-seo-report') },
  'seo.key-alone':     { level: 'interface',   says: 'the key alone opens it',                                      by: interfaceAt('Authentication') },
  'seo.declaration':   { level: 'recommended', says: 'it begins with the XML declaration',                          by: decided('2026-11-15-xml-dialect') },
  'seo.root':          { level: 'interface',   says: 'its root is hash, with accounts as an array',                 by: interfaceAt('SEO report (root element `hash`)') },
  'seo.end':           { level: 'marquee',     says: 'it ends with one line feed',                                  by: decided('2026-11-15-xml-dialect') },
  'seo.names':         { level: 'marquee',     says: 'elements named by an id carry the id in name',                by: decided('2026-11-15-element-names') },
  'seo.site-fields':   { level: 'interface',   says: 'each site has the fields of the interface, in order',         by: interfaceAt('SEO report (root element `hash`)') },
  'seo.competitors':   { level: 'interface',   says: 'each competitor has the fields of the interface',             by: interfaceAt('SEO report (root element `hash`)') },
  'seo.types':         { level: 'interface',   says: 'numbers carry their type, strings none',                      by: interfaceAt('What the service does') },
  'seo.nulls':         { level: 'interface',   says: 'a null is an empty element with nil="true"',                  by: interfaceAt('What the service does') },
  'seo.ranked-at':     { level: 'interface',   says: 'ranked-at is YYYY-MM-DD HH:MM:SS, without a type',            by: interfaceAt('SEO report (root element `hash`)') },
  'seo.found-on':      { level: 'interface',   says: 'found-on is a date with its type',                            by: interfaceAt('SEO report (root element `hash`)') },
  'seo.json':          { level: 'recommended', says: 'in JSON it is the same tree, without hash',                   by: decided('2026-11-15-formats') },
  'seo.json-sites':    { level: 'recommended', says: 'JSON and XML hold the same sites',                            by: decided('2026-11-15-formats') },
  'seo.days':          { level: 'interface',   says: 'days filter the rankings',                                    by: interfaceAt('SEO report') },
  'seo.bad-day':       { level: 'recommended', says: 'a day that is none is 400',                                   by: decided('2026-11-15-seo-report') },
  'seo.reversed':      { level: 'recommended', says: 'a start after the end is 400',                                by: decided('2026-11-15-seo-report') },
  'seo.one-account':   { level: 'interface',   says: 'account_id narrows it to that account',                       by: interfaceAt('SEO report') },
  'seo.foreign':       { level: 'recommended', says: 'an account that is not managed is 404',                       by: decided('2026-11-15-tenancy') },
  'seo.bad-id':        { level: 'recommended', says: 'an account id that is none is 400',                           by: decided('2026-11-15-seo-report') },
  'seo.etag':          { level: 'marquee',     says: 'it has an entity tag, and 304 answers it',                    by: decided('2026-11-15-report-streaming-and-etags') },
  'detail.status':     { level: 'recommended', says: 'the reputation report, detail, is 200',                       by: decided('2026-11-15-reputation-reports') },
  'detail.fields':     { level: 'interface',   says: 'its root is account, with the fields of the interface',       by: interfaceAt('Reputation report, detail variant (root element `account`)') },
  'detail.id':         { level: 'interface',   says: 'it is of the account that was asked for',                     by: interfaceAt('Reputation report, detail') },
  'detail.created':    { level: 'interface',   says: 'created-at is a timestamp in UTC',                            by: interfaceAt('Reputation report, detail variant (root element `account`)') },
  'counts.status':     { level: 'recommended', says: 'the reputation report, counts, is 200',                       by: decided('2026-11-15-reputation-reports') },
  'counts.fields':     { level: 'interface',   says: 'its root is account, with the fields of the interface',       by: interfaceAt('Reputation report, counts variant (root element `account`)') },
  'counts.foreign':    { level: 'recommended', says: 'a foreign account is 404',                                    by: decided('2026-11-15-tenancy') },
  'user.invalid':      { level: 'recommended', says: 'a user without fields is 422, with an error for each',        by: decided('2026-11-15-errors') },
  'user.malformed':    { level: 'recommended', says: 'a body that is not well-formed is 400',                       by: decided('2026-11-15-errors') },
  'user.created':      { level: 'recommended', says: 'a user is created with 201 and Location',                     by: decided('2026-11-15-user-creation') },
  'user.fields':       { level: 'interface',   says: 'it has the fields of the interface, in order',                by: interfaceAt('User (XML root element `user`)') },
  'user.passive':      { level: 'interface',   says: 'it is passive, and its password is not returned',             by: interfaceAt('States and transitions') },
  'user.taken':        { level: 'recommended', says: 'the same login again is 422 taken',                           by: decided('2026-11-15-errors') },
  'abilities.none':    { level: 'interface',   says: 'a new user has no abilities',                                 by: interfaceAt("View a user's abilities") },
  'abilities.put':     { level: 'interface',   says: 'PUT answers the set that results',                            by: interfaceAt("Update a user's abilities") },
  'abilities.merge':   { level: 'interface',   says: 'merge keeps what is there',                                   by: interfaceAt("Update a user's abilities") },
  'abilities.remove':  { level: 'interface',   says: 'remove takes away',                                           by: interfaceAt("Update a user's abilities") },
  'abilities.bad':     { level: 'recommended', says: 'an ability that is none is 422',                              by: decided('2026-11-15-errors') },
  'business.created':  { level: 'interface',   says: 'a business is created active, with the fields in order',      by: interfaceAt('Business (XML root element `business`)') },
  'business.off':      { level: 'interface',   says: 'GET deactivates, twice as once',                              by: interfaceAt('Deactivate a business') },
  'business.on':       { level: 'interface',   says: 'GET reactivates',                                             by: interfaceAt('Reactivate a business') },
} as const satisfies Readonly<Record<string, StatedRule>>

export type StatedRuleId = keyof typeof statedRules

export function citationText({ page, heading }: Citation): string {
  return heading === undefined ? `decision ${page}` : `interface, ${heading.replaceAll('`', '')}`
}
