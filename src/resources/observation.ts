/** The kinds of records that can be imported: one table of fields for each, from which files, pushes, templates and documentation are derived. */

import {
  day,
  decimal,
  domain,
  type Incoming,
  incomingMoment,
  label,
  labels,
  line,
  oneOf,
  text,
  time,
  trimmed,
  url,
  urlOrEmpty,
  wholeNumber,
  word,
} from '../fields/incoming.ts'
import { knownDevices } from './tracked.ts'

const name = label(50)
const figure = wholeNumber()
const percent = wholeNumber(0, 100)
const rank = wholeNumber(1, 65_535)
const accountId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

// biome-ignore format: a table reads by its columns
const scope = {
  account: accountId('the account of the site, if its domain alone does not identify the site', 7),
  site:    domain('domain of the site; left out when the import is for one site', 'example.com', { required: true }),
}

// biome-ignore format: a table reads by its columns
const subject = {
  ...scope,
  competitor: domain('domain of a competitor of the site; left out for the site itself', null),
}

// biome-ignore format: a table reads by its columns
const onPage = {
  ...subject,
  page_url:    url('the page', 'https://maps.example/place/1', { required: true }),
  page_source: name('source of the page', null, { initially: '`source`' }),
  source:      name('where the reviews are from', 'google', { required: true }),
}

// biome-ignore format: a table reads by its columns
const tracked = {
  device:   word(30, ...knownDevices)('where it was looked for: `desktop`, `mobile`, `tablet` or another', null, { initially: 'empty' }),
  location: line(0, 100)('from where it was looked for', null, { initially: 'empty' }),
}

const createdAt = { created_at: time('creation time of the record', null, { initially: 'now' }) }

// biome-ignore format: a table reads by its columns
const searched = {
  ...subject,
  phrase:        trimmed(200)('the keyword', 'plumber chicago', { required: true }),
  search_engine: name('', 'Google', { required: true }),
}

/** The locale may be left out: the figures are then of all. */
const placed = { ...searched, locale: line(0, 50)('a language-region tag', null, { initially: 'empty' }), ...tracked }

