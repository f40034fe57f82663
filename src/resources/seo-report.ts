/** SEO report (root element `hash`): accounts, their sites, and the measurements of each. */

import { date, float, integer, keyed, list, moment, one, type RecordOf, type Shape, string } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const backlink = {
  domain:           string(),
  found_on:         date('YYYY-MM-DD'),
  link_strength:    integer(),
  source_url:       string('URL'),
  domain_authority: integer(),
  anchor_text:      string(),
}

// biome-ignore format: a table reads by its columns
export const ranking = {
  locale:        string('a language-region tag'),
  search_engine: string('values seen: `Bing`, `Yahoo`, `Google`'),
  device:        string('only with `series=all`, of what was measured on a device or from a location', { sometimes: true }),
  location:      string('together with `device`', { sometimes: true }),
  ranked_at:     moment('format `YYYY-MM-DD HH:MM:SS`'),
  rank:          integer('null: looked for and not found', { nullable: true }),
}

const backlinks = list('backlink', backlink)
export const keywords = list('keyword', keyed('phrase', list('ranking', ranking)))

// biome-ignore format: a table reads by its columns
export const competitor = {
  backlink_count: integer(),
  backlinks,
  domain_count:   integer(),
  domain_age:     integer('days'),
  keywords,
}

// biome-ignore format: a table reads by its columns
export const siteMetrics = {
  download_time:           float('seconds'),
  pages_indexed_in_google: integer(),
  pages_indexed_in_bing:   integer(),
  pages_indexed_in_yahoo:  integer(),
  domain_authority:        integer('', { nullable: true }),
  backlink_count:          integer(),
  domain_count:            integer(),
  domain_age:              integer('days'),
  backlinks,
  keywords,
  competitors:             list('competitor', keyed('domain', one(competitor))),
}

// biome-ignore format: a table reads by its columns
export const seoReport = {
  accounts: list('account', keyed('account_id', one({
    sites: list('site', keyed('site_id', one(siteMetrics))),
  }))),
}

export type Backlink = RecordOf<typeof backlink>
export type SiteMetrics = RecordOf<typeof siteMetrics>

/** The names of the figures that a daily snapshot can hold. */
export type FigureName = Exclude<keyof SiteMetrics, 'backlinks' | 'keywords' | 'competitors'>

export const siteFigureNames = figuresOf(siteMetrics)
export const competitorFigureNames = figuresOf(competitor)

function figuresOf(shape: Shape): FigureName[] {
  return Object.keys(shape).filter((name) => shape[name]?.is === 'scalar') as FigureName[]
}
