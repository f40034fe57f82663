/** What the search page is made of: read once for the page, its paper, its CSV files and mails. */

import type { Annotation } from '../../../model/dashboard/annotations.ts'
import type { ChosenPeriod } from '../../../model/dashboard/periods/chosen-period.ts'
import type { SearchFigures } from '../../../model/dashboard/search.ts'
import type { SiteFigures } from '../../../model/dashboard/site.ts'

export interface SearchContent {
  readonly period: ChosenPeriod
  readonly domain: string
  readonly search: SearchFigures
  readonly figures: SiteFigures
  /** Whether lines of competitors are drawn. */
  readonly withRivals: boolean
  readonly pins: readonly Annotation[]
}
