/** Recognizes the tool that wrote a table by the columns that only this tool has, or the kind of record by names that many tools use. */

import type { CsvMapping, ImportPreset } from '../../../resources/imports/import-preset.ts'
import { importPresets } from '../../../resources/imports/import-presets.ts'
import { planMeant } from './averages.ts'
import { folded } from './folded.ts'
import type { CsvPlan, Unplanned } from './mapping.ts'
import type { OwnReport } from './own-reports.ts'

/** The meaning of a header row. */
export interface Heading {
  readonly own?: OwnReport
  readonly plan?: CsvPlan
  /** The mapping by which the rows are read: the one given, or that of the tool which the header shows. */
  readonly mapping: CsvMapping
  /** What the table does not hold. */
  readonly notice?: string
  /** The tool, if it was recognised. */
  readonly guess?: string
}

/** Undefined where nothing was recognised, or where a preset, a kind or columns are told. */
export function recognised(header: readonly string[], mapping: CsvMapping): Heading | Unplanned | undefined {
  const isTold = mapping.kind !== undefined || mapping.isClosed === true || Object.keys(mapping.columns ?? {}).length > 0
  if (isTold) return undefined
  const names = new Set(header.map(folded))
  const likely = Object.entries(importPresets).filter(([, { marks = [] }]) => marks.some((each) => each.every((name) => names.has(name))))
  const planned = likely.map(([name, preset]) => ({ name, preset, found: planMeant(header, over(preset, mapping)) }))
  const [first, ...others] = planned.filter(({ found }) => !('sentence' in found))
  if (first !== undefined && others.length > 0)
    return { sentence: `this looks like ${[first, ...others].map(({ name }) => name).join(' or ')}: say --preset`, known: 1 + names.size }
  if (first !== undefined && !('sentence' in first.found)) return { ...first.found, guess: first.name }
  const [near] = planned
  if (near === undefined || !('sentence' in near.found)) return undefined
  const says = `this looks like ${toolOf(near.preset)} (--preset ${near.name}), but ${near.found.sentence}`
  return { sentence: says, known: near.found.known + 1 }
}

/** `Google Search Console: preset=search-console`, for presets separated by commas. */
export function looksLike(names: string): string {
  return names
    .split(',')
    .map((name) => `${toolOf(importPresets[name])}: preset=${name}`)
    .join(', ')
}

/** `Google Search Console`, or several where any of them may be meant. */
export function toolNames(names: string): string {
  return [...new Set(names.split(',').map((name) => toolOf(importPresets[name])))].join(' or ')
}

function toolOf(preset: ImportPreset | undefined): string {
  return preset?.says.split(',')[0] ?? 'a tool of another version'
}

/** What is told beats what the preset says. */
function over({ says: _, needs: __, marks: ___, ...preset }: (typeof importPresets)[string], told: CsvMapping): CsvMapping {
  return {
    ...preset,
    ...told,
    isClosed: true,
    columns: preset.columns ?? {},
    set: { ...preset.set, ...told.set },
    words: { ...preset.words, ...told.words },
  }
}
