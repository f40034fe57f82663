/** The query parameters of summaries and rankings. */

import { textKinds } from '../../lib/text-kinds.ts'
import { calendarPresets, comparisons, dayPresets } from '../../model/dashboard/periods/chosen-period.ts'
import { inPages } from '../parameters.ts'
import { parameter } from '../query.ts'

const { text, day, oneOf, wholeNumber } = textKinds

// biome-ignore format: a table reads by its columns
export const periodFilters = {
  days:       parameter(oneOf(...dayPresets.map(String)), 'the last days; 90 when no period is named'),
  period:     parameter(oneOf(...(Object.keys(calendarPresets) as (keyof typeof calendarPresets)[])), 'a calendar period, such as `last-month`'),
  start_date: parameter(day, 'first day of another period, together with `end_date`'),
  end_date:   parameter(day, 'last day'),
  compare:    parameter(oneOf(...(Object.keys(comparisons) as (keyof typeof comparisons)[])), 'what it is compared with: the period `before`, the same of the `year` before, or `none`'),
}

// biome-ignore format: a table reads by its columns
export const summaryFilters = {
  ...inPages,
  limit: parameter(wholeNumber(1, 100), 'how many sites an answer has at most; 100 when it is left out'),
  ...periodFilters,
}

// biome-ignore format: a table reads by its columns
export const rankingFilters = {
  ...inPages,
  limit:         parameter(wholeNumber(1, 1_000), 'how many rows an answer has at most; 100 when it is left out'),
  phrase:        parameter(text, 'only this keyword'),
  tag:           parameter(text, 'only keywords with this tag'),
  search_engine: parameter(text, 'only this engine, such as `Google`'),
  locale:        parameter(text, 'only this locale, such as `en-us`'),
  device:        parameter(text, 'only on this device; empty: only those without a device'),
  location:      parameter(text, 'only from this location; empty: only those without a location'),
  start_date:    parameter(day, 'first day in UTC, YYYY-MM-DD'),
  end_date:      parameter(day, 'last day in UTC, YYYY-MM-DD'),
}
