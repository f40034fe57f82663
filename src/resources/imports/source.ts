/** Source: from where figures are fetched by the service itself, for one account or for all of a partner. */

import { boolean, datetime, float, integer, list, type RecordOf, type RequestOf, string } from '../../fields/shape.ts'

const sourceKinds = ['site'] as const

const sourceRhythms = ['daily', 'weekly', 'monthly'] as const
export type SourceRhythm = (typeof sourceRhythms)[number]

const sourceStates = ['active', 'resting'] as const

/** Why a source rests, in words. */
export const restingReasons = {
  asked: 'It was put to rest.',
  maker: 'Whoever made it may no longer do so: start it to take it over.',
  restored: 'The database was restored from a backup: start it if no other installation goes on with it.',
  moved: 'The database was moved: start it if the other one goes on no more.',
} as const

// biome-ignore format: a table reads by its columns
export const dataSource = {
  id:          integer('assigned by the service'),
  account_id:  integer('the account for whose sites it fetches; null where it is for all of the partner', { nullable: true }),
  kind:        string('what it fetches: `site` measures the sites themselves', { oneOf: sourceKinds }),
  rhythm:      string('how often, at a minute of its own for each site, in the time zone of the account', { oneOf: sourceRhythms }),
  state:       string('a resting source fetches nothing', { oneOf: sourceStates }),
  reason:      string('why it rests', { nullable: true }),
  sites:       integer('sites that it has found'),
  failing:     integer('those of them whose last run failed'),
  last_run_at: datetime('', { nullable: true }),
  next_run_at: datetime('', { nullable: true }),
  created_at:  datetime(),
  updated_at:  datetime(),
}

export type DataSource = RecordOf<typeof dataSource>

// biome-ignore format: a table reads by its columns
export const newSource = {
  kind:       string('what it fetches', { required: true, oneOf: sourceKinds }),
  account_id: integer('only for the sites of this account; without it for all of the partner, now and later'),
  rhythm:     string('how often; `daily` when it is left out', { oneOf: sourceRhythms }),
}

export type WantedSource = RequestOf<typeof newSource>

// biome-ignore format: a table reads by its columns
export const changedSource = {
  rhythm: string('how often', { oneOf: sourceRhythms }),
  state:  string('`active` starts it and makes it yours, `resting` stops it', { oneOf: sourceStates }),
}

export type SourceChange = RequestOf<typeof changedSource>

// biome-ignore format: a table reads by its columns
const foundFigure = {
  name:  string('`download_time`, `status`, `certificate_days`, `sitemap_addresses` or `domain_age`'),
  value: float('seconds, a status, days, addresses'),
}

// biome-ignore format: a table reads by its columns
export const sourceSite = {
  id:            integer('for the cursor of the list'),
  site_id:       integer(),
  account_id:    integer(),
  domain:        string(),
  is_running:    boolean(),
  ran_at:        datetime('when the last run ended', { nullable: true }),
  came_at:       datetime('when something came last', { nullable: true }),
  next_at:       datetime('when it is due'),
  failing_since: datetime('', { nullable: true }),
  reason:        string('what the last run could not get, and why', { nullable: true }),
  intake_id:     integer('the intake of the last run that brought something, by which it is undone', { nullable: true }),
  figures:       list('found_figure', foundFigure),
}

export type SourceSite = RecordOf<typeof sourceSite>
