/** One cell of R14: an endpoint, a place of an id, a format and a caller, tried with the ids of strangers and with spellings of them. */
import type { Endpoint } from '../../../src/api/endpoint.ts'
import type { SampleValues } from '../../../src/api/reference/samples.ts'
import { formOf, xmlOf } from '../../support/bodies.ts'
import { type IdPosition, withNewNames } from '../../support/id-positions.ts'
import type { Answer, Client } from './client.ts'
import type { World } from './isolation-worlds.ts'

interface Format {
  readonly extension: '.xml' | '.json' | ''
  readonly accept?: string
  readonly body: 'json' | 'xml' | 'form'
}

export const formats: readonly Format[] = [
  { extension: '.xml', body: 'json' },
  { extension: '.json', body: 'json' },
  { extension: '', body: 'json' },
]

export const moreFormats: readonly Format[] = [
  { extension: '', accept: 'application/xml', body: 'xml' },
  { extension: '', accept: 'application/json', body: 'form' },
  { extension: '.xml', body: 'form' },
  { extension: '.json', body: 'xml' },
]

interface Cell {
  readonly acme: World
  /** Whose ids are tried. */
  readonly strangers: readonly World[]
  readonly format: Format
  readonly authorization: string | undefined
  readonly isWide: boolean
}

export async function tryCell(client: Client, endpoint: Endpoint, position: IdPosition, cell: Cell) {
  const found: string[] = []
  let tried = 0
  const own = withNewNames(cell.acme.has)
  for (const [place, stranger] of cell.strangers.entries()) {
    const foreign = stranger.has[position.noun]
    if (foreign === undefined) return { tried: 0, found: [`say in makeWorld what ${position.noun} is`] }
    const absent = absentLike(foreign, position.noun)
    const reference = await askFor(client, endpoint, position, cell, own, absent)
    const others = [
      ['foreign', foreign],
      ...(position.noun === 'user_id' && place === 0 ? [['deleted', cell.acme.deletedUserId]] : []),
      ...hostile(foreign, position, cell.isWide),
    ]
    for (const [name = '', id = ''] of others) {
      const answer = await askFor(client, endpoint, position, cell, own, id)
      if (/(globex|initech)canary/.test(answer)) found.push(`the ${name} id shows what is a stranger's`)
      if (/^(429|503|no answer)/.test(answer)) found.push(`the ${name} id ${id} was not looked at: ${answer.slice(0, 100)}`)
      const mustEqual = name === 'foreign' || name === 'deleted'
      if (mustEqual && answer !== reference) found.push(`the ${name} id ${id} is told from the absent ${absent}:\n${answer}\n${reference}`)
      if (/^(2|5)/.test(answer) && !mustEqual) found.push(`the ${name} id ${id} was answered ${answer.slice(0, 200)}`)
    }
    tried += others.length + 1
  }
  return { tried, found }
}

/** All that a client sees of the answer. */
async function askFor(
  client: Client,
  endpoint: Endpoint,
  position: IdPosition,
  cell: Cell,
  own: SampleValues,
  id: string,
): Promise<string> {
  const { format, authorization } = cell
  const { path, query, body } = position.request(own, id)
  const search = new URLSearchParams(query)
  const sent = body === undefined ? null : written(body, format.body)
  const answer = await client.ask(`${path}${format.extension}${search.size === 0 ? '' : `?${search}`}`, {
    method: endpoint.method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(format.accept !== undefined && { accept: format.accept }),
      ...(sent && { 'content-type': sent.type }),
    },
    ...(sent && { body: sent.text }),
  })
  return seen(answer, position.noun === 'site_domain' ? id : null)
}

/** A list and what holds lists goes as JSON in any case. */
function written(body: unknown, format: Format['body']): { type: string; text: string } {
  const [root, fields] = Object.entries(body as object)[0] ?? []
  const isFlat =
    !Array.isArray(body) && typeof fields === 'object' && fields !== null && !Object.values(fields).some((one) => typeof one === 'object')
  if (!isFlat || root === undefined || format === 'json') return { type: 'application/json', text: JSON.stringify(body) }
  if (format === 'form') return { type: 'application/x-www-form-urlencoded', text: formOf(fields, root) }
  return { type: 'application/xml', text: xmlOf(root.replaceAll('_', '-'), fields) }
}

/** Spellings that must not reach anything either; a path needs them encoded. */
function hostile(id: string, { noun, where }: IdPosition, isWide: boolean): [string, string][] {
  if (noun === 'site_domain' || where === 'body') return []
  const usual: [string, string][] = [
    ['leading zero', `0${id}`],
    ['negative', `-${id}`],
    ['huge', '9007199254740993'],
    ...(where === 'path' ? ([['encoded', `%3${id.charAt(0)}${id.slice(1)}`]] as [string, string][]) : []),
  ]
  const odd = {
    plus: `+${id}`,
    blank: ` ${id}`,
    decimal: `${id}.0`,
    exponent: `${id}e0`,
    hex: `0x${Number(id).toString(16)}`,
    'full width': wide(id),
  }
  const more = Object.entries(odd).map(([name, text]): [string, string] => [name, where === 'path' ? encodeURIComponent(text) : text])
  return isWide ? [...usual, ...more] : usual
}

/** The same digits in another alphabet. */
function wide(digits: string): string {
  return digits.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
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
