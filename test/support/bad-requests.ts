/** Every bad request that the tables tell of, for one endpoint: its path, its query, its body, its method and its headers. */
import type { BodyRules, Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import { isRepeatable } from '../../src/api/idempotency.ts'
import { alsoAnswered, isGetAction } from '../../src/api/reference/possible-errors.ts'
import { isKeyed, isList, type Scalar, type Shape, xmlFieldName } from '../../src/fields/shape.ts'
import { hasForbiddenCharacters } from '../../src/lib/xml/xml.ts'
import { badPathIds, badTextsOf, badValuesOf } from './bad-values.ts'
import { xmlOf } from './bodies.ts'
import { type Asking, withQuery } from './provoke.ts'

export interface BadRequest {
  readonly says: string
  readonly asking: Asking
  /** The same body in XML, where XML can say it. */
  readonly xml?: string
  readonly status: number
  /** As refusals() tells them: `name too_long`; null where operations are refused one by one. */
  readonly codes: readonly string[] | null
}

const json = 'application/json'

/** `good` is a request that is answered well, under `.json`. */
export function badRequestsOf(endpoint: Endpoint, good: Asking): BadRequest[] {
  return [
    ...badPaths(endpoint, good),
    ...badQueries(endpoint, good),
    ...badMethods(endpoint, good),
    ...badHeaders(endpoint, good),
    ...(endpoint.body === undefined ? [] : badBodies(endpoint, endpoint.body, good)),
  ]
}

function badPaths({ path, method }: Endpoint, good: Asking): BadRequest[] {
  const [address = '', query] = good.path.split('?')
  const parts = address.replace(/\.json$/, '').split('/')
  const places = path.split('/').flatMap((part, index) => (part.startsWith('{') ? [[part, index + 2] as const] : []))
  return places.flatMap(([name, place]) =>
    badPathIds.map((id) => {
      const bad = parts.with(place, encodeURI(id).replaceAll('%25', '%')).join('/')
      const asking = { ...good, method, path: `${bad}.json${query === undefined ? '' : `?${query}`}` }
      return { says: `the id ${id} as ${name}`, asking, status: 404, codes: ['not_found'] }
    }),
  )
}

function badQueries({ query = {}, fromInterface }: Endpoint, good: Asking): BadRequest[] {
  const refused = (says: string, path: string) => ({ says, asking: { ...good, path }, status: 400, codes: ['bad_request'] })
  const without = (name: string) => good.path.replace(new RegExp(`(?<=[?&])${name}=[^&]*&?`), '')
  const each = Object.entries(query).flatMap(([name, parameter]) => [
    ...badTextsOf(name, parameter).map((text) =>
      refused(`${name}=${text.slice(0, 20)}`, withQuery(without(name), `${name}=${encodeURIComponent(text)}`)),
    ),
    refused(`${name} given twice`, withQuery(without(name), `${name}=1&${name}=1`)),
    refused(`${name} with a slip`, withQuery(good.path, `${name}x=1`)),
    ...(parameter.isRequired ? [refused(`no ${name}`, without(name))] : []),
  ])
  return fromInterface ? each : [...each, refused('an unknown parameter', withQuery(good.path, 'nonsense=1'))]
}

/** Methods that no endpoint of the path takes; HEAD reads where GET does not act. */
function badMethods(endpoint: Endpoint, good: Asking): BadRequest[] {
  const here = endpoints.filter(({ path }) => path === endpoint.path)
  if (here[0] !== endpoint) return []
  const taken = new Set<string>(here.map(({ method }) => method))
  const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'].filter((method) => !taken.has(method))
  return others.map((method) => ({ says: method, asking: { ...good, method }, status: 405, codes: ['method_not_allowed'] }))
}

function badHeaders(endpoint: Endpoint, good: Asking): BadRequest[] {
  const without = { ...good, credentials: null }
  const wrong = { ...good, credentials: `${good.credentials}x` }
  const foreign = ['cross-site', 'same-site'].map((site) => ({ ...good, headers: { 'sec-fetch-site': site } }))
  const bad = (says: string, status: number, code: string) => (asking: Asking) => ({ says, asking, status, codes: [code] })
  const keys = ['', 'a b', 'x'.repeat(256), '"open'].map((key) => ({ ...good, headers: { 'idempotency-key': key } }))
  return [
    bad('no credentials', 401, 'unauthorized')(without),
    bad('a wrong password', 401, 'unauthorized')(wrong),
    ...(endpoint.changes ? foreign.map(bad('a page of another site', 403, 'forbidden')) : []),
    ...(isGetAction(endpoint) ? [bad('a prefetch', 403, 'forbidden')({ ...good, headers: { 'sec-purpose': 'prefetch' } })] : []),
    ...(isRepeatable(endpoint) ? keys.map(bad('a bad Idempotency-Key', 400, 'bad_request')) : []),
  ]
}

function badBodies(endpoint: Endpoint, rules: BodyRules, good: Asking): BadRequest[] {
  const sent = (JSON.parse(String(good.body)) as Record<string, unknown>)[rules.root]
  const body = (says: string, text: string, status: number, codes: readonly string[] | null, type = json): BadRequest => {
    return { says: `${says}: ${text.slice(0, 60)}`, asking: { ...good, body: text, type }, status, codes }
  }
  const malformed = ['[{', '[]', '5', '"text"', '{}}'].map((text) => body('JSON', text, 400, ['malformed_body']))
  const illXml = ['<', '<wrong-root/>', `<${rules.root}><a></${rules.root}>`, '<!DOCTYPE a><a/>']
  return [
    ...malformed,
    ...illXml.map((text) => body('XML', text, 400, ['malformed_body'], 'application/xml')),
    body('an image', 'x', 415, ['unsupported_media_type'], 'image/png'),
    body('too many bytes', ' '.repeat(rules.maxBytes + 1), 413, ['too_large']),
    ...(isList(rules.of) ? badLists(endpoint, rules, sent as object[]) : badRecords(rules.root, rules.of, sent as object)).map(
      ({ says, value, codes, xml }) => ({ ...body(says, JSON.stringify(value), 422, codes), ...(xml !== undefined && { xml }) }),
    ),
  ]
}

interface BadBody {
  readonly says: string
  readonly value: object
  readonly codes: readonly string[] | null
  readonly xml?: string
}

function badRecords(root: string, shape: Shape, sent: object): BadBody[] {
  const required = Object.keys(shape).filter((name) => (shape[name] as Scalar).required)
  const blank = required.map((name) => `${name} blank`)
  return [
    ...(blank.length === 0 ? [] : [{}, { [root]: {} }].map((value) => ({ says: 'nothing', value, codes: blank }))),
    ...eachBadField(shape, sent).map(({ name, code, record, isText }) => ({
      says: `${name} ${code}`,
      value: { [root]: record },
      codes: [`${name} ${code}`],
      ...(isText && { xml: xmlOf(xmlFieldName(root), record) }),
    })),
  ]
}

/** The entry may be refused among good ones; what answers each by itself is only asked for its status. */
function badLists(endpoint: Endpoint, { root, of }: BodyRules, [entry = {}]: readonly object[]): BadBody[] {
  const shape = isList(of) && !isKeyed(of.of) ? of.of : {}
  const bad = (says: string, entries: unknown, code: string): BadBody => ({ says, value: { [root]: entries }, codes: [`${root} ${code}`] })
  const isEachAnswered = 422 in alsoAnswered(endpoint)
  const item = isList(of) ? xmlFieldName(of.item) : ''
  const inXml = (record: object) => `<${root} type="array">${xmlOf(item, record).replace(/^.*\n/, '')}</${root}>`
  const fields = eachBadField(shape, entry).map(({ name, code, record, isText }) => ({
    ...bad(`${name} ${code} in the list`, [record], code),
    ...(isText && { xml: inXml(record) }),
  }))
  return [
    { says: 'no list', value: {}, codes: [`${root} blank`] },
    bad('null in place of a list', null, 'blank'),
    ...['x', 5, { 0: entry }].map((value) => bad('no list', value, 'invalid')),
    bad('1,001 entries', Array(1_001).fill(entry), 'too_many'),
    ...[bad('an entry that is none', ['x'], 'invalid'), ...(isEachAnswered ? fields.filter(isOfOperations) : fields)].map((each) =>
      isEachAnswered ? { ...each, codes: null } : each,
    ),
  ]
}

/** The other fields of an operation are judged by the table of its kind. */
function isOfOperations({ says }: BadBody): boolean {
  return says.startsWith('kind ')
}

interface BadField {
  readonly name: string
  readonly code: string
  readonly record: object
  /** Whether XML can say it alike: a text without control characters, or nothing beside other fields. */
  readonly isText: boolean
}

function eachBadField(shape: Shape, sent: object): BadField[] {
  const good = sent as Readonly<Record<string, unknown>>
  return Object.entries(shape).flatMap(([name, field]) =>
    badValuesOf(name, field as Scalar, good[name] ?? 'x').map(({ value, code }) => ({
      name,
      code,
      record: { ...good, [name]: value },
      isText: value === undefined ? Object.keys(good).length > 1 : typeof value === 'string' && !hasForbiddenCharacters(value),
    })),
  )
}
