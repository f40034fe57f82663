/** Chooses the format of an answer: by the path's extension, else by `Accept`, else JSON for JSON, else XML. */

import { refusePlainly } from '../lib/failures.ts'
import { type WeightedName, weightsIn } from '../lib/header-weights.ts'

export type Format = 'xml' | 'json' | 'csv'

export const mediaTypes = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<Format, string>

const names: Record<Format, RegExp> = {
  xml: /^(?:application|text)\/xml$|^application\/[\w.-]+\+xml$/,
  json: /^(?:application|text)\/json$|^application\/[\w.-]+\+json$/,
  csv: /^text\/csv$/,
}

const families: Readonly<Record<string, readonly Format[]>> = {
  'application/*': ['xml', 'json'],
  'text/*': ['xml', 'csv'],
}

/** The path without its extension. An extension begins with a letter, so the dot in `1.5` belongs to the id. */
export function splitExtension(path: string): { readonly path: string; readonly extension: string | null } {
  const found = /\.([A-Za-z][A-Za-z0-9]*)$/.exec(path)
  return found === null ? { path, extension: null } : { path: path.slice(0, found.index), extension: found[1] ?? '' }
}

/** The parts of a request's target. */
export function splitUrl(url: string): { readonly path: string; readonly extension: string | null; readonly query: URLSearchParams } {
  const mark = url.indexOf('?')
  const { path, extension } = splitExtension(mark < 0 ? url : url.slice(0, mark))
  return { path, extension, query: mark < 0 ? noQuery : new URLSearchParams(url.slice(mark + 1)) }
}

const noQuery = new URLSearchParams()

export function chooseFormat(
  extension: string | null,
  accept: string | undefined,
  offered: readonly Format[],
  isJsonSent: boolean,
): Format {
  const chosen = extension === null ? accepted(accept, offered, isJsonSent) : extension
  return offered.find((format) => format === chosen) ?? refusePlainly('not_acceptable', `This address answers in ${spoken(offered)}`)
}

/** Writes an error in the requested format, as far as that is known. */
export function errorFormat(extension: string | null, accept: string | undefined, isJsonSent: boolean): 'xml' | 'json' {
  const wanted = extension === 'json' || extension === 'xml' ? extension : accepted(accept, ['xml', 'json'], isJsonSent)
  return wanted === 'json' ? 'json' : 'xml'
}

/** Whether it is JSON by any of its media types, including NDJSON. */
export function isJsonType(contentType = ''): boolean {
  return /^\s*[a-z]+\/(?:[\w.-]+[+-])?(?:nd)?json(?:l|lines)?\s*(?:;|$)/i.test(contentType)
}

/** The best format by the client's weights; null if we write none that it accepts. Anything that is not a media range is ignored. */
function accepted(accept: string | undefined, offered: readonly Format[], isJsonSent: boolean): Format | null {
  const wishes = weightsIn(accept ?? '').filter(isMediaRange)
  if (wishes.every(({ name, weight }) => name === '*/*' && weight > 0)) return isJsonSent ? 'json' : (offered[0] ?? null)
  const best = wishes.toSorted((a, b) => b.weight - a.weight)
  const meant = new Map(offered.map((format) => [format, nearest(format, best)]))
  const chosen = best.find((wish) => wish.weight > 0 && offered.some((format) => meant.get(format) === wish))
  return offered.find((format) => chosen !== undefined && meant.get(format) === chosen) ?? null
}

/** The most specific range for a format: its own type, its family, or everything. */
function nearest(format: Format, best: readonly WeightedName[]): WeightedName | undefined {
  return (
    best.find(({ name }) => names[format].test(name)) ??
    best.find(({ name }) => families[name]?.includes(format)) ??
    best.find(({ name }) => name === '*/*')
  )
}

function isMediaRange({ name }: WeightedName): boolean {
  return /^[^\s/]+\/[^\s/]+$/.test(name)
}

function spoken(offered: readonly Format[]): string {
  const names = offered.map((format) => format.toUpperCase())
  return names.length < 2 ? `${names.join('')} only` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} only`
}
