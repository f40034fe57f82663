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
import { type IdPosition, idPositionsOf, withNewNames } from '../support/id-positions.ts'
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

type Holdings = Readonly<Record<string, string>>

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
      for (const position of idPositionsOf(endpoint)) {
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

async function tryCell(client: Client, endpoint: Endpoint, position: IdPosition, { acme, globex, format, authorization }: Cell) {
  const own = withNewNames(acme.has)
  const ask = async (id: string) => {
    const { path, query, body } = position.request(own, id)
    const search = new URLSearchParams(query)
    const answer = await client.ask(`${path}${format}${search.size === 0 ? '' : `?${search}`}`, {
      method: endpoint.method,
      headers: { ...(authorization !== undefined && { authorization }), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return seen(answer, position.noun === 'site_domain' ? id : null)
  }
  const foreign = globex.has[position.noun]
  if (foreign === undefined) return { tried: 0, found: [`say in makeWorld what ${position.noun} is`] }
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
function hostile(id: string, { noun, where }: IdPosition): [string, string][] {
  if (noun === 'site_domain' || where === 'body') return []
  return [
    ['leading zero', `0${id}`],
    ['negative', `-${id}`],
    ['huge', '9007199254740993'],
    ['encoded', `%3${id.charAt(0)}${id.slice(1)}`],
  ].filter(([name]) => where === 'path' || name !== 'encoded') as [string, string][]
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
function absentLike(id: string, noun: string): string {
  return noun === 'site_domain' ? `nobodys${id.slice(7)}` : '9'.repeat(Math.max(1, id.length))
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
    intake_id: await lastOfTenIntakes(operator, partner.id),
  }
  const has = { ...texts({ ...ids, ...below }), site_domain: domain }
  return { partner, has, deletedUserId: String(deleted) }
}

function texts(ids: object): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]))
}

/** Refused pushes are intakes, too: with ids of two digits, none of them becomes the one that nobody has. */
async function lastOfTenIntakes(operator: OperatorCaller, partnerId: number): Promise<number> {
  for (let made = 1; made < 10; made++) await waitingIntake({ operator }, partnerId)
  return waitingIntake({ operator }, partnerId)
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
