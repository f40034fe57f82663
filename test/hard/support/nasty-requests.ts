/** Legal requests of the nastiest kind: sizes, shapes, encodings and data that cost as much as they can. */
import { nastyForms } from './nasty-forms.ts'
import { nastyPushes, nastySite } from './nasty-pushes.ts'
import { nastyRows } from './nasty-rows.ts'
import { largeSite, nastyStores } from './nasty-stores.ts'

export interface NastyRequest {
  readonly name: string
  /** On whose behalf. */
  readonly as: 'partner' | 'person' | 'staff' | 'nobody'
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** What it works on, sent before it and not measured. */
  readonly after?: NastyRequest
  /** Made when it is sent: together they would fill the memory of the tester. */
  readonly body?: () => Buffer
}

const xml = { 'content-type': 'application/xml' }
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const many = (count: number, make: (index: number) => string, between = '') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between)

// biome-ignore format: a table reads by its columns
const provisioning: readonly NastyRequest[] = [
  { name: 'deep XML',                as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user>${'<a>'.repeat(20_000)}`) },
  { name: 'XML of comments',         as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user>${'<!---->'.repeat(9_000)}</user>`) },
  { name: 'XML of CDATA',            as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user><login>${'<![CDATA[]]>'.repeat(5_000)}</login></user>`) },
  { name: 'XML of references',       as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user><login>${'&#x41;'.repeat(10_000)}</login></user>`) },
  { name: 'XML of attributes',       as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user ${many(5_000, (i) => `a${i}=""`, ' ')}/>`) },
  { name: 'XML of ampersands',       as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user><login>${'&'.repeat(60_000)}</login></user>`) },
  { name: 'a comment without end',   as: 'partner', method: 'POST', path: '/api/users.xml',  headers: xml,  body: () => Buffer.from(`<user>${'<!--'.repeat(15_000)}`) },
  { name: 'deep JSON',               as: 'partner', method: 'POST', path: '/api/users.json', headers: json, body: () => Buffer.from('['.repeat(60_000)) },
  { name: 'JSON of blanks',          as: 'partner', method: 'POST', path: '/api/users.json', headers: json, body: () => Buffer.from(`{${' '.repeat(60_000)}}`) },
  { name: 'JSON of one name',        as: 'partner', method: 'POST', path: '/api/users.json', headers: json, body: () => Buffer.from(`{${many(9_000, () => '"a":1', ',')}}`) },
  { name: 'a login of 60,000 marks', as: 'partner', method: 'POST', path: '/api/users.json', headers: json, body: () => Buffer.from(JSON.stringify({ user: { login: '\u0301'.repeat(30_000), email: `${'a'.repeat(3_000)}@b`, password: 'x' } })) },
  { name: 'a form of 32,000 fields', as: 'partner', method: 'POST', path: '/api/users.xml',  headers: form, body: () => Buffer.from(many(32_000, () => 'a', '&')) },
  { name: 'a form of brackets',      as: 'partner', method: 'POST', path: '/api/users.xml',  headers: form, body: () => Buffer.from(`user${'[a]'.repeat(20_000)}=1`) },
  { name: 'a form of list items',    as: 'partner', method: 'PUT',  path: '/api/users/1/abilities.xml', headers: form, body: () => Buffer.from(many(8_000, () => 'abilities[][key]=show', '&')) },
  { name: '8,000 elements',          as: 'partner', method: 'PUT',  path: '/api/users/1/abilities.xml', headers: xml, body: () => Buffer.from(`<abilities type="array">${'<ability/>'.repeat(7_900)}</abilities>`) },
  { name: '1,000 abilities',         as: 'partner', method: 'PUT',  path: '/api/users/1/abilities.json', headers: json, body: () => Buffer.from(`{"abilities":[${many(1_000, (i) => `{"key":"show","scope_type":"Site","scope_id":${i + 1}}`, ',')}]}`) },
  { name: '16,000 elements',         as: 'partner', method: 'POST', path: '/api/bulk.xml',  headers: xml,  body: () => Buffer.from(`<operations type="array">${'<operation/>'.repeat(15_900)}</operations>`) },
  { name: '1 MiB of comments',       as: 'partner', method: 'POST', path: '/api/bulk.xml',  headers: xml,  body: () => Buffer.from(`<operations type="array">${'<!---->'.repeat(149_000)}</operations>`) },
  { name: '1 MiB of blanks',         as: 'partner', method: 'POST', path: '/api/bulk.json', headers: form, body: () => Buffer.alloc(1_048_576, ' ') },
  { name: '1,000 operations',        as: 'partner', method: 'POST', path: '/api/bulk.json', headers: json, body: () => Buffer.from(`{"operations":[${many(1_000, (i) => `{"kind":"user","email":"nobody${i}","login":"${'l'.repeat(300)}","password":"","account_id":${i}}`, ',')}]}`) },
  { name: '1,000 locations',         as: 'partner', method: 'POST', path: '/api/locations.xml', headers: xml, body: () => Buffer.from(`<locations type="array">${many(1_000, (i) => `<location><site-id>${i}</site-id><name>${'n'.repeat(900)}</name></location>`)}</locations>`) },
  { name: '1,000 new businesses',    as: 'partner', method: 'POST', path: '/api/bulk.json', headers: json, body: () => Buffer.from(`{"operations":[${many(1_000, (i) => `{"kind":"business","name":"Business ${i}"}`, ',')}]}`) },
  { name: '1,000 more, all or none', as: 'partner', method: 'POST', path: '/api/bulk.json?atomic=1', headers: json, body: () => Buffer.from(`{"operations":[${many(1_000, (i) => `{"kind":"business","name":"Business ${i}"}`, ',')}]}`) },
  { name: '1,000 new keywords',      as: 'partner', method: 'POST', path: '/api/sites/{site}/keywords.json', headers: json, body: () => Buffer.from(`{"keywords":[${many(1_000, (i) => `{"phrase":"phrase ${i}","tags":"a,b,c"}`, ',')}]}`) },
  { name: '1,000 new pages',         as: 'partner', method: 'POST', path: '/api/sites/{site}/pages.json', headers: json, body: () => Buffer.from(`{"pages":[${many(1_000, (i) => `{"source":"Yelp","page_url":"https://yelp.example/${i}"}`, ',')}]}`) },
]

