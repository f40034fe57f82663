/** Flat tables of reports for spreadsheets: identifying columns followed by measurements. */

import { date, integer, string } from '../fields/shape.ts'
import { review, reviewCount } from './reputation.ts'
import { backlink, ranking, siteMetrics } from './seo-report.ts'

// biome-ignore format: a table reads by its columns
export const subjectColumns = {
  account_id: integer(),
  site_id:    integer(),
  site:       string('domain of the site'),
  competitor: string('domain of a competitor; empty for the site itself'),
}

const { backlinks: _backlinks, keywords: _keywords, competitors: _competitors, ...figures } = siteMetrics

const { device: _device, location: _location, ...plainRanking } = ranking

export const rankingColumns = { ...subjectColumns, phrase: string(), ...plainRanking }
/** With `series=all`. */
export const trackedColumns = { ...subjectColumns, phrase: string(), ...ranking }
export const backlinkColumns = { ...subjectColumns, ...backlink }

/** The day on which each figure was measured, after the figures. */
const figureDays = Object.fromEntries(Object.keys(figures).map((name) => [`${name}_on`, date(`day of ${name}`, { nullable: true })]))

/** Figures that were never measured are left empty. */
export const metricColumns = { ...subjectColumns, ...figures, ...figureDays }

// biome-ignore format: a table reads by its columns
const pageColumns = {
  account_id: integer(),
  site_id:    integer(),
  page_url:   string('URL of the page'),
}

/** The columns that an import needs besides the ids, so that the file can be imported again, here or elsewhere. */
// biome-ignore format: a table reads by its columns
const reviewNames = {
  site:        string('domain of the site'),
  page_source: string('source of the page'),
  ref:         string("the source's own name of the review; empty where it has none", { nullable: true }),
}

// biome-ignore format: a table reads by its columns
const countNames = {
  site:        string('domain of the site'),
  competitor:  string('domain of a competitor; empty for the site itself'),
  page_source: string('source of the page'),
}

export const reviewColumns = { ...pageColumns, ...review, ...reviewNames }

export const reviewCountColumns = {
  ...pageColumns,
  competitor_id: integer('empty for the site itself', { nullable: true }),
  ...reviewCount,
  ...countNames,
}
