/** The lines of an export, and where they belong. */

import type { ObservationKind } from '../../../resources/observation.ts'

export type ExportedLine = Readonly<Record<string, unknown>>
export type SourceNames = ReadonlyMap<number, { readonly engine: string; readonly locale: string }>

/** Where lines belong: the fields that name the site and the competitor. */
export interface ExportPlace {
  readonly accountId: number
  readonly siteId: number
  readonly subjectId: number
  readonly fields: ExportedLine
  readonly names: SourceNames
}

export type Put = (kind: ObservationKind, lines: readonly ExportedLine[]) => Promise<void>
