/** Which format answers: the path's extension, else `Accept`, else XML. */

import { refuse } from '../lib/failures.ts'

export type Format = 'xml' | 'json' | 'csv'

export const mediaTypes = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<Format, string>

const acceptable: readonly (readonly [RegExp, Format])[] = [
  [/^(?:application|text)\/(?:xml|\*)$|^application\/[\w.-]+\+xml$|^\*\/\*$/, 'xml'],
  [/^(?:application|text)\/json$|^application\/[\w.-]+\+json$/, 'json'],
]

/** The path without its extension. Only letters make one: the dot in `1.5` belongs to the id. */
export function splitExtension(path: string): { readonly path: string; readonly extension: string | null } {
  const found = /\.([A-Za-z][A-Za-z0-9]*)$/.exec(path)
  return found === null ? { path, extension: null } : { path: path.slice(0, found.index), extension: found[1] ?? '' }
}

export function chooseFormat(extension: string | null, accept: string | undefined, offered: readonly Format[]): Format {
  const chosen = extension === null ? accepted(accept) : extension
  return offered.find((format) => format === chosen) ?? refuse('not_acceptable', `This address answers in ${spoken(offered)}`)
}

/** An error is written in what was asked for, as far as that can be told. */
export function errorFormat(extension: string | null, accept: string | undefined): 'xml' | 'json' {
  const wanted = extension === 'json' || extension === 'xml' ? extension : accepted(accept)
  return wanted === 'json' ? 'json' : 'xml'
}

/** The best of what the client takes, by its own weights; null when that is nothing we write. */
function accepted(accept: string | undefined): Format | null {
  if (accept === undefined || accept.trim() === '') return 'xml'
  const wishes = accept
    .split(',')
    .map(wish)
    .filter(({ weight }) => weight > 0)
  const best = wishes.toSorted((a, b) => b.weight - a.weight)
  for (const { type } of best) {
    const found = acceptable.find(([pattern]) => pattern.test(type))
    if (found !== undefined) return found[1]
  }
  return null
}

function wish(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, weight: Number.isNaN(weight) ? 0 : weight }
}

function spoken(offered: readonly Format[]): string {
  const names = offered.map((format) => format.toUpperCase())
  return names.length < 2 ? `${names.join('')} only` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} only`
}
