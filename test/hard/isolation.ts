/** R14: every endpoint, every place an id can stand, every kind of stranger: a foreign id answers exactly like one that nobody has. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { draftOf } from '../../src/fields/read.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { addAnnotation } from '../../src/model/dashboard/annotations.ts'
import { createSchedule } from '../../src/model/mail/schedules.ts'
import { createBusiness } from '../../src/model/partners/businesses.ts'
import { issueKey, keyScopes, revokeKey } from '../../src/model/partners/keys.ts'
import { addLocations } from '../../src/model/partners/locations.ts'
import { addReviewPages } from '../../src/model/partners/review-pages.ts'
import { addCompetitors, addKeywords } from '../../src/model/partners/site-contents.ts'
import { createSite } from '../../src/model/partners/sites.ts'
import { deleteUser } from '../../src/model/people/user-states.ts'
import { createUser } from '../../src/model/people/users.ts'
import { newBusiness } from '../../src/resources/business.ts'
import { newUser } from '../../src/resources/user.ts'
import { waitingIntake } from '../support/sample-world.ts'
import { type Answer, type Client, clientOf } from './support/client.ts'
import { makeCluster } from './support/cluster.ts'
import type { Goal } from './support/goal.ts'
import { basic, type Credentials, newPartner, prepare } from './support/prepare.ts'
import { type Env, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  /** Which share of the cells is tried, on each engine. */
  readonly sqlite: number
  readonly postgres: number
}

type Noun =
  | 'account_id'
  | 'user_id'
  | 'business_id'
  | 'site_id'
  | 'keyword_id'
  | 'competitor_id'
  | 'page_id'
  | 'location_id'
  | 'review_id'
  | 'key_id'
  | 'annotation_id'
  | 'schedule_id'
  | 'intake_id'
  | 'scope_id'
  | 'domain'
type Holdings = Readonly<Record<Noun, string>>

interface Position {
  readonly noun: Noun
  readonly at: string
  request(own: Holdings, id: string): { readonly path: string; readonly body?: unknown }
}

interface World {
  readonly partner: Credentials
  readonly has: Holdings
  readonly deletedUserId: string
}

const formats = ['.xml', '.json', ''] as const

export const isolation: Goal<Size> = {
  id: 'R14',
  says: 'isolation: a foreign id answers byte for byte like an absent one, and no foreign word is ever in an answer',
  short: { sqlite: 1, postgres: 0.1 },
  long: { sqlite: 1, postgres: 1 },
  forMutants: { sqlite: 1, postgres: 0 },
  run: async (tree, size) => {
    const chance = chanceFrom()
    const sqlite = await inFolder((folder) => tryCells(tree, { DATA_DIR: folder }, size.sqlite, chance))
    const postgres = size.postgres === 0 ? null : await inFolder((folder) => onCluster(tree, folder, size.postgres, chance))
    return {
      figures: { seed: chance.seed, cells_sqlite: sqlite.cells, cells_postgres: postgres?.cells ?? 0 },
      faults: [...sqlite.faults, ...(postgres?.faults ?? [])],
    }
  },
  mutants: [
    {
      says: 'businesses are found without asking whose they are',
      file: 'src/model/core/tenancy.ts',
      from: "db.selectFrom('businesses').where(managedBy('businesses', partnerId))",
      to: "db.selectFrom('businesses')",
    },
    {
      says: 'accounts are found without asking whose they are',
      file: 'src/model/core/tenancy.ts',
      from: "db.selectFrom('accounts').where('accounts.partner_id', '=', partnerId)",
      to: "db.selectFrom('accounts')",
    },
  ],
}

async function onCluster(tree: string, folder: string, share: number, chance: Chance) {
  const cluster = await makeCluster(folder)
  try {
    return await tryCells(tree, cluster.env, share, chance)
  } finally {
    await cluster.stop()
  }
}

