/** Query values: read once each, refused when they are given twice or cannot be understood. */

import { refuse } from '../lib/failures.ts'

/** The value of a parameter that may be given once; undefined when it is not there. */
export function single(query: URLSearchParams, name: string): string | undefined {
  const [value, second] = query.getAll(name)
  return second === undefined ? value : refuse('bad_request', `The parameter ${name} is given twice`)
}

/** Set when present and empty, or a word for yes. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = single(query, name)?.toLowerCase()
  if (value === undefined || ['0', 'false', 'no', 'off'].includes(value)) return false
  if (['', '1', 'true', 'yes', 'on'].includes(value)) return true
  return refuse('bad_request', `The parameter ${name} must be one of 1, true, yes, on, 0, false, no, off, or empty`)
}

/** `given(query, 'login', 'email')`: only those that are there, so that they can be spread. */
export function given<N extends string>(query: URLSearchParams, ...names: readonly N[]): Partial<Record<N, string>> {
  const entries = names.map((name) => [name, single(query, name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Record<N, string>>
}
