/** Sample records generated from their tables, so that the documentation shows what the writers really write. */

import { type Field, type ItemOf, isKeyed, isList, type RecordOf, type Scalar, type Shape } from '../../fields/shape.ts'
import { compileJson, compileJsonList } from '../../fields/to-json.ts'
import { compileXml, compileXmlList } from '../../fields/to-xml.ts'
import type { Observation } from '../../resources/observation.ts'
import type { Content, Endpoint } from '../endpoint.ts'

const moment = '2026-11-14T23:52:01Z'

const byKind: Record<Scalar['kind'], string | number> = {
  integer: 1,
  float: 0.35,
  boolean: 0,
  string: 'text',
  date: '2026-11-14',
  datetime: moment,
  timestamp: moment,
  moment: '2026-11-14 23:52:01',
}

const hex = (start: string) => start.repeat(10)

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Ids of paths, those of records that the demo world has; it has no schedules, share links and invitations of staff. */
// biome-ignore format: a table reads by its columns
export const exampleIds: Readonly<Record<string, number>> = {
  account_id:    3,
  user_id:       3,
  business_id:   1,
  site_id:       1,
  location_id:   1,
  keyword_id:    6,
  competitor_id: 2,
  page_id:       1,
  review_id:     1,
  annotation_id: 1,
  intake_id:     1,
  staff_id:      10,
}

/** Values for fields whose name says more than their kind. */
const byName: Readonly<Record<string, string | number>> = {
  id: 42,
  external_id: 'crm-7',
  account_id: 3,
  email: 'dana@example.com',
  login: 'dana.scully',
  password: 'correct horse',
  crypted_password: hex('00ab'),
  salt: hex('7e30'),
  name: 'Bob & Co',
  business_name: 'Bob & Co',
  domain: 'example.com',
  key: 'mq_Ab3dE6gH_9sampleSampleSampleSampleSample012345',
  public_part: 'Ab3dE6gH',
  scopes: 'report',
  account_ids: '3',
  label: 'nightly reports',
  days: 90,
  grace_days: 7,
  phrase: 'plumber chicago',
  source_url: 'https://blog.example/plumbers',
  page_url: 'https://maps.example/place/1',
  url: 'https://maps.example/review/10',
  twitter_page: 'https://twitter.example/bob',
  facebook_page: 'https://facebook.example/bob',
  anchor_text: 'good plumbers',
  mapping: 'positions',
  mapping_name: 'positions',
  locale: 'en-us',
  search_engine: 'Google',
  source: 'google',
  site_id: 1,
  seconds: 3600,
  day: '2026-11-14',
  recipients: 'dana@example.com, bob@example.com',
  site_ids: '1',
  time_zone: 'Europe/Berlin',
  region: 'CH',
  domains: 'implants.example, kids.example',
  keywords: 'plumber chicago, plumber near me',
  competitors: 'rival.example',
  contact: 'Dana Scully',
  tags: 'dental, chicago',
  sender_name: 'Bob & Co',
  support: 'help@example.com',
  accent: '#0a7d5b',
  logo: picture,
  dark_logo: picture,
  favicon: picture,
  rating: 4,
  header: 'Great',
  detail: 'They came at once.',
  user: 'A reviewer',
}

/** The body of an answer. */
export function sampleAnswer({ root, of }: Content, format: 'xml' | 'json', nulls: 'typed' | 'untyped'): string {
  if (isList(of)) {
    const items = [sampleItem(of)] as never
    return format === 'xml' ? compileXmlList(root, of as never, { nulls })(items) : indented(compileJsonList(root, of as never)(items))
  }
  const record = sampleOf(of)
  return format === 'xml' ? compileXml(root, of, { nulls })(record) : indented(compileJson(root === 'hash' ? null : root, of)(record))
}

/** Values by field name that replace the generated ones. */
export type SampleValues = Readonly<Record<string, unknown>>

const madeUp: SampleValues = {}

export function sampleOf<S extends Shape>(shape: S, values: SampleValues = madeUp): RecordOf<S> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, values[name] ?? sampleField(name, field, values)]),
  ) as RecordOf<S>
}

/** The body of a request as an object; null if there is none. */
export function sampleSent(endpoint: Endpoint, values: SampleValues = madeUp): unknown {
  const keyword = endpoint.takes?.kinds['keyword']
  if (keyword !== undefined) return [sampleObservation('keyword', keyword)]
  if (endpoint.body === undefined) return null
  const { root, of } = endpoint.body
  return { [root]: isList(of) ? [given(sampleItem(of, values))] : given(sampleOf(of, values)) }
}

/** Fields that may be null need not be sent. */
function given(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

/** The required parameters as text, and what confirms a deletion, which only its dry run leaves out; null if there are none. */
export function sampleQuery({ query = {} }: Endpoint, values: SampleValues = madeUp): Readonly<Record<string, string>> | null {
  const needed = Object.entries(query).filter(([name, { isRequired }]) => isRequired || name === 'confirm')
  const texts = needed.map(([name, { kind }]): [string, string] => [name, String(values[name] ?? sampleText(name, kind.schema))])
  return texts.length === 0 ? null : Object.fromEntries(texts)
}

function sampleText(name: string, { enum: words }: Readonly<Record<string, unknown>>): unknown {
  return (words as readonly string[] | undefined)?.[0] ?? byName[name] ?? 42
}

/** The body of a request in XML. */
export function sampleSentXml({ root, of }: Content): string {
  return isList(of)
    ? compileXmlList(root, of as never, { nulls: 'typed' })([sampleItem(of)] as never)
    : compileXml(root, of, { nulls: 'typed' })(sampleOf(of))
}

/** The required fields, with the examples of their tables. */
function sampleObservation(type: string, { fields }: Observation): object {
  const required = Object.entries(fields).filter(([, field]) => field.required)
  return { type, ...Object.fromEntries(required.map(([name, { example }]) => [name, example])) }
}

function sampleField(name: string, field: Field, values: SampleValues = madeUp): unknown {
  if (field.is === 'one') return sampleOf(field.of, values)
  if (field.is === 'list') return [sampleItem(field, values)]
  return field.initial ?? (field.nullable ? null : (field.oneOf?.[0] ?? byName[name] ?? byKind[field.kind]))
}

function sampleItem({ of }: { readonly of: unknown }, values: SampleValues = madeUp): ItemOf<never> {
  const shape = of as Parameters<typeof isKeyed>[0]
  if (!isKeyed(shape)) return sampleOf(shape, values) as never
  return { key: byName[shape.by] ?? shape.by, value: sampleField('', shape.of) } as never
}

function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), null, 2)}\n`
}
