/** Every place of a request where an id can stand, told from the endpoint table: in the path, in the query, in the body. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import { type SampleValues, sampleOf, sampleQuery, sampleSent } from '../../src/api/reference/samples.ts'
import { isKeyed, isList, type Shape } from '../../src/fields/shape.ts'
import { textKinds } from '../../src/lib/text-kinds.ts'
import { scopeTypes } from '../../src/resources/ability.ts'
import { newAccount } from '../../src/resources/account.ts'
import { type BulkKind, bulkOperation } from '../../src/resources/bulk.ts'
import { changedBusiness, newBusiness } from '../../src/resources/business.ts'
import { changedSite, newSite } from '../../src/resources/site.ts'
import { changedUser, newUser } from '../../src/resources/user.ts'

export interface IdPosition {
  /** Which record is named: `site_id`, or `site_domain` where a domain names the site. */
  readonly noun: string
  readonly where: 'path' | 'query' | 'body'
  readonly at: string
  /** A request that is good with an id of one's own; the path has no extension. */
  request(own: SampleValues, id: string): IdRequest
}

interface IdRequest {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
}

export function idPositionsOf(endpoint: Endpoint): IdPosition[] {
  return [...inPath(endpoint), ...inQuery(endpoint), ...inBody(endpoint)]
}

/** What a request needs besides ids: names that nobody has yet, and lists of one. */
export function withNewNames(has: SampleValues): SampleValues {
  made += 1
  const name = `fresh-${process.pid}-${made}`
  const names = { email: `${name}@people.example`, login: name, domain: `${name}.example`, external_id: name }
  const lists = { account_ids: has['account_id'], site_ids: has['site_id'], recipients: names.email }
  return { scope_type: 'Site', scope_id: has['site_id'], ...lists, ...names, ...has }
}

let made = 0

export function namesInPath({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function inPath(endpoint: Endpoint): IdPosition[] {
  return namesInPath(endpoint).map((name) => ({
    noun: name,
    where: 'path',
    at: `{${name}} in the path`,
    request: (own, id) => ({ ...requestOf(endpoint, own), path: pathOf(endpoint, { ...own, [name]: id }) }),
  }))
}

function inQuery(endpoint: Endpoint): IdPosition[] {
  const asked = Object.entries(endpoint.query ?? {}).filter(([name]) => namesARecord(name))
  return asked.flatMap(([name, { kind }]) =>
    meanings(name).flatMap(({ noun, given }) =>
      (kind === textKinds.id ? [''] : ['', 'beside one of our own']).map((beside): IdPosition => {
        const text = (own: SampleValues, id: string) => (beside === '' ? id : `${own[noun]},${id}`)
        return {
          noun,
          where: 'query',
          at: `${name} of ${noun} in the query ${beside}`.trim(),
          request(own, id) {
            const good = requestOf(endpoint, own)
            return { ...good, query: { ...good.query, ...given, [name]: text(own, id) } }
          },
        }
      }),
    ),
  )
}

function inBody(endpoint: Endpoint): IdPosition[] {
  return bodiesWithIds(endpoint).map(({ noun, at, body }) => ({
    noun,
    where: 'body',
    at: `${at} in the body`,
    request: (own, id) => ({ ...requestOf(endpoint, own), body: body(own, id) }),
  }))
}

interface BodyWithId {
  readonly noun: string
  readonly at: string
  readonly body: (own: SampleValues, id: string) => unknown
}

function bodiesWithIds(endpoint: Endpoint): BodyWithId[] {
  if (endpoint.receives === 'file') return []
  if (endpoint.takes !== undefined) return pushedIds
  const of = endpoint.body?.of
  const shape = of === undefined || !isList(of) ? of : isKeyed(of.of) ? undefined : of.of
  if (shape === bulkOperation) return operationIds
  return idFieldsOf(shape ?? {}).map(({ noun, name, given }) => ({
    noun,
    at: `${name} of ${noun}`,
    body: (own, id) => sampleSent(endpoint, { ...own, ...given, [name]: id }),
  }))
}

const pushed = (own: SampleValues) => ({ type: 'keyword', site: own['site_domain'], phrase: 'plumber' })

const pushedIds: BodyWithId[] = [
  { noun: 'account_id', at: 'account', body: (own, id) => [{ ...pushed(own), account: Number(id) }] },
  { noun: 'site_domain', at: 'site', body: (own, id) => [{ ...pushed(own), site: id }] },
]

/** By which tables the operations of a bulk are read. */
const operations: Record<BulkKind, { created: Shape; changed: Shape }> = {
  account: { created: newAccount, changed: newAccount },
  user: { created: newUser, changed: changedUser },
  business: { created: newBusiness, changed: changedBusiness },
  site: { created: newSite, changed: changedSite },
}

const operationIds: BodyWithId[] = Object.entries(operations).flatMap(([kind, { created, changed }]) => {
  const operation = (shape: Shape, values: SampleValues, more: object) => ({ operations: [{ kind, ...more, ...sampleOf(shape, values) }] })
  return [
    { noun: `${kind}_id`, at: `id of a ${kind}`, body: (own: SampleValues, id: string) => operation(changed, own, { id }) },
    ...idFieldsOf(created).map(({ noun, name }) => ({
      noun,
      at: `${name} of a new ${kind}`,
      body: (own: SampleValues, id: string) => operation(created, { ...own, [name]: id }, {}),
    })),
    ...idFieldsOf(changed).map(({ noun, name }) => ({
      noun,
      at: `${name} of a changed ${kind}`,
      body: (own: SampleValues, id: string) => operation(changed, { ...own, [name]: id }, { id: own[`${kind}_id`] }),
    })),
  ]
})

function idFieldsOf(shape: Shape) {
  return Object.keys(shape)
    .filter(namesARecord)
    .flatMap((name) => meanings(name).map((meaning) => ({ name, ...meaning })))
}

/** What a partner calls a record is no id of ours. */
function namesARecord(name: string): boolean {
  return /_ids?$/.test(name) && name !== 'external_id'
}

/** What a scope is depends on its type. */
function meanings(name: string): { noun: string; given: Readonly<Record<string, string>> }[] {
  if (name !== 'scope_id') return [{ noun: name.replace(/_ids$/, '_id'), given: {} }]
  return scopeTypes.map((scope_type) => ({ noun: `${scope_type.toLowerCase()}_id`, given: { scope_type } }))
}

function requestOf(endpoint: Endpoint, own: SampleValues): IdRequest {
  const body = endpoint.takes !== undefined ? [pushed(own)] : sampleSent(endpoint, own)
  const sent = body === null || endpoint.method === 'GET' ? {} : { body }
  return { path: pathOf(endpoint, own), query: sampleQuery(endpoint, own) ?? {}, ...sent }
}

function pathOf({ path }: Endpoint, values: SampleValues): string {
  return `/api/${path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))}`
}
