/** The page on importing: prose by hand, examples and tables from the field tables of each kind of record. */
import type { Incoming } from '../src/fields/incoming.ts'
import type { Block } from '../src/lib/document.ts'
import { csvTemplate } from '../src/model/imports/csv/csv.ts'
import { importPresets } from '../src/resources/import-preset.ts'
import { type ObservationKind, observationKinds, observations, plural } from '../src/resources/observation.ts'

export function importing(): Block[] {
  return [
    ...opening,
    ...formats,
    ...foreign(),
    ...faults,
    ...undoing,
    ...moving,
    ...leaving,
    ...pushing,
    { heading: 'Kinds of record', level: 2 },
    ...observationKinds.flatMap(kindBlocks),
  ]
}

const opening: readonly Block[] = [
  { heading: 'Importing', level: 1 },
  {
    text: 'Reports are made of what is taken in: sites with their figures, links, keywords and rankings, the same of their competitors, and pages with their reviews. Data comes in by file at the command line, by push over HTTP, or from reports that another service has written.',
  },
  {
    language: 'sh',
    code: `marquee import rankings.ndjson --partner 3
marquee import rankings.csv.gz reviews.ndjson --account 5 --create-missing
zcat yesterday.gz | marquee import - --site 9 --dry-run
marquee export --account 5 --kind rankings,backlinks > account-5.ndjson`,
  },
  {
    text: 'Say what the data is for: `--partner`, `--account` or `--site`. A record names its site by the domain; a domain that two sites within reach have is refused until the record names its `account`, or the import is for that account. Nothing outside of what the import is for can be read or changed.',
  },
  {
    items: [
      'Sending a record again changes nothing; sending it with other figures updates it. What makes two records the same is told with each kind below.',
      'A field that is left out stays as it is known. `null` is taken only where it says something: a `rank` that was looked for and not found, a site without `domain_authority`, a location without a page. A measurement that failed is left out, never sent as 0.',
      'Of two records with one key the later wins, field by field.',
      'An unknown site, competitor, keyword or page is a fault, unless `--create-missing` says to create it. A `competitor`, `keyword` or `page` record creates what it names by itself.',
      'Text is kept exactly as it came. Domains are kept in lower case and punycode, phrases without blanks around them, times in UTC and whole seconds.',
      'Of two times of creation the earlier one stays.',
      'The first page of a site or of a competitor makes the location of the site.',
    ],
  },
]

const formats: readonly Block[] = [
  { heading: 'Formats', level: 2 },
  { text: 'NDJSON is one JSON object a line, records of all kinds mixed as they come:' },
  { language: 'json', code: observationKinds.map((kind) => JSON.stringify(exampleOf(kind))).join('\n') },
  {
    text: 'CSV is one kind of record a file, told by its header row: every column is a field of that kind, in any order, case and spacing (`Search Engine` is `search_engine`). An empty cell is a field left out; the word `null` is null where null is taken; a time may be a day alone, which is its first moment. `marquee import --template rankings` prints a file to fill in, `--template` alone lists the kinds:',
  },
  { language: 'csv', code: csvTemplate('ranking') },
  {
    text: 'A number may be written with an exponent (`1E-05`), as spreadsheets do. A line of NDJSON and a row of CSV may have 1 MiB.',
  },
  {
    text: 'Either may be compressed with gzip. A dash reads standard input. `marquee export` writes NDJSON that imports again to the same content.',
  },
  {
    text: "The flat tables of this service's own reports (`seo_report.csv?table=metrics`, `rankings` and `backlinks`, `reputation_report/detail.csv` and `counts.csv`) are known by their header and import again, too, here or elsewhere: sites, competitors and pages go by their names. With `--partner` the column `account_id` says the account; with `--account` it is not read. The `'` before a cell that a spreadsheet would run is taken away again.",
  },
]

