/** The query parameters of every endpoint, in groups, as the table of endpoints names them. */

import { textKinds } from '../lib/text-kinds.ts'
import { scopeTypes } from '../resources/ability.ts'
import { importPresets } from '../resources/imports/import-presets.ts'
import { mostFileNameCharacters } from '../resources/intake.ts'
import { parameter, requiredParameter } from './query.ts'

const { text, shortText, line, id, day, flag, idList, oneOf, wholeNumber } = textKinds

const mostIds = 200

const ownName = shortText(255)

/** For the creation of a record. */
export const ownId = { external_id: parameter(ownName, 'your own id for the new record, unique among your records of this kind') }

export const calledSo = { external_id: requiredParameter(ownName, 'your own id of the business') }

const externalFilter = { external_id: parameter(text, 'only the record with this id of your own') }

export const inPages = { after: parameter(text, 'cursor from the `Link` of the page before') }

// biome-ignore format: a table reads by its columns
export const userFilters = {
  ...inPages,
  login:      parameter(text, 'only the user with this login'),
  email:      parameter(text, 'only the user with this email'),
  account_id: parameter(id, 'only users of this account'),
  ...externalFilter,
  state:      parameter(oneOf('passive', 'active', 'suspended'), 'only users in this state'),
}

export const inCharge = { colleague: parameter(text, 'login or email of somebody of your staff, who looks after the customer') }

export const deletionFlags = { confirm: parameter(text, 'what a dry run of this deletion gave') }

export const accountFilters = { ...inPages, ...externalFilter }

// biome-ignore format: a table reads by its columns
export const businessFilters = {
  ...inPages,
  account_id: parameter(id, 'only businesses of this account'),
  ...externalFilter,
}

// biome-ignore format: a table reads by its columns
export const siteFilters = {
  ...inPages,
  account_id:  parameter(id, 'only sites of this account'),
  business_id: parameter(id, 'only sites of this business'),
  domain:      parameter(text, 'only sites with this domain'),
  ...externalFilter,
}

// biome-ignore format: a table reads by its columns
export const locationFilters = {
  ...inPages,
  account_id: parameter(id, 'only locations of sites of this account'),
  site_id:    parameter(id, 'only the location of this site'),
}

export const successor = { successor_id: parameter(id, 'the colleague who takes over customers and links; needed if there are any') }

// biome-ignore format: a table reads by its columns
export const reviewFilters = {
  ...inPages,
  start_date: parameter(day, 'first day, YYYY-MM-DD'),
  end_date:   parameter(day, 'last day, YYYY-MM-DD'),
}

// biome-ignore format: a table reads by its columns
export const annotationFilters = {
  ...inPages,
  site_id:    parameter(id, 'only annotations of this site'),
  start_date: parameter(day, 'first day, YYYY-MM-DD'),
  end_date:   parameter(day, 'last day, YYYY-MM-DD'),
}

export const suppressionFilters = { ...inPages, email: parameter(shortText(254), 'only this address') }

export const linkFilters = { ...inPages, site_id: parameter(id, 'only links to this site') }

// biome-ignore format: a table reads by its columns
export const usageSpan = {
  start_date: parameter(day, 'first day, YYYY-MM-DD; by default, 31 days before the last'),
  end_date:   parameter(day, 'last day, YYYY-MM-DD; by default, today'),
}

// biome-ignore format: a table reads by its columns
export const eventFilters = {
  after:      parameter(text, 'cursor from the answer before; without it, from the oldest event that is kept'),
  types:      parameter(text, 'only these types, separated by commas: `user.*,key.revoked`'),
  account_id: parameter(id, 'only events of this account'),
  wait:       parameter(wholeNumber(0, 20), 'seconds to wait where there is nothing to read yet'),
}

export const dryRunFlag = { dry_run: parameter(flag, 'answer as if it were done, and change nothing') }

// biome-ignore format: a table reads by its columns
export const abilityFlags = {
  merge:      parameter(flag, 'add the listed abilities to the existing ones'),
  remove:     parameter(flag, 'remove the listed abilities'),
}

export const bulkFlags = { atomic: parameter(flag, 'do all or none, in one transaction') }

// biome-ignore format: a table reads by its columns
export const accessQuestion = {
  scope_type: requiredParameter(oneOf(...scopeTypes), '`Account`, `Business` or `Site`'),
  scope_id:   requiredParameter(id, 'id of the account, business or site'),
}

// biome-ignore format: a table reads by its columns
export const reputationFilters = {
  start_date: parameter(day, 'first day, YYYY-MM-DD'),
  end_date:   parameter(day, 'last day, YYYY-MM-DD'),
  site_id:    parameter(idList(mostIds), 'only these sites: an id, or up to 200 separated by commas'),
}

// biome-ignore format: a table reads by its columns
export const exportScope = {
  after:      parameter(text, 'cursor of the last account that came whole, from its line of type `end`'),
  account_id: parameter(id, 'only this account'),
  site_id:    parameter(id, 'only this site, with its business'),
}

