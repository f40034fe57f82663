/** A dry run of an import: runs the real code on one read snapshot with a database that ignores writes. */

import { nearest } from '../../../lib/nearest-name.ts'
import { momentText } from '../../../lib/time/moments.ts'
import type { EntryChanges } from '../../../store/packed-changes.ts'
import { decodeRanking } from '../../../store/packed-months.ts'
import type { SeriesName } from '../../../store/series.ts'
import { withoutWrites } from '../../../store/without-writes.ts'
import type { Managing } from '../../core/tenancy.ts'
import type { ImportCheck } from '../check/check.ts'
import { Journal } from '../journal/journal.ts'
import type { References } from '../references.ts'
import type { SubjectRef } from '../refs.ts'
import type { Row } from '../row-kinds.ts'
import type { RowKindName } from '../spools.ts'
import { applyRecords, stepsWithin } from '../store/apply.ts'
import type { Applying } from '../store/applying.ts'
import { codeSources } from '../store/code-sources.ts'
import { type ChangeSample, ImportCounts, type ImportPreview } from '../summary.ts'

const mostPreviewed = 100
const mostSamples = 20

export interface Previewed {
  readonly preview: ImportPreview
  readonly counts: ImportCounts
}

/** Never waits for a writer, and never blocks one. */
export async function previewImport(caller: Managing, check: ImportCheck): Promise<Previewed> {
  const fresh = await newOwners(check.reach)
  const samples = new Samples(check.reach)
  const counts = new ImportCounts()
  for (const kind of ['site', 'competitor', 'keyword'] as const) counts.add(kind, { created: fresh.counts[kind] })
  giveIds(check.reach)
  await caller.app.store.snapshot(async (db) => {
    const reading = withoutWrites(db)
    const store = { ...caller.app.store, lock: async () => {}, lockAll: async () => {} }
    const work: Applying = {
      caller: { ...caller, app: { ...caller.app, store } },
      reach: check.reach,
      spools: check.spools,
      counts,
      journal: new Journal(0),
      read: reading,
      write: stepsWithin(reading),
      count: (kind, some) => counts.add(kind, some),
      samples,
    }
    await applyRecords(work, check, await codeSources(work, check.reach.sources.all))
  })
  return { preview: { ...fresh.preview, changes: samples.all }, counts }
}

/** Sites, competitors, keywords and pages that the import would create. */
async function newOwners(reach: References) {
  const newSites = reach.sites.filter(({ id }) => id === 0).map(({ domain }) => domain)
  const known = newSites.length === 0 ? [] : await reach.knownDomains()
  const told = newSites.slice(0, mostPreviewed).map((domain) => {
    const near = nearest(domain, known)
    return near === undefined ? { domain } : { domain, near }
  })
  const keywords = reach.keywordIds.filter((id) => id === 0).length
  const preview = { newSites: told, newKeywords: keywords, newPages: reach.pages.filter(({ isNew }) => isNew).length }
  const competitors = reach.subjects.filter(({ id, domain }) => id === 0 && domain !== '').length
  return { preview, counts: { site: newSites.length, competitor: competitors, keyword: keywords } }
}

/** Gives unique negative ids to what does not exist yet. */
function giveIds({ sites, subjects, pages, keywordIds }: References): void {
  for (const refs of [sites, subjects, pages]) for (const ref of refs) if (ref.id === 0) ref.id = -1 - ref.index
  for (const [index, id] of keywordIds.entries()) if (id === 0) keywordIds[index] = -1 - index
}

/** The first changes to existing records, before and after. */
class Samples {
  readonly all: ChangeSample[] = []
  readonly #reach: References

  constructor(reach: References) {
    this.#reach = reach
  }

  addRow(kind: RowKindName, before: Row, after: Row): void {
    if (this.all.length >= mostSamples) return
    const changed = Object.keys(after).filter((name) => before[name] !== after[name])
    const pick = (row: Row) => Object.fromEntries(changed.map((name) => [name, row[name] ?? null]))
    this.all.push({ kind, what: wordsFor(after), before: pick(before), after: pick(after) })
  }

  addSeries(kind: SeriesName, entries: ReadonlyMap<number, EntryChanges>): void {
    if (kind !== 'ranking') return
    for (const [owner, { updated }] of entries) {
      const words = updated.words()
      for (let at = 0; at < words.length && this.all.length < mostSamples; at += 4) {
        const [after, before] = [decodeRanking(words, at), decodeRanking(words, at + 2)]
        const what = `${this.#phraseOf(owner)} ${momentText(after.time)}`
        this.all.push({ kind, what, before: { rank: before.rank }, after: { rank: after.rank } })
      }
    }
  }

  #phraseOf(keywordId: number): string {
    const index = this.#reach.keywordIds.indexOf(keywordId)
    const phraseIn = ({ keywords }: SubjectRef) => [...keywords].find(([, place]) => place === index)?.[0]
    for (const subject of this.#reach.subjects) {
      const phrase = phraseIn(subject)
      if (phrase !== undefined) return phrase
    }
    return `keyword ${keywordId}`
  }
}

/** A short description of a row for people. */
function wordsFor(row: Row): string {
  const told = [row.domain, row.day, row.start_date, row.source_url, row.page_url, row.phrase, row.date, row.user]
  return told.filter((value) => value !== undefined && value !== null && value !== '').join(' ')
}