function foreign(): readonly Block[] {
  const rows = Object.entries(importPresets).map(([name, { says, kind, needs }]) => [
    `\`${name}\``,
    says,
    plural(kind),
    `\`${needs}\``,
    `\`docs/samples/${name}.csv\``,
  ])
  return [
    { heading: "Other tools' files", level: 2 },
    {
      text: 'A CSV file of another tool is taken as it is. The delimiter (comma, semicolon, tab, bar, or told by a line `sep=;`) and the encoding (UTF-8, UTF-16) are found; `--encoding windows-1252` says the one that cannot be. Columns that are no field are left out and listed. A preset knows the columns of a tool, what is true of all rows, and what its markers mean:',
    },
    {
      language: 'sh',
      code: 'marquee import se-ranking.csv --preset se-ranking --site 9 --set search_engine=Google --set locale=en-us --create-missing',
    },
    { table: { head: ['Preset', 'What it reads', 'Records', 'Add', 'File'], rows } },
    { text: 'Any other file is told column by column; `--save-mapping` keeps that for the partner, and `--mapping` uses it again:' },
    {
      language: 'sh',
      code: `marquee import positions.csv --site 9 --kind rankings --columns "Suchbegriff=phrase,Platz=rank,Datum=ranked_at" \\
  --set search_engine=Google --set locale=de-de --date-format dd.mm.yyyy --not-found "-,>100" --save-mapping positions
marquee import positions-december.csv --site 9 --mapping positions`,
    },
    {
      items: [
        '`--unpivot rank`: a column for each day, named by its date, holds this field; an empty cell there was not measured.',
        '`--date 2026-11-14` is the day of every row, where the file has none. `--date-format` has `yyyy`, `mm` and `dd` (`m`, `d`, `mmm`, `yy`) in any order.',
        '`--decimal ,` reads 7,4 and 1.234,5; without it a number has a point and no groups.',
        '`--not-found` names what stands for "looked for and not found". A marker that nobody explained is a fault and never becomes 0 or "not found".',
        'What a tool writes into the line of a rank is taken with it: the page that ranks (`url`), the search volume and tags of the keyword, its clicks and impressions. They stand in `export`, on the pages of a site and in their CSV files; the reports of the interface have no place for them.',
        'An average such as 7.4 is refused as a rank until `--round` says to round it.',
        'Zip archives, Excel workbooks, PDF documents and saved web pages are refused with what to do instead. A file without a record is a failure unless `--allow-empty` says that it is meant.',
      ],
    },
  ]
}

const faults: readonly Block[] = [
  { heading: 'What happens on faults', level: 2 },
  {
    text: 'Everything is checked first. If a single line is at fault, nothing is stored: the first hundred faults are printed with their line and field, and the command ends with 1. When all is good the records are stored in batches. Killed on the way, an import is finished by running it again: what is there already is found unchanged. The summary counts by kind what was created, updated and unchanged. `--dry-run` only checks, and tells what would be created, updated and unchanged by kind, the first changes before and after, and which sites, keywords and pages would be new, with the known site that a new name is much like; it reads a snapshot, never waits for a writer, and makes none wait.',
  },
  {
    language: 'text',
    code: 'rankings.csv line 7: rank must be between 1 and 65535 (here: 0)\nrankings.csv line 9: phrase does not exist within reach of this import',
  },
]

const undoing: readonly Block[] = [
  { heading: 'Taking it back', level: 2 },
  {
    text: 'Every import and push is recorded as an intake: who, when, from which file (with its SHA-256), with which mapping, and what it did by kind. An intake can be undone for `MARQUEE_KEEP_INTAKES_DAYS` (30) days.',
  },
  { language: 'sh', code: 'marquee intake list --partner 3\nmarquee intake show 41\nmarquee intake undo 41' },
  {
    text: 'Undo works record by record: what the intake created goes, what it changed becomes what it was before. A record that something else has changed since is left alone and listed; later records, also of the same month, stay. Sites, keywords and pages that the intake created go only when nothing hangs on them by then. An undo that was interrupted is finished by asking for it again. People who were erased never come back.',
  },
]

const moving: readonly Block[] = [
  { heading: 'Moving whole accounts', level: 2 },
  {
    text: 'An export with `--all` holds whatever makes an account: businesses, sites, users and owners, abilities, brand, notes, mail schedules, external ids, the time zone, and everything that was measured. It imports into another partner, here or in another installation, which gives everything ids of its own:',
  },
  { language: 'sh', code: 'marquee export --all --partner 1 > accounts.ndjson\nmarquee import accounts.ndjson --all --partner 2' },
  {
    items: [
      'It is one stream of lines, of one moment, and of any length: both commands need little memory. `| gzip` makes it small, and import reads it so.',
      '`--dry-run` tells what the import would create, find and leave out, and stores nothing.',
      '`--account 5` exports one account alone; imported with `--account`, it goes into an account that is there.',
      'In the export of a whole partner the partner account becomes that of the partner it is imported for.',
      'Users come without a password: `marquee user login-link` or a forgotten-password mail lets each in. Keys, sessions and share links do not go along, because they are secrets.',
      'A login or email is unique in an installation: users whose names are taken are listed and left out, with their abilities. So are external ids and host names that are taken, and brands where there is one already.',
      'Who and what an account is made of is stored record by record, then what was measured is checked as a whole and stored as an intake. Killed on the way, or after a fault, the import is run again: it remembers what each id has become and finds it.',
      'Mail schedules know the last period that was mailed. Once both installations run, both send: delete the schedules in the old one.',
    ],
  },
]