// biome-ignore format: a table reads by its columns
const deletions: readonly NastyRequest[] = [
  { name: 'a site of 20,000 keywords', as: 'partner', method: 'DELETE', path: '/api/sites/{large}.json', after: largeSite },
]

// biome-ignore format: a table reads by its columns
const questions: readonly NastyRequest[] = [
  { name: '200 account ids',         as: 'partner', method: 'GET', path: `/api/seo_report.json?account_id=${many(200, (i) => String(i + 1), ',')}` },
  { name: 'a query of ampersands',   as: 'partner', method: 'GET', path: `/api/seo_report.json?${'&'.repeat(15_000)}` },
  { name: 'a query of 3,000 names',  as: 'partner', method: 'GET', path: `/api/users.json?${many(3_000, (i) => `a${i}`, '&')}` },
  { name: 'a path of slashes',       as: 'partner', method: 'GET', path: `/api${'/'.repeat(15_000)}` },
  { name: 'a path of percents',      as: 'partner', method: 'GET', path: `/api/users/${'%41'.repeat(5_000)}` },
  { name: 'the whole SEO report',    as: 'partner', method: 'GET', path: '/api/seo_report.xml' },
  { name: 'it in Brotli',            as: 'partner', method: 'GET', path: '/api/seo_report.xml?names=legacy', headers: { 'accept-encoding': 'br' } },
  { name: 'it in Zstandard',         as: 'partner', method: 'GET', path: '/api/seo_report.json', headers: { 'accept-encoding': 'zstd' } },
  { name: 'it as a table',           as: 'partner', method: 'GET', path: '/api/seo_report.csv?table=rankings', headers: { 'accept-encoding': 'gzip' } },
  { name: 'a list of a hundred',     as: 'partner', method: 'GET', path: '/api/users.json?limit=100' },
  { name: '1,000 media types',       as: 'partner', method: 'GET', path: '/api/users', headers: { accept: many(1_000, (i) => `a/b${i}`, ',') } },
  { name: '1,000 codings',           as: 'partner', method: 'GET', path: '/api/seo_report.json', headers: { 'accept-encoding': many(1_000, (i) => `c${i};q=0.1`, ',') } },
  { name: '1,000 entity tags',       as: 'partner', method: 'GET', path: '/api/seo_report.json', headers: { 'if-none-match': many(1_000, (i) => `"t${i}"`, ',') } },
  { name: 'credentials of 12 KB',    as: 'nobody',  method: 'GET', path: '/api/users.json', headers: { authorization: `Basic ${Buffer.alloc(9_000, 'x:').toString('base64')}` } },
]

const agent = { ...json, accept: 'application/json, text/event-stream' }
const listing = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

