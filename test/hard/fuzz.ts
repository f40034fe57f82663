/** R12: hostile requests of every kind to every endpoint and every page: never a 5xx, never an end, and every refusal in the words of the contract. */
import { connect } from 'node:net'
import { SaxesParser } from 'saxes'
import { endpoints } from '../../src/api/endpoints.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { issueKey, keyScopes } from '../../src/model/partners/keys/keys.ts'
import { logIn } from '../../src/model/people/logins.ts'
import { hashToken } from '../../src/model/people/sessions.ts'
import { problems } from '../../src/resources/problem.ts'
import { cookieName } from '../../src/web/cookies.ts'
import { formToken } from '../../src/web/form-token.ts'
import { makePeople, measurePeople, password as peoplePassword } from '../support/people.ts'
import { staffIn } from '../support/sample-world.ts'
import { type Answer, clientOf } from './support/client.ts'
import { rawShotOf, type Shot, shotOf } from './support/fuzz.ts'
import type { Goal } from './support/goal.ts'
import { type PageVisitor, pageShotOf } from './support/page-fuzz.ts'
import { basic, type Credentials, newPartner, prepare } from './support/prepare.ts'
import { type Hard, startHard } from './support/process.ts'
import { type Chance, chanceFrom } from './support/random.ts'
import { inFolder } from './support/tree.ts'

interface Size {
  readonly requests: number
}

const atOnce = 16
const rawShare = 0.02
const pageShare = 0.2
const mostFaults = 20
/** So many that none of a hundred endpoints is left out by chance. */
const enoughForAll = 10_000

export const fuzz: Goal<Size> = {
  id: 'R12',
  says: 'hostile requests to every endpoint and page: 0 answers of 5xx, 0 crashes, every refusal in the words of the contract',
  short: { requests: 6_000 },
  long: { requests: 2_000_000 },
  forMutants: { requests: 10_000 },
  run: (tree, { requests }) =>
    inFolder(async (folder) => {
      const env = { DATA_DIR: folder, LOG_LEVEL: 'silent' }
      const target = await prepare(env, makeTarget)
      const service = await startHard(tree, { env })
      const chance = chanceFrom()
      const tally = await shoot(service, target, requests, chance)
      const untried = endpoints.map(({ method, path }) => `${method} ${path}`).filter((row) => !tally.meant.has(row))
      const gaps = tally.faults.length === 0 && requests >= enoughForAll ? untried.map((row) => `nothing was sent to ${row}`) : []
      const faults = [...tally.faults, ...gaps, ...(service.hasGone ? ['the service went away'] : [])]
      await service.kill('SIGTERM')
      return {
        figures: {
          seed: chance.seed,
          requests,
          per_second: tally.perSecond,
          ...tally.statuses,
          endpoints: tally.meant.size,
          routes_reached: tally.routes,
        },
        faults,
      }
    }),
  mutants: [
    {
      says: 'one handler throws on a rare value',
      file: 'src/api/actions/businesses.ts',
      from: 'return createBusiness(',
      to: "if (JSON.stringify(body).includes('e\\u0301')) throw new Error('rare')\n  return createBusiness(",
    },
    {
      says: 'a refusal carries the text of the error',
      file: 'src/api/problems.ts',
      from: 'return details.sentence ?? problems[code].sentence',
      to: "return code === 'not_acceptable' ? 'SQLITE_ERROR: select * from users' : (details.sentence ?? problems[code].sentence)",
    },
    {
      says: 'a page fails for a language that no standard knows',
      file: 'src/web/components/number-format.ts',
      from: 'return undefined',
      to: "throw new Error('no such language')",
    },
  ],
}

interface Target {
  readonly partner: Credentials
  /** Of a key that opens everything but keys. */
  readonly authorization: string
  /** Of one that issues and ends keys. */
  readonly issuer: string
  readonly visitors: readonly PageVisitor[]
}

/** A partner with all keys, and people who are logged in: one who owns everything, one who sees nothing, and an admin at the desk. */
async function makeTarget(operator: OperatorCaller): Promise<Target> {
  const partner = await newPartner(operator, 'Acme Fuzz')
  // A key that may end keys ends itself before long, so the one for everything else is another.
  const { key, password } = await issueKey(operator, partner.id, { scopes: keyScopes.filter((scope) => scope !== 'keys') })
  const issuer = await issueKey(operator, partner.id, { scopes: keyScopes })
  const world = await makePeople(operator)
  await measurePeople(operator, world.partnerId)
  const { account_id } = await operator.app.store.db
    .selectFrom('partners')
    .select('account_id')
    .where('id', '=', world.partnerId)
    .executeTakeFirstOrThrow()
  await staffIn({ operator }, world.partnerId, account_id ?? 0, 'fuzz')
  const visitors = [await logInAs(operator, 'dana-owner'), await logInAs(operator, 'newcomer'), await logInAs(operator, 'cara-fuzz')]
  return { partner, authorization: basic(key, password), issuer: basic(issuer.key, issuer.password), visitors }
}

