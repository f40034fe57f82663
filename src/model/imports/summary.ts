/** Counts what an import did, by kind of record. */

import type { ImportError } from '../../resources/imports/import-fault.ts'
import { type ObservationKind, observationKinds } from '../../resources/observation.ts'

export interface Counts {
  created: number
  updated: number
  unchanged: number
}

export interface ImportSummary {
  readonly lines: number
  readonly refused: number
  /** The first hundred errors. */
  readonly faults: readonly ImportError[]
  /** Whether anything was stored: never in a dry run, nor after an error in an import of all or nothing. */
  readonly isApplied: boolean
  /** What is stored otherwise than it is called in the file. */
  readonly notices?: readonly string[]
  /** What a dry run would create in addition to the records. */
  readonly preview?: ImportPreview
  /** The intake under which it was stored and can be undone. */
  readonly intakeId?: number
  /** The counts by kind; before storing, only the accepted records are counted. */
  readonly kinds: Readonly<Partial<Record<ObservationKind, Counts & { readonly accepted: number }>>>
}

export interface ImportPreview {
  /** Each new site with a known site of a similar name, if there is one. */
  readonly newSites: readonly { readonly domain: string; readonly near?: string }[]
  readonly newKeywords: number
  readonly newPages: number
  /** The first changes to existing records. */
  readonly changes: readonly ChangeSample[]
}

export interface ChangeSample {
  readonly kind: string
  /** Identifies the record: its phrase and time, its address, or its day. */
  readonly what: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

export function noCounts(): Counts {
  return { created: 0, updated: 0, unchanged: 0 }
}

export function addCounts(sum: Counts, counts: Partial<Counts>): void {
  for (const name of ['created', 'updated', 'unchanged'] as const) sum[name] += counts[name] ?? 0
}

export class ImportCounts {
  readonly #counts = new Map<ObservationKind, Counts>()

  add(kind: ObservationKind, counts: Partial<Counts>): void {
    const sum = this.#counts.get(kind) ?? noCounts()
    addCounts(sum, counts)
    this.#counts.set(kind, sum)
  }

  /** Counts records that only say that something exists: those neither created nor changed were already there. */
  countKnown(accepted: ReadonlyMap<ObservationKind, number>): void {
    for (const kind of ['site', 'competitor', 'keyword'] as const) {
      const { created = 0, updated = 0 } = this.#counts.get(kind) ?? {}
      this.add(kind, { unchanged: Math.max(0, (accepted.get(kind) ?? 0) - created - updated) })
    }
  }

  /** A record of which only a part is new, as the page of a ranking, counts as updated. */
  countParts(kind: ObservationKind, { created, updated }: Counts): void {
    const records = this.#counts.get(kind) ?? noCounts()
    const others = created + updated - records.created - records.updated
    const changed = Math.max(0, Math.min(records.unchanged, others))
    this.add(kind, { updated: changed, unchanged: -changed })
  }

  /** Records neither created nor updated count as unchanged. */
  countUnchanged(accepted: ReadonlyMap<ObservationKind, number>): void {
    for (const [kind, many] of accepted) {
      const { created = 0, updated = 0 } = this.#counts.get(kind) ?? {}
      this.add(kind, { unchanged: Math.max(0, many - created - updated) })
    }
  }

  by(accepted: ReadonlyMap<ObservationKind, number>): ImportSummary['kinds'] {
    const present = observationKinds.filter((kind) => accepted.has(kind) || Object.values(this.#counts.get(kind) ?? {}).some(Boolean))
    return Object.fromEntries(
      present.map((kind) => {
        const some = this.#counts.get(kind)
        const many = accepted.get(kind) ?? 0
        return [kind, { accepted: many, ...(some === undefined ? noCounts() : settled(some, many)) }]
      }),
    )
  }
}

/** Each accepted record counts once: what created something, or changed it, or else nothing. More may be created besides. */
function settled({ created, updated }: Counts, accepted: number): Counts {
  const others = Math.max(0, accepted - created)
  const changing = Math.min(updated, others)
  return { created, updated: changing, unchanged: others - changing }
}
