/** Reputation reports (root element `account`): the detail variant with reviews, the counts variant with daily counts. */

import { date, integer, list, one, type RecordOf, string, timestamp } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const review = {
  id:              integer(),
  page_id:         integer(),
  rating:          integer('1 to 5'),
  created_at:      timestamp('UTC timestamp'),
  business_name:   string(),
  sentiment_score: integer('-100 to 100'),
  url:             string('URL'),
  total:           integer("the reviewer's number of reviews"),
  header:          string(),
  date:            date('YYYY-MM-DD'),
  detail:          string('free text of the review'),
  user:            string('reviewer label'),
  source:          string('value seen: `google`'),
}

// biome-ignore format: a table reads by its columns
export const detailPage = {
  id:               integer(),
  page_url:         string('URL'),
  created_at:       timestamp('UTC timestamp'),
  match_confidence: integer('0 to 100'),
  location_id:      integer(),
  last_updated:     date('YYYY-MM-DD'),
  source:           string('value seen: `google`'),
  reviews:          list('review', review),
}

// biome-ignore format: a table reads by its columns
export const reviewCount = {
  created_at: timestamp('UTC timestamp'),
  page_id:    integer(),
  date:       date('YYYY-MM-DD'),
  count:      integer('reviews dated that day'),
  rating_sum: integer('sum of their ratings'),
  source:     string('values seen: `google`, `citysearch`'),
}

// biome-ignore format: a table reads by its columns
export const countsPage = {
  id:               integer(),
  page_url:         string('URL'),
  created_at:       timestamp('UTC timestamp'),
  match_confidence: integer('0 to 100'),
  last_updated:     date('YYYY-MM-DD'),
  source:           string('values seen: `google`, `bing`'),
  review_counts:    list('review_count', reviewCount),
}

// biome-ignore format: a table reads by its columns
const detailLocation = {
  id:            integer(),
  created_at:    timestamp('UTC timestamp'),
  twitter_page:  string('', { nullable: true }),
  facebook_page: string('', { nullable: true }),
  pages:         list('page', detailPage),
}

// biome-ignore format: a table reads by its columns
const countsCompetitor = {
  id:         integer(),
  created_at: timestamp('UTC timestamp'),
  pages:      list('page', countsPage),
}

// biome-ignore format: a table reads by its columns
const countsLocation = {
  id:          integer(),
  created_at:  timestamp('UTC timestamp'),
  competitors: list('competitor', countsCompetitor),
  pages:       list('page', countsPage),
}

// biome-ignore format: a table reads by its columns
export const reputationDetail = {
  id:    integer(),
  sites: list('site', { id: integer(), location: one(detailLocation) }),
}

// biome-ignore format: a table reads by its columns
export const reputationCounts = {
  id:    integer(),
  sites: list('site', { id: integer(), location: one(countsLocation) }),
}

// biome-ignore format: a table reads by its columns
/** A review at its own address; the reports are as the interface has them. */
export const pageReview = {
  ...review,
  language: string('a language tag', { nullable: true }),
  answer:   string('what the owner of the business answered', { nullable: true }),
}

export type Review = RecordOf<typeof review>
export type PageReview = RecordOf<typeof pageReview>
export type ReviewCount = RecordOf<typeof reviewCount>