async function tryCells(tree: string, place: Env, share: number, chance: Chance): Promise<{ cells: number; faults: string[] }> {
  const env = { ...place, LOG_LEVEL: 'silent' }
  const { acme, globex, callers } = await prepare(env, async (operator) => {
    const [ours, theirs] = [await makeWorld(operator, 'Acme', 'acmecanary'), await makeWorld(operator, 'Globex', 'globexcanary')]
    return { acme: ours, globex: theirs, callers: await callersOf(operator, ours) }
  })
  const service = await startHard(tree, { env })
  const client = clientOf(service.url)
  const faults: string[] = []
  let cells = 0
  const before = await everythingOf(client, globex)
  try {
    for (const endpoint of endpoints) {
      for (const position of positionsOf(endpoint)) {
        for (const format of formats) {
          for (const [state, authorization] of Object.entries(callers)) {
            if (chance.next() >= share) continue
            const where = `${endpoint.method} ${endpoint.path} (${position.at}, ${format || 'no extension'}, ${state})`
            const { tried, found } = await tryCell(client, endpoint, position, { acme, globex, format, authorization })
            cells += tried
            faults.push(...found.map((fault) => `${where}: ${fault}`))
          }
        }
      }
    }
    if ((await everythingOf(client, globex)) !== before) faults.push('something of globex has changed')
    if (service.hasGone) faults.push('the service went away')
  } finally {
    client.close()
    await service.kill('SIGTERM')
  }
  return { cells, faults }
}

interface Cell {
  readonly acme: World
  readonly globex: World
  readonly format: (typeof formats)[number]
  readonly authorization: string | undefined
}

async function tryCell(client: Client, endpoint: Endpoint, position: Position, { acme, globex, format, authorization }: Cell) {
  const ask = async (id: string) => {
    const { path, body } = position.request(acme.has, id)
    const [file = '', query] = path.split('?')
    const answer = await client.ask(`${file}${format}${query === undefined ? '' : `?${query}`}`, {
      method: endpoint.method,
      headers: { ...(authorization !== undefined && { authorization }), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return seen(answer, position.noun === 'domain' ? id : null)
  }
  const foreign = globex.has[position.noun]
  const absent = absentLike(foreign, position.noun)
  const reference = await ask(absent)
  const others = [
    ['foreign', foreign],
    ...(position.noun === 'user_id' ? [['deleted', acme.deletedUserId]] : []),
    ...hostile(foreign, position),
  ]
  const found: string[] = []
  for (const [name = '', id = ''] of others) {
    const answer = await ask(id)
    if (answer.includes('globexcanary')) found.push(`the ${name} id shows what is globex's`)
    const mustEqual = name === 'foreign' || name === 'deleted'
    if (mustEqual && answer !== reference) found.push(`the ${name} id ${id} is told from the absent ${absent}:\n${answer}\n${reference}`)
    if (/^(2|5)/.test(answer) && !mustEqual) found.push(`the ${name} id ${id} was answered ${answer.slice(0, 200)}`)
  }
  return { tried: others.length + 1, found }
}

/** Spellings that must not reach anything either. */
function hostile(id: string, { noun, at }: Position): [string, string][] {
  if (noun === 'domain' || at.startsWith('body')) return []
  return [
    ['leading zero', `0${id}`],
    ['negative', `-${id}`],
    ['huge', '9007199254740993'],
    ['encoded', `%3${id.charAt(0)}${id.slice(1)}`],
  ].filter(([name]) => at.startsWith('path') || name !== 'encoded') as [string, string][]
}

/** All that a client can see, but for what names the request itself. */
function seen(answer: Answer | null, quoted: string | null): string {
  if (answer === null) return 'no answer'
  const { date: _date, 'x-request-id': id = '', connection: _connection, 'keep-alive': _keepAlive, ...headers } = answer.headers
  const text = answer.body.toString().replaceAll(String(id), '')
  // A list of ids is answered with those that were not found, as they were given.
  const unnamed = text.replace(/(?<= not found: )[\d, ]+/g, '{ids}')
  return `${answer.status} ${JSON.stringify(headers)} ${quoted === null ? unnamed : unnamed.replaceAll(quoted, '{domain}')}`
}

/** Of the same length, so that not even the length tells. */
function absentLike(id: string, noun: Noun): string {
  return noun === 'domain' ? `nobodys${id.slice(7)}` : '9'.repeat(Math.max(1, id.length))
}

function positionsOf(endpoint: Endpoint): Position[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]): Position => {
    const noun = name as Noun
    return {
      noun,
      at: `path ${noun}`,
      request: (own, id) => ({ path: pathOf(endpoint, { ...own, [noun]: id }), ...ownBody(endpoint, own) }),
    }
  })
  const inQuery = Object.keys(endpoint.query ?? {})
    .filter((name) => name.endsWith('_id') && name !== 'external_id')
    .map((name): Position => {
      return { noun: name as Noun, at: `query ${name}`, request: (own, id) => ({ path: pathOf(endpoint, { ...own, [name]: id }, name) }) }
    })
  return [...inPath, ...inQuery, ...(bodyPositions[`${endpoint.method} ${endpoint.path}`] ?? [])]
}

