/** What belongs to a site: its tracked keywords, its competitors, and the pages on which it is reviewed. */

import { isValueError } from '../fields/incoming.ts'
import { date, datetime, integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'
import { readDomain } from '../lib/domains.ts'
import { observations } from './observation.ts'

// biome-ignore format: a table reads by its columns
export const keyword = {
  id:            integer('assigned by the service'),
  site_id:       integer('owning site'),
  phrase:        string(),
  search_volume: integer('searches in a month, as it was last told; null: not known', { nullable: true }),
  tags:          string('labels separated by commas, as they were last told; null: has none', { nullable: true }),
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

// biome-ignore format: a table reads by its columns
export const newReviewPage = {
  competitor_id: integer("a competitor of the site; left out: the page is the site's own", { nullable: true }),
  source:        string('who runs the page, such as `google`', { required: true, trim: true, min: 1, max: 50 }),
  page_url:      string('URL', { required: true, trim: true, max: 2048, test: isPageUrl }),
}

export type NewReviewPage = RequestOf<typeof newReviewPage>

/** Uses the rule of imports, so that a page added here can be measured there. */
function isPageUrl(text: string): boolean {
  return !isValueError(observations.page.fields.page_url.read(text))
}

export const mostEntries = 1_000