const leaving: readonly Block[] = [
  { heading: 'Leaving another service', level: 2 },
  {
    text: 'A service that speaks this interface can be left by saving its reports, SEO and reputation, in XML or JSON, and importing the files. Names of elements may be encoded or literal: `<123>` and `<plumber-chicago>`, which no XML parser takes, are read here. In literal names hyphens stand for blanks; `--keep-hyphens` reads them as hyphens.',
  },
  {
    language: 'sh',
    code: `marquee import seo_report.xml detail.xml counts.xml --account 5 --as-of 2026-10-31 --map map.csv`,
  },
  {
    items: [
      'The figures of an SEO report carry no date: `--as-of` gives it (today unless told). A figure of 0 is taken as not measured, because that is what reports write for it; only the authority has a null of its own there, so its 0 is taken.',
      'Sites have ids in reports, and competitors in the counts report: `--map` says what they are here, one `kind,old,new` a line, where `new` is a domain or an id of this service.',
      'With `--create-missing` a site that is not in the map is created as `site-456.imported.invalid`, a competitor as `competitor-5.imported.invalid`, and the map is printed.',
      'The map is remembered for the partner: later files need only what is new. The id of a review is kept as its `ref`.',
      'Review counts are those of single days. Where another service kept running totals, `--counts-are-totals` takes each total less the one before it; the first total of a page only begins the counting, so send the last one again with the next file. An import whose counts never fall is refused until `--counts-are-totals` or `--counts-are-daily` says what they are.',
      'A report in JSON may have 64 MiB; larger ones are read as XML.',
    ],
  },
  {
    language: 'csv',
    caption: 'A map:',
    code: 'kind,old,new\nsite,456,example.com\nsite,457,12\ncompetitor,5,rival.example\naccount,123,7',
  },
]

const pushing: readonly Block[] = [
  { heading: 'Push', level: 2 },
  {
    text: '`POST /api/observations` takes a JSON array, NDJSON or CSV (`text/csv`, with the options of the command as parameters: `preset=serpbear&set=locale=en-us,site=example.com`), gzip allowed, up to 16 MiB after decompression (and a hundredfold), with a key that has the scope `ingest`. Each record is stored or refused by itself; with `?atomic=1` all are stored or none, in one transaction. 200: all stored; 207: some; 422: none. The answer counts them and lists the first hundred refusals by index (blank lines are not counted) and field; `also_created` counts what the records needed and nobody had sent, such as the location of a page. A push can be repeated without harm. `create_missing=1` creates what records refer to, `dry_run=1` only checks.',
  },
  {
    language: 'sh',
    code: `curl -u "$KEY:$PASSWORD" -H 'Content-Type: application/x-ndjson' --data-binary @today.ndjson https://marquee.example/api/observations.json`,
  },
  { heading: 'Large files over HTTP', level: 2 },
  {
    text: '`POST /api/intakes` takes a file of NDJSON, a JSON array or CSV, gzip or not, up to `MARQUEE_MAX_UPLOAD` (1 GiB), with the same options as parameters, `account_id` or `site_id` where it is for one of them, and `mapping` for options that were kept. It answers 202 with an intake once the file is on the disk; the file is then stored in the background, one of a partner after the other, as an import at the command line is: a single line at fault, and nothing is stored. `GET /api/intakes/{id}` tells how far it has come (`state`, `bytes_read` of `bytes`, `lines`, `stored`), what it did by kind, and the first hundred faults.',
  },
  {
    language: 'sh',
    code: `curl -u "$KEY:$PASSWORD" -H 'Content-Type: text/csv' --data-binary @rankings.csv.gz \\
  "https://marquee.example/api/intakes.json?preset=serpbear&site_id=9&set=locale=en-us"
curl -u "$KEY:$PASSWORD" https://marquee.example/api/intakes/41.json
curl -u "$KEY:$PASSWORD" -X POST https://marquee.example/api/intakes/41/undo.json`,
  },
  {
    items: [
      'The time a file takes does not matter as long as it makes progress: at least 240 KiB in 30 seconds. Compressed, it may unfold a hundredfold, and to ten times `MARQUEE_MAX_UPLOAD`.',
      'A restart of the service changes nothing: the work is taken up again, after a crash within a minute. Ten files of a partner may wait.',
      '`DELETE /api/intakes/{id}` cancels what has not ended; what was stored by then is taken back. What has ended can be undone.',
      'A file is deleted when it is done with. `interrupted` says that it was lost before, with the disk of the host that held it: send it again.',
    ],
  },
]

function kindBlocks(kind: ObservationKind): Block[] {
  const { about, key, fields } = observations[kind]
  const rows = Object.entries<Incoming>(fields).map(([name, field]) => [`\`${name}\``, typeOf(field), whenAbsent(field), field.note])
  return [
    { heading: plural(kind), level: 3 },
    { text: `${about} The same record: same ${key.map(named).join(', ')}.` },
    { table: { head: ['Field', 'Type', 'When left out', 'Note'], rows } },
  ]
}

function typeOf({ type, nullable }: Incoming): string {
  return nullable ? `${type}, or null` : type
}

function whenAbsent({ required, initially }: Incoming): string {
  return required ? 'refused' : initially === undefined ? '' : `${initially} when new`
}

function named(field: string): string {
  return field.includes('`') ? field : `\`${field}\``
}

function exampleOf(kind: ObservationKind): Record<string, unknown> {
  const fields = Object.entries<Incoming>(observations[kind].fields).filter(([name, { example }]) => name !== 'account' && example !== null)
  return { type: kind, ...Object.fromEntries(fields.map(([name, { example }]) => [name, example])) }
}
