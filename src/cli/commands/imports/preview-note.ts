/** The text for people after a dry run of an import. */

import type { ChangeSample, ImportSummary } from '../../../model/imports/summary.ts'
import { counted, printable } from '../../print.ts'

export function previewNote({ preview, refused }: ImportSummary): string {
  if (preview === undefined || refused > 0) return ''
  const { newSites, newKeywords, newPages } = preview
  const sites = newSites.map(({ domain, near }) => `\n${domain} is new${near === undefined ? '.' : `; did you mean ${near}?`}`)
  const counts = `${counted(newSites.length, 'site')}, ${counted(newKeywords, 'keyword')} and ${counted(newPages, 'page')} would be new.`
  const fresh = newSites.length + newKeywords + newPages === 0 ? '' : `\n${counts}${sites.join('')}`
  return `${fresh}${changesNote(preview.changes)}`
}

/** Text such as `ranking plumber chicago 2026-11-14 00:00:00: rank 3 would become 5`. */
function changesNote(changes: readonly ChangeSample[]): string {
  if (changes.length === 0) return ''
  const told = changes.map(({ kind, what, before, after }) => {
    const fields = Object.keys(after).map((name) => `${name} ${words(before[name])} would become ${words(after[name])}`)
    return `\n  ${kind} ${printable(what)}: ${fields.join(', ')}`
  })
  return `\nThe first of what would change:${told.join('')}`
}

function words(value: unknown): string {
  return value === null || value === undefined ? 'none' : printable(String(value)).slice(0, 60)
}
