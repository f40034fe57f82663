/** What a broken file is: its bytes, the options it comes with, what people are told, and where. */
import type { MappingWords } from '../../../../src/model/imports/csv/mappings.ts'

export interface Options extends MappingWords {
  readonly encoding?: 'windows-1252'
  /** What records refer to must exist. */
  readonly knownOnly?: true
  /** The whole partner, instead of one site. */
  readonly partner?: true
}

/** What it is, its content, the line and field of the fault, the sentence, and the options. */
export type BrokenFile = readonly [what: string, content: string | Uint8Array, place: string, told: RegExp, options?: Options]

export const header = 'phrase,search_engine,locale,ranked_at,rank'
export const row = 'plumber,Google,en-us,2026-11-14 04:05:06,3'
export const long = (length: number) => 'x'.repeat(length)
export const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
