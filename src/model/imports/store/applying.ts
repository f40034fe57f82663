/** An import while its accepted records are being stored. */

import type { Kysely } from 'kysely'
import type { ObservationKind } from '../../../resources/observation.ts'
import type { EntryChanges } from '../../../store/packed-changes.ts'
import type { Tables } from '../../../store/rows/tables.ts'
import type { SeriesName } from '../../../store/series.ts'
import type { Managing } from '../../core/tenancy.ts'
import type { Journal } from '../journal/journal.ts'
import type { References } from '../references.ts'
import type { Row } from '../row-kinds.ts'
import type { ImportSpools, RowKindName } from '../spools.ts'
import type { Counts, ImportCounts } from '../summary.ts'

export interface Applying {
  readonly caller: Managing
  readonly reach: References
  readonly spools: ImportSpools
  readonly counts: ImportCounts
  readonly journal: Journal
  /** Runs each step in a transaction of its own, or in the one that is open for the whole import. */
  write<T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Sees what was written by the steps before. */
  readonly read: Kysely<Tables>
  count(kind: ObservationKind, counts: Partial<Counts>): void
  /** Set in a dry run: receives what would change. */
  readonly samples?: {
    addRow(kind: RowKindName, before: Row, after: Row): void
    addSeries(kind: SeriesName, entries: ReadonlyMap<number, EntryChanges>): void
  }
}