// biome-ignore format: a table reads by its columns
export const observations = {
  site: {
    about: 'A site. It must exist, or `--create-missing` creates it, and its business where none of that name exists. A site that exists keeps its business.',
    key: ['site'],
    fields: {
      ...scope,
      business: trimmed(255)('name of its business', "Bob's Plumbing", { initially: 'the domain' }),
    },
  },
  competitor: {
    about: 'A competitor of a site, known by its domain.',
    key: ['site', 'competitor'],
    fields: { ...scope, competitor: domain('domain of the competitor', 'rival.example', { required: true }), ...createdAt },
  },
  location: {
    about: 'The physical location of a site, to which its pages belong.',
    key: ['site'],
    fields: {
      ...scope,
      twitter_page:  text(2048)('null: has none', 'https://twitter.example/bob', { nullable: true, initially: 'null' }),
      facebook_page: text(2048)('null: has none', null, { nullable: true, initially: 'null' }),
      ...createdAt,
    },
  },
  keyword: {
    about: 'A phrase whose rankings are tracked.',
    key: ['site', 'competitor', 'phrase'],
    fields: {
      ...subject,
      phrase:        trimmed(200)('stored without white space around it', 'plumber chicago', { required: true }),
      search_volume: figure('searches per month; null: unknown', 1900, { nullable: true, initially: 'null' }),
      tags:          labels(1000, 50)('null: has none', 'city,money', { nullable: true, initially: 'null' }),
    },
  },
  snapshot: {
    about: 'The figures of a site or competitor on a day. A figure that is left out keeps its stored value.',
    key: ['site', 'competitor', 'day'],
    fields: {
      ...subject,
      day:                     day('the day of the measurement', '2026-11-14', { required: true }),
      download_time:           decimal(0, 1_000_000)('seconds', 0.35),
      pages_indexed_in_google: figure('', 1280),
      pages_indexed_in_bing:   figure('', 940),
      pages_indexed_in_yahoo:  figure('', null),
      domain_authority:        percent('null: has none', 41, { nullable: true, isAveraged: true }),
      backlink_count:          figure('', 312),
      domain_count:            figure('', 57),
      domain_age:              figure('days', 4120),
    },
  },
  backlink: {
    about: 'A link to a site or competitor, found on a day.',
    key: ['site', 'competitor', 'source_url', 'anchor_text'],
    fields: {
      ...subject,
      domain:           domain('the domain of the linking page', 'blog.example', { initially: 'the host of `source_url`' }),
      found_on:         day('', '2026-11-14', { required: true }),
      link_strength:    figure('', 5, { required: true, isAveraged: true }),
      source_url:       url('the page that links', 'https://blog.example/plumbers', { required: true }),
      domain_authority: percent('of the linking domain', 38, { required: true, isAveraged: true }),
      anchor_text:      text(10_000)('may be empty', 'good plumbers', { initially: 'empty' }),
    },
  },
  ranking: {
    about: 'The position of a keyword on one engine at one time, on one device and from one location if they are told.',
    key: ['site', 'competitor', 'phrase', 'search_engine', 'locale', 'device', 'location', 'ranked_at'],
    fields: {
      ...searched,
      locale:        name('a language-region tag', 'en-us', { required: true }),
      ...tracked,
      ranked_at:     incomingMoment('', '2026-11-14 04:05:06', { required: true }),
      rank:          rank('null: looked for and not found', 3, { required: true, nullable: true, isAveraged: true }),
      url:           url('the ranked page; null: none', 'https://example.com/', { nullable: true }),
    },
  },
  click_count: {
    about: 'How often a keyword was shown on an engine on a day, and how often that was clicked: without locale, device and location, the total of the day.',
    key: ['site', 'competitor', 'phrase', 'search_engine', 'locale', 'device', 'location', 'date'],
    fields: {
      ...placed,
      date:          day('', '2026-11-14', { required: true }),
      clicks:        figure('', 12, { required: true }),
      impressions:   figure('', 340, { required: true }),
    },
  },
  average_position: {
    about: 'The average position of a keyword on an engine on a day, with its fraction. It is no rank: reports do not have it.',
    key: ['site', 'competitor', 'phrase', 'search_engine', 'locale', 'device', 'location', 'date'],
    fields: {
      ...placed,
      date:             day('', '2026-11-14', { required: true }),
      average_position: decimal(1, 65_535)('', 7.4, { required: true, isCommon: true }),
    },
  },
  period: {
    about: 'Figures of a keyword over several days together. They stand beside those of days and are never added to them; reports do not have them.',
    key: ['site', 'competitor', 'phrase', 'search_engine', 'locale', 'device', 'location', 'start_date', 'end_date'],
    fields: {
      ...placed,
      start_date:       day('the first day', '2026-10-15', { required: true }),
      end_date:         day('the last day', '2026-11-14', { required: true }),
      clicks:           figure('', 120),
      impressions:      figure('', 3400),
      average_position: decimal(1, 65_535)('', 7.4, { isCommon: true }),
    },
  },
  own_figure: {
    about: "A number of the customer's own on a day: calls, leads, direction requests. The page of its site and the mails show it; no report does.",
    key: ['site', 'figure', 'unit', 'date'],
    fields: {
      ...scope,
      figure: line(1, 50)('what is counted', 'calls', { required: true }),
      unit:   line(0, 30)('in another unit it is another figure', 'calls a day', { initially: 'empty' }),
      date:   day('', '2026-11-14', { required: true }),
      value:  decimal(-1_000_000_000_000, 1_000_000_000_000)('', 37.5, { required: true, isCommon: true }),
      better: oneOf('up', 'down')('which way is good', 'up', { initially: '`up`' }),
    },
  },
  page: {
    about: "A page with reviews: of the site's location, or of a competitor.",
    key: ['site', 'competitor', 'source', 'page_url'],
    fields: {
      ...subject,
      source:           name('', 'google', { required: true }),
      page_url:         url('', 'https://maps.example/place/1', { required: true }),
      match_confidence: percent('', 90, { initially: '100' }),
      last_updated:     day('', '2026-11-14', { initially: 'today' }),
      ...createdAt,
    },
  },
  review: {
    about: 'A review on a page.',
    key: ['site', 'competitor', 'page_source', 'page_url', '`ref`, or else `date`, `user` and `detail`'],
    fields: {
      ...onPage,
      ref:             label(255)("the source's own id of the review", 'r-1001'),
      rating:          wholeNumber(1, 5)('', 4, { required: true, isAveraged: true }),
      date:            day('', '2026-11-14', { required: true }),
      business_name:   text(255)('', "Bob's Plumbing", { initially: "the business's name" }),
      sentiment_score: wholeNumber(-100, 100)('', 35, { initially: '0', isAveraged: true }),
      url:             urlOrEmpty('', null, { initially: '`page_url`' }),
      total:           figure("the reviewer's number of reviews", 12, { initially: '0' }),
      header:          text(10_000)('may be empty', 'Quick and clean', { initially: 'empty' }),
      detail:          text(100_000)('may be empty', 'They came within the hour.', { initially: 'empty' }),
      user:            text(255)('reviewer label; may be empty', 'A. Reader', { initially: 'empty' }),
      language:        label(35)('a language tag; null: unknown', 'en', { nullable: true, initially: 'null' }),
      answer:          text(10_000)('what the owner of the business answered; null: nothing', 'Thank you!', { nullable: true, initially: 'null' }),
      ...createdAt,
    },
  },
  review_count: {
    about: 'How many reviews a page got on a day, and the sum of their ratings.',
    key: ['site', 'competitor', 'page_source', 'page_url', 'source', 'date'],
    fields: {
      ...onPage,
      date:       day('', '2026-11-14', { required: true }),
      count:      figure('reviews dated that day', 3, { required: true }),
      rating_sum: figure('sum of their ratings', 12, { required: true }),
      ...createdAt,
    },
  },
} as const satisfies Record<string, Observation>

export interface Observation {
  readonly about: string
  readonly key: readonly string[]
  readonly fields: Readonly<Record<string, Incoming>>
}

export type ObservationKind = keyof typeof observations

/** In the order in which they are stored: a record comes before those that refer to it. */
export const observationKinds = Object.keys(observations) as ObservationKind[]

/** `rankings` and `ranking` name the same kind. */
export function observationKind(word: string): ObservationKind | undefined {
  return observationKinds.find((kind) => kind === word || plural(kind) === word)
}

export function plural(kind: ObservationKind): string {
  return `${kind}s`
}
