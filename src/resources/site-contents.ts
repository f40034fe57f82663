/** What hangs below a site: the keywords that are tracked, its competitors, and the pages on which it is reviewed. */

import { date, datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'
import { readDomain } from '../lib/domains.ts'

// biome-ignore format: a table reads by its columns
export const keyword = {
  id:      integer('assigned by the service'),
  site_id: integer('owning site'),
  phrase:  string(),
}

export type SiteKeyword = RecordOf<typeof keyword>

// biome-ignore format: a table reads by its columns
export const newKeyword = {
  phrase: string('kept without blanks around it', { required: true, trim: true, min: 1, max: 200 }),
}

export type NewKeyword = RequestOf<typeof newKeyword>

// biome-ignore format: a table reads by its columns
export const siteCompetitor = {
  id:         integer('assigned by the service'),
  site_id:    integer('owning site'),
  domain:     string('lower case, punycode'),
  created_at: datetime('ISO 8601 with UTC offset'),
}

export type Competitor = RecordOf<typeof siteCompetitor>

// biome-ignore format: a table reads by its columns
export const newCompetitor = {
  domain: string('kept in lower case and punycode', { required: true, trim: true, test: (text: string) => readDomain(text) !== undefined }),
}

export type NewCompetitor = RequestOf<typeof newCompetitor>

// biome-ignore format: a table reads by its columns
export const reviewPage = {
  id:               integer('assigned by the service'),
  site_id:          integer('owning site'),
  competitor_id:    integer("whose page it is; null: the site's own", { nullable: true }),
  source:           string(),
  page_url:         string(),
  match_confidence: integer('0 to 100'),
  last_updated:     date('YYYY-MM-DD'),
  created_at:       datetime('ISO 8601 with UTC offset'),
}

export type SitePage = RecordOf<typeof reviewPage>

export const mostEntries = 1_000