// biome-ignore format: a table reads by its columns
const messages: readonly NastyRequest[] = [
  { name: 'a list of all tools',     as: 'partner', method: 'POST', path: '/mcp', headers: agent, body: () => Buffer.from(listing) },
  { name: 'a batch of 100 lists',    as: 'partner', method: 'POST', path: '/mcp', headers: agent, body: () => Buffer.from(`[${many(100, () => listing, ',')}]`) },
  { name: 'a batch of 5,000 lists',  as: 'partner', method: 'POST', path: '/mcp', headers: agent, body: () => Buffer.from(`[${many(5_000, () => listing, ',')}]`) },
  { name: 'a deep message',          as: 'partner', method: 'POST', path: '/mcp', headers: agent, body: () => Buffer.from(`{"a":${'['.repeat(200_000)}`) },
  { name: 'a message of members',    as: 'partner', method: 'POST', path: '/mcp', headers: agent, body: () => Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${many(18_000, (i) => `"k${i}":1`, ',')}}}`) },
  { name: 'a call with many names',  as: 'partner', method: 'POST', path: '/mcp', headers: agent, body: () => Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listUsers","arguments":{${many(18_000, (i) => `"k${i}":1`, ',')}}}}`) },
]

// biome-ignore format: a table reads by its columns
const looks: readonly NastyRequest[] = [
  { name: 'the list of sites',       as: 'person', method: 'GET', path: '/' },
  { name: 'the list as CSV',         as: 'person', method: 'GET', path: '/sites.csv' },
  { name: 'the search page',         as: 'person', method: 'GET', path: '/sites/{site}/search' },
  { name: 'search of a century',     as: 'person', method: 'GET', path: '/sites/{site}/search?from=1970-01-01&to=2069-12-31' },
  { name: 'search of three years',   as: 'person', method: 'GET', path: '/sites/{site}/search?from=2024-01-01&to=2026-12-31' },
  { name: 'movers of three years',   as: 'person', method: 'GET', path: '/sites/{site}/search?from=2024-01-01&to=2026-12-31&sort=movers&q=a' },
  { name: 'search of three years on paper', as: 'person', method: 'GET', path: '/sites/{site}/search?from=2024-01-01&to=2026-12-31&print=all' },
  { name: 'one engine of thousands', as: 'person', method: 'GET', path: '/sites/{site}/search?from=2025-12-01&to=2026-02-01&engine=Engine%2059999' },
  { name: 'search as CSV',           as: 'person', method: 'GET', path: '/sites/{site}/search.csv?table=keywords&from=2024-01-01&to=2026-12-31' },
  { name: 'links as CSV',            as: 'person', method: 'GET', path: '/sites/{site}/search.csv?table=backlinks&from=2024-01-01&to=2026-12-31' },
  { name: 'the reputation page',     as: 'person', method: 'GET', path: '/sites/{site}/reputation?from=2024-01-01&to=2026-12-31' },
  { name: 'reviews with a word',     as: 'person', method: 'GET', path: '/sites/{site}/reputation?from=2024-01-01&to=2026-12-31&words=xyz' },
  { name: 'reputation on paper',     as: 'person', method: 'GET', path: '/sites/{site}/reputation?from=2024-01-01&to=2026-12-31&print=all' },
  { name: 'reputation as CSV',       as: 'person', method: 'GET', path: '/sites/{site}/reputation.csv?table=reviews&from=2024-01-01&to=2026-12-31' },
  { name: 'the list on paper',       as: 'person', method: 'GET', path: '/?view=all&print=all' },
  { name: 'the switcher of sites',   as: 'person', method: 'GET', path: '/sites.json?q=new' },
  { name: 'a page in Brotli',        as: 'person', method: 'GET', path: '/sites/{site}/search', headers: { 'accept-encoding': 'br' } },
  { name: 'a cookie of semicolons',  as: 'nobody', method: 'GET', path: '/login', headers: { cookie: ';'.repeat(15_000) } },
  { name: '1,000 languages',         as: 'nobody', method: 'GET', path: '/login', headers: { 'accept-language': many(1_000, (i) => `a${i}`, ',') } },
  { name: 'a form of 16 KB',         as: 'nobody', method: 'POST', path: '/login', headers: { ...form, 'sec-fetch-site': 'same-origin' }, body: () => Buffer.from(many(5_000, () => 'a=', '&')) },
  { name: 'the files at the desk',   as: 'staff',  method: 'GET', path: '/desk/data' },
  { name: 'the reference',           as: 'nobody', method: 'GET', path: '/openapi.json' },
  { name: 'its pages',               as: 'nobody', method: 'GET', path: '/docs' },
  { name: 'the index of its search', as: 'nobody', method: 'GET', path: '/docs/search.json' },
  { name: 'a schema',                as: 'nobody', method: 'GET', path: '/schema/seo-report.xsd' },
]

export const nastyRequests: readonly NastyRequest[] = [
  ...nastyPushes(),
  ...nastyRows(),
  ...nastyStores(nastySite),
  ...deletions,
  ...provisioning,
  ...questions,
  ...messages,
  ...looks,
  ...nastyForms,
]
