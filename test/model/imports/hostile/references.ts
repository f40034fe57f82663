/** Records that refer to what is not there, or to more than one; and this service's own tables, spoiled by hand. */
import { rankingColumns, reviewCountColumns } from '../../../../src/resources/report-tables.ts'
import { type BrokenFile, header, row } from './broken-file.ts'

const known = { knownOnly: true } as const
const whole = { partner: true } as const
const page = 'page_url,source,date,count,rating_sum'
const own = Object.keys(rankingColumns).join(',')
const ownCounts = Object.keys(reviewCountColumns).join(',')

// biome-ignore format: a table reads by its columns
export const references: readonly BrokenFile[] = [
  ['a site that nobody has',                  `site,${header}\nnobody.example,${row}\n`,                       '2 site', /site does not exist within reach of this import/, { ...whole, ...known }],
  ['a site of two accounts',                  `site,${header}\nshared.example,${row}\n`,                       '2 site', /matches more than one within reach of this import: name the account/, whole],
  ['an account that nobody has',              `account,site,${header}\n999999,shared.example,${row}\n`,        '2 site', /does not exist within reach/, whole],
  ['an account that is no number',            `account,site,${header}\nfirst,shared.example,${row}\n`,         '2 account', /account must be an integer \(here: "first"\)/, whole],
  ['an account of 0',                         `account,site,${header}\n0,shared.example,${row}\n`,             '2 account', /account must be between 1/, whole],
  ['another site than the import is for',     `site,${header}\nshared.example,${row}\n`,                       '2 site', /does not exist within reach/],
  ['no site in a file of a whole partner',    `${header}\n${row}\n`,                                           '2 site', /site must be given/, whole],
  ['a competitor that nobody knows',          `competitor,${header}\nrival.example,${row}\n`,                  '2 competitor', /competitor does not exist/, known],
  ['a phrase that nobody knows',              `${header}\n${row}\n`,                                           '2 phrase', /phrase does not exist/, known],
  ['a page that nobody knows',                `${page}\nhttps://maps.example/1,google,2026-11-14,1,5\n`,       '2 page_url', /page_url does not exist/, known],
  ['running totals for counts of days',       `${page}\n${Array.from({ length: 9 }, (_, i) => `https://maps.example/1,google,2026-11-0${i + 1},${i + 3},${5 * i + 9}`).join('\n')}\n`, '', /never fall/],
  ['an own table with a cell too few',        `${own}\n1,2,example.com\n`,                                     '2', /3 instead of \d+/],
  ['an own table with a column renamed',      `${own.replace('rank', 'rnak')}\n1,2\n`,                         '1', /the header names no kind of record/],
  ['own counts with a cell too many',         `${ownCounts}\n${','.repeat(40)}\n`,                             '2', /41 instead of \d+/],
]