/** With the parameters that the endpoint cannot do without, and the one that is tried. */
function pathOf({ path, query = {} }: Endpoint, has: Holdings, tried?: string): string {
  const address = `/api/${path.replace(/\{(\w+)\}/g, (_, name: string) => has[name as Noun])}`
  const names = Object.keys(query).filter((name) => query[name]?.isRequired || name === tried)
  const search = names.map((name) => `${name}=${name === 'scope_type' ? 'Site' : has[name as Noun]}`)
  return search.length === 0 ? address : `${address}?${search.join('&')}`
}

function ownBody({ method, path }: Endpoint, own: Holdings): { body?: unknown } {
  return method === 'PUT' && path.endsWith('abilities') ? { body: abilitiesOn('Account', own.account_id) } : {}
}

const abilitiesOn = (scope_type: string, scope_id: string) => ({ abilities: [{ key: 'show', scope_type, scope_id: Number(scope_id) }] })
const scopes = { Account: 'account_id', Business: 'business_id', Site: 'site_id' } as const

const operations = {
  account_id: (account_id: number) => ({ kind: 'business', name: 'New', account_id }),
  business_id: (business_id: number) => ({ kind: 'site', business_id, domain: 'bulk.example' }),
  user_id: (id: number) => ({ kind: 'user', id, name: 'Dana' }),
  site_id: (id: number) => ({ kind: 'site', id }),
}

const bodyPositions: Readonly<Record<string, readonly Position[]>> = {
  'POST users': [
    {
      noun: 'account_id',
      at: 'body account_id',
      request: (_, id) => ({
        path: '/api/users',
        body: { user: { email: 'n@n.example', login: 'newcomer', password: 'secret99', account_id: Number(id) } },
      }),
    },
  ],
  'PUT users/{user_id}': [
    {
      noun: 'account_id',
      at: 'body account_id',
      request: (own, id) => ({ path: `/api/users/${own.user_id}`, body: { account_id: Number(id) } }),
    },
  ],
  'PUT accounts/{account_id}/owner': [
    {
      noun: 'user_id',
      at: 'body user_id',
      request: (own, id) => ({ path: `/api/accounts/${own.account_id}/owner`, body: { user_id: Number(id) } }),
    },
  ],
  'POST sites/{site_id}/pages': [
    {
      noun: 'competitor_id',
      at: 'body competitor_id',
      request: (own, id) => ({
        path: `/api/sites/${own.site_id}/pages`,
        body: { pages: [{ competitor_id: Number(id), source: 'google', page_url: 'https://maps.example/new' }] },
      }),
    },
  ],
  'POST locations': [
    {
      noun: 'site_id',
      at: 'body site_id',
      request: (_, id) => ({ path: '/api/locations', body: { locations: [{ site_id: Number(id) }] } }),
    },
  ],
  'POST sites': [
    {
      noun: 'business_id',
      at: 'body business_id',
      request: (_, id) => ({ path: '/api/sites', body: { business_id: Number(id), domain: 'new.example' } }),
    },
  ],
  'PUT sites/{site_id}': [
    {
      noun: 'business_id',
      at: 'body business_id',
      request: (own, id) => ({ path: `/api/sites/${own.site_id}`, body: { business_id: Number(id) } }),
    },
  ],
  'POST businesses': [
    {
      noun: 'account_id',
      at: 'body account_id',
      request: (_, id) => ({ path: '/api/businesses', body: { business: { name: 'New', account_id: Number(id) } } }),
    },
  ],
  'PUT businesses': [
    {
      noun: 'account_id',
      at: 'body account_id',
      request: (_, id) => ({ path: '/api/businesses?external_id=crm-7', body: { business: { name: 'New', account_id: Number(id) } } }),
    },
  ],
  'POST bulk': Object.entries(operations).map(([noun, operation]) => ({
    noun: noun as Noun,
    at: `body ${noun}`,
    request: (_, id) => ({ path: '/api/bulk', body: { operations: [operation(Number(id))] } }),
  })),
  'PUT users/{user_id}/abilities': Object.entries(scopes).map(([type, noun]) => ({
    noun,
    at: `body ${type}`,
    request: (own, id) => ({ path: `/api/users/${own.user_id}/abilities`, body: abilitiesOn(type, id) }),
  })),
  'POST observations': [
    {
      noun: 'domain',
      at: 'body site',
      request: (_, id) => ({ path: '/api/observations', body: [{ type: 'keyword', site: id, phrase: 'plumber' }] }),
    },
  ],
}