async function logInAs({ app, requestId }: OperatorCaller, name: string): Promise<PageVisitor> {
  const visitor = { app, requestId, network: '127.0.0.1', hostPartnerId: null }
  const token = (await logIn(visitor, { name, password: peoplePassword, isRemembered: true })).token
  return { cookie: `${cookieName('session', true)}=${token}`, formToken: formToken(app.secrets, hashToken(token)) }
}

async function shoot(service: Hard, { partner, authorization, issuer, visitors }: Target, requests: number, chance: Chance) {
  const client = clientOf(service.url, undefined, atOnce)
  const credentials = [
    authorization,
    issuer,
    partner.authorization,
    basic(partner.key, ''),
    basic(partner.key, 'wrong'),
    'Basic !',
    'Bearer x',
    undefined,
  ]
  const ids = ['1', '2', '3', '4', '5', String(partner.accountId)]
  const statuses: Record<string, number> = {}
  const routes = new Set<string>()
  const meant = new Set<string>()
  const faults: string[] = []
  let done = 0
  const startedAt = performance.now()
  const one = async () => {
    while (done < requests && faults.length < mostFaults && !service.hasGone) {
      done += 1
      if (chance.next() < rawShare) {
        await rawShot(service.url, rawShotOf(chance, partner.authorization))
        continue
      }
      const shot = chance.next() < pageShare ? pageShotOf(chance, visitors, ids) : shotOf(chance, credentials, ids)
      const answer = await client.ask(shot.path, shot)
      if (answer === null) {
        if (service.hasGone) faults.push(`the service went away at ${spoken(shot)}`)
        continue
      }
      if ('meant' in shot && typeof shot.meant === 'string') meant.add(shot.meant)
      const name = `status_${answer.status}`
      statuses[name] = (statuses[name] ?? 0) + 1
      if (answer.status !== 404) routes.add(`${shot.method} ${templateOf(shot.path)}`)
      const fault = faultOf(shot, answer)
      if (fault !== null) faults.push(`${spoken(shot)}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  client.close()
  return { statuses, faults, meant, routes: routes.size, perSecond: Math.round((done / (performance.now() - startedAt)) * 1000) }
}

function templateOf(path: string): string {
  const [, first = '', , last = ''] = /^\/api\/(\w+)(\/[^/?.]+)?(\/[\w/]+)?/.exec(path) ?? []
  return endpoints.some((endpoint) => endpoint.path.startsWith(first)) ? `${first}${last}` : 'other'
}

/** What must not be in any body: a stack, a query, a path of ours. */
const secrets = /\bat (?:\w+\.)*\w+ \(|node_modules|\/src\/|SQLITE_|select \* from|insert into|\bpg_|ERR_[A-Z]|TypeError|undefined/

function faultOf(shot: Shot, { status, headers, body }: Answer): string | null {
  if (status >= 500) return `answered ${status} ${body}`
  if (headers['x-request-id'] === undefined) return `no request id with ${status}`
  const text = body.toString()
  if (status < 400 || shot.method === 'HEAD') return null
  if (secrets.test(text)) return `the refusal tells too much: ${text}`
  const type = String(headers['content-type'])
  if (type.startsWith('text/html')) return null
  // Pushed records and the operations of a bulk are refused one by one, in a document of their own.
  if (status === 422 && /^(?:<\?xml[^>]*>\s*<(?:observations|bulk)>|\{"(?:observations|bulk)":)/.test(text)) return null
  // A page that is asked for under a foreign name is refused in plain words: nobody knows whose page it would be.
  if (status === 421 && type.startsWith('text/plain')) return null
  return type.startsWith('application/problem+json') ? jsonFault(text, status) : xmlFault(text, type)
}

function jsonFault(text: string, status: number): string | null {
  try {
    const problem = JSON.parse(text) as Record<string, unknown>
    const isWhole =
      problem.status === status && String(problem.code) in problems && Array.isArray(problem.details) && typeof problem.errors === 'object'
    return isWhole && typeof problem.request_id === 'string' ? null : `not the contract: ${text}`
  } catch {
    return `not JSON: ${text}`
  }
}

function xmlFault(text: string, type: string): string | null {
  if (!type.startsWith('application/xml')) return `of the type ${type}: ${text}`
  const names: string[] = []
  try {
    const parser = new SaxesParser()
    parser.on('opentag', ({ name, attributes }) => names.push(`${name}${'code' in attributes ? ' code' : ''}`))
    parser.write(text).close()
  } catch (error) {
    return `not well-formed: ${String(error)}: ${text}`
  }
  const [root, ...errors] = names
  return root === 'errors' && errors.length > 0 && errors.every((name) => name === 'error code') ? null : `not the contract: ${text}`
}

function rawShot(url: string, bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const end = () => socket.destroy()
    socket.setTimeout(200, end)
    socket.on('data', end)
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

function spoken({ method, path, headers, body }: Shot): string {
  const { authorization: _authorization, ...rest } = headers
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(rest).slice(0, 300)} ${JSON.stringify(body?.toString('latin1') ?? '').slice(0, 400)}`
}