// biome-ignore format: a table reads by its columns
export const seoFilters = {
  account_id: parameter(idList(mostIds), 'only these accounts: an id, or up to 200 separated by commas'),
  ...reputationFilters,
  names:      parameter(oneOf('encoded', 'legacy'), '`encoded` or `legacy`: how XML element names made from data are written'),
  series:     parameter(oneOf('one', 'all'), '`one` or `all`: one series of rankings for each keyword, engine and locale, or each device and location as an engine of its own'),
  device:     parameter(text, 'only rankings on this device; empty: only those without a device'),
  location:   parameter(text, 'only rankings from this location; empty: only those without a location'),
  table:      parameter(oneOf('rankings', 'backlinks', 'metrics'), 'CSV only: `rankings`, `backlinks` or `metrics`'),
}

// biome-ignore format: a table reads by its columns
const csvWords = {
  kind:           parameter(text, 'CSV: the kind of record, if the header does not tell it: `rankings`'),
  preset:         parameter(oneOf(...Object.keys(importPresets)), 'CSV: the tool whose export it is'),
  columns:        parameter(text, 'CSV: which column is which field: `Keyword=phrase,Position=rank`'),
  set:            parameter(text, 'CSV: values of every row: `search_engine=Google,locale=en-us`, or of those of a source: `page_url[source=yelp]=https://yelp.example/biz/bob`'),
  date:           parameter(day, 'CSV: the day of every row, if the file has no date column'),
  date_format:    parameter(text, 'CSV: how dates are written: `dd.mm.yyyy`'),
  decimal:        parameter(oneOf('.', ','), 'CSV: the decimal separator; the other character separates thousands'),
  not_found:      parameter(text, 'CSV: markers for "looked for and not found": `-,>100`; an empty one means an empty cell'),
  words:          parameter(text, 'CSV: what words of a field mean: `rating:Recommended=5,rating:Not recommended=1`'),
  strip:          parameter(text, 'CSV: what is cut off the beginning of numbers and domains: `www.,+`'),
  skip_lines:     parameter(text, 'CSV and workbooks: how many lines stand above the header, where it is not found'),
  sheet:          parameter(text, 'workbooks: the sheet, where several could be read'),
  unpivot:        parameter(text, 'CSV: the field whose values are in columns named by dates: `rank`'),
  round:          parameter(flag, 'CSV: round averages to whole numbers'),
  as_rank:        parameter(flag, 'CSV: store the average positions of a tool as ranks, rounded'),
  period:         parameter(text, 'CSV: the days of which every row has the totals: `2026-10-15..2026-11-11`'),
  devices:        parameter(flag, 'CSV: store the device and location of every rank by name'),
  plain_device:   parameter(text, 'CSV: the device whose ranks are stored as those without a device'),
  plain_location: parameter(text, 'CSV: the location whose ranks are stored as those without a location'),
  language:       parameter(text, 'CSV: the language of the locale, where the file names only the country; by default `en`'),
}

// biome-ignore format: a table reads by its columns
export const pushFlags = {
  atomic:         parameter(flag, 'store all or none, in one transaction'),
  create_missing: parameter(flag, 'create the sites, competitors, keywords and pages that records refer to'),
  dry_run:        parameter(flag, 'check only, and store nothing'),
  ...csvWords,
}

export const mappingFilter = { mapping_name: parameter(text, 'only the mapping of this name') }

export const namedMapping = { mapping_name: requiredParameter(shortText(255), 'the name of the mapping') }

export const undoFlags = {
  with_people: parameter(
    flag,
    'take what people have hung on its records, too; it needs the scope `provision`, and a dry run with it since the last change',
  ),
  despite_later: parameter(
    flag,
    'of an earlier version: undo it although later ones may have delivered the same records, and take those too',
  ),
}

// biome-ignore format: a table reads by its columns
export const uploadOptions = {
  account_id:     parameter(id, 'the account that the file is for; by default, all accounts'),
  site_id:        parameter(id, 'the site that the file is for'),
  file_name:      parameter(line(mostFileNameCharacters), 'your name for the file'),
  create_missing: parameter(flag, 'create the sites, competitors, keywords and pages that records refer to'),
  dry_run:        parameter(flag, 'check only, and store nothing'),
  last_wins:      parameter(flag, 'of two lines with the same key and other figures take the later one, instead of refusing both'),
  skip_refused:   parameter(flag, 'store the good lines although others are refused'),
  counts:         parameter(oneOf('daily', 'totals'), 'whether review counts are daily counts or running totals; without it, counts that never fall are refused'),
  encoding:       parameter(oneOf('windows-1252'), 'the text is not Unicode'),
  mapping:        parameter(text, 'CSV: the name of a saved mapping'),
  all:            parameter(flag, 'the file is an export of whole accounts; it needs the scope `provision` too, and a key that is not limited to accounts'),
  as_of:          parameter(day, 'saved reports: the day of the figures; by default, today'),
  keep_hyphens:   parameter(flag, 'saved reports with literal names: keep the hyphens of phrases, which otherwise become spaces'),
  map:            parameter(text, 'saved reports: what ids are here: `site,456,example.com;competitor,5,rival.example`'),
  ...csvWords,
}