/** Five states in which someone may come. */
async function callersOf(operator: OperatorCaller, { partner }: World): Promise<Record<string, string | undefined>> {
  const revoked = await issueKey(operator, partner.id)
  await revokeKey(operator, revoked.record.public_part)
  const all = await issueKey(operator, partner.id, { scopes: keyScopes })
  return {
    'key and password': basic(all.key, all.password),
    'key alone': basic(all.key, ''),
    'wrong password': basic(all.key, 'mqs_wrong'),
    'revoked key': basic(revoked.key, revoked.password),
    'no credentials': undefined,
  }
}

async function makeWorld(operator: OperatorCaller, name: string, canary: string): Promise<World> {
  const partner = await newPartner(operator, `${name} ${canary}`)
  const account_id = partner.accountId
  const business = await createBusiness(operator, draftOf(newBusiness, { account_id, name: `${canary} business` }))
  const domain = `${canary.slice(0, 7)}-${canary}.example`
  const site = await createSite(operator, business.id, domain)
  const person = async (login: string) => {
    const draft = draftOf(newUser, { account_id, login, email: `${login}@${canary}.example`, password: 'secret99' })
    return (await createUser(operator, draft)).id
  }
  const [user, deleted] = [await person(`${canary}-one`), await person(`${canary}-two`)]
  await deleteUser(operator, deleted)
  const [keyword] = await addKeywords(operator, site.id, [{ phrase: `${canary} plumber` }])
  const [competitor] = await addCompetitors(operator, site.id, [{ domain: `rival-${canary}.example` }])
  const wanted = { competitor_id: competitor?.id ?? 0, source: 'google', page_url: `https://maps.example/${canary}` }
  const [page] = await addReviewPages(operator, site.id, [wanted])
  const [location] = await addLocations(operator, [{ site_id: site.id }])
  const ids = {
    account_id,
    user_id: user,
    business_id: business.id,
    site_id: site.id,
    scope_id: site.id,
    key_id: (await issueKey(operator, partner.id, { label: canary })).record.id,
  }
  const below = {
    keyword_id: keyword?.id,
    competitor_id: competitor?.id,
    page_id: page?.id,
    location_id: location?.id,
    review_id: await makeReview(operator, account_id, page?.id ?? 0, canary),
    annotation_id: (await addAnnotation(operator, site.id, { day: '2026-11-14', text: canary })).id,
    schedule_id: (await createSchedule(operator, account_id, { rhythm: 'weekly', recipients: [`${canary}@people.example`], siteIds: null }))
      .id,
    intake_id: await waitingIntake({ operator }, partner.id),
  }
  const has = { ...texts({ ...ids, ...below }), domain } as Holdings
  return { partner, has, deletedUserId: String(deleted) }
}

function texts(ids: object): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]))
}

function makeReview({ app }: OperatorCaller, account_id: number, page_id: number, canary: string): Promise<number> {
  const told = { business_name: canary, header: canary, detail: canary, user: canary, url: '', source: 'google', ref: null }
  const figures = { date: '2026-11-14', rating: 4, sentiment_score: 0, total: 0, created_at: app.clock.now() }
  const row = { account_id, page_id, ...told, ...figures, key_hash: canary }
  return app.store.write(async (tx) => (await tx.insertInto('reviews').values(row).returning('id').executeTakeFirstOrThrow()).id)
}

async function everythingOf(client: Client, { partner, has }: World): Promise<string> {
  const paths = [
    'users',
    'businesses',
    'accounts',
    'sites',
    `users/${has.user_id}/abilities`,
    `businesses/${has.business_id}`,
    'seo_report',
  ]
  const answers = paths.map((path) => client.ask(`/api/${path}.json`, { headers: { authorization: partner.authorization } }))
  return (await Promise.all(answers)).map((answer) => `${answer?.status} ${answer?.body}`).join('\n')
}
