/** `/docs/importing`, and the same page beside the sources: prose by hand, examples and tables from the field tables of each kind of record. */
import type { Block } from '../../../lib/document.ts'
import { csvTemplate } from '../../../model/imports/csv/csv.ts'
import { importPresets } from '../../../resources/imports/import-presets.ts'
import { observationKinds, plural } from '../../../resources/observation.ts'
import { exampleOf, kindBlocks } from './importing-kinds.ts'

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
    text: 'Reports are made from imported data: sites with their figures, links, keywords and rankings, the same for their competitors, and pages with their reviews. Data is imported from files at the command line, pushed over HTTP, or read from saved reports of another service.',
  },
  {
    language: 'sh',
    code: `marquee import rankings.ndjson --partner 3
marquee import rankings.csv.gz reviews.ndjson --account 5 --create-missing
zcat yesterday.gz | marquee import - --site 9 --dry-run
marquee export --account 5 --kind rankings,backlinks > account-5.ndjson`,
  },
  {
    text: 'Name the target of the import: `--partner`, `--account` or `--site`. A record names its site by the domain. If two sites of the target have the same domain, the record must name its `account`, or the import must be for that account. Nothing outside of the target can be read or changed.',
  },
  {
    items: [
      'Sending a record again changes nothing; sending it with other figures updates it. Each kind below says which fields identify a record.',
      'A field that is left out keeps its stored value. `null` is accepted only where it has a meaning: a `rank` that was looked for and not found, a site without `domain_authority`, a location without a page. Leave out a measurement that failed; never send it as 0.',
      'Two lines of an import with the same key and other figures are a fault, and none of them is stored, unless `--last-wins` takes the later one; a field that one of them leaves out contradicts nothing. In a push the later record wins, field by field. What the line of a rank says of its keyword (search volume, tags) may differ from line to line: the last is taken.',
      'An unknown site, competitor, keyword or page is a fault, unless `--create-missing` allows its creation. A `competitor`, `keyword` or `page` record creates what it names in any case.',
      'Text is stored exactly as it is sent. Domains are stored in lower case and punycode, phrases without white space around them, times in UTC and whole seconds.',
      'Of two creation times the earlier one is kept.',
      'The first page of a site or of a competitor creates the location of the site.',
    ],
  },
]

const formats: readonly Block[] = [
  { heading: 'Formats', level: 2 },
  { text: 'NDJSON has one JSON object per line; records of all kinds may be mixed:' },
  { language: 'json', code: observationKinds.map((kind) => JSON.stringify(exampleOf(kind))).join('\n') },
  {
    text: 'A CSV file has one kind of record, which is detected from its header row: every column is a field of that kind, in any order, case and spacing (`Search Engine` is `search_engine`). An empty cell is a field left out; the word `null` is null if the field allows it; a time may be a day, which means the start of that day. `marquee import --template rankings` prints a file to fill in, `--template` alone lists the kinds:',
  },
  { language: 'csv', code: csvTemplate('ranking') },
  {
    text: 'A number may be written with an exponent (`1E-05`), as spreadsheets do. A line of NDJSON or a row of CSV may have up to 1 MiB.',
  },
  {
    text: 'A workbook (.xlsx) is read like a CSV file: days and numbers as they are stored, whatever their format, formulas by their stored value, to 1,048,576 rows. The sheet is the one that can be read as records; where there are several, `--sheet` names it. A zip archive may hold files of all these formats: those that can be read are, and the others are listed. A JSON array, or NDJSON, of objects without a `type` is read like a table whose columns are their members (`reviewer.displayName`), and so is a page of reviews of the Business Profile API, as Takeout writes it too.',
  },
  {
    text: 'Each may be compressed with gzip. A dash as the file name reads standard input. `marquee export` writes NDJSON that can be imported again with the same content.',
  },
  {
    text: "The flat tables of this service's own reports (`seo_report.csv?table=metrics`, `rankings` and `backlinks`, `reputation_report/detail.csv` and `counts.csv`) are recognised by their header and can be imported again, here or elsewhere: sites, competitors and pages are found by their names. With `--partner` the column `account_id` names the account; with `--account` it is ignored. The `'` before a cell that a spreadsheet would run as a formula is removed.",
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
      text: 'CSV files of other tools can be imported unchanged. The delimiter (comma, semicolon, tab, bar, or given by a line `sep=;`) and the encoding (UTF-8, UTF-16) are detected; `--encoding windows-1252` names the one that cannot be detected. The header is found below up to 40 rows that a tool writes above it (`--skip-lines` for more). Unknown columns are skipped and listed. A file whose header only one tool writes is read with the preset of that tool, which the output names; where something is missing, the fault says what. A preset knows the columns of a tool, the values that apply to all rows, and the meaning of its markers:',
    },
    {
      language: 'sh',
      code: 'marquee import se-ranking.csv --preset se-ranking --site 9 --set search_engine=Google --set locale=en-us --create-missing',
    },
    { table: { head: ['Preset', 'What it reads', 'Records', 'Add', 'File'], rows } },
    {
      text: 'The presets are written after what the tools document, with sample files of our own; none was tried on a genuine download. Where a tool says something else, name the columns, as below: a told column beats the preset.',
    },
    {
      text: 'For any other file, map the columns yourself; `--save-mapping` saves the mapping for the partner with every option that reads the file, `--mapping` uses it again, and `marquee mapping` lists, shows, renames and deletes what is saved:',
    },
    {
      language: 'sh',
      code: `marquee import positions.csv --site 9 --kind rankings --columns "Suchbegriff=phrase,Platz=rank,Datum=ranked_at" \\
  --set search_engine=Google --set locale=de-de --date-format dd.mm.yyyy --not-found "-,>100" --save-mapping positions
marquee import positions-december.csv --site 9 --mapping positions
marquee mapping list --partner 3
marquee mapping rename positions --partner 3 --to weekly`,
    },
    {
      items: [
        'Columns that are told add to those whose names are fields already. A misspelt column is named with the nearest of the file.',
        'Columns of days (`2026-11-14`, `Rank (2026-11-14)`, `..._20261114`, `Nov 14, 2026`) hold the rank of that day, and with `landing` or `url` in their name its page; `--unpivot` names another field. Columns named `Google` or `Bing` hold the rank of that engine; any others are told as `--columns "Column=rank[search_engine=Naver]"`. An empty cell means not measured.',
        'Reviews of several directories in one file make a page for each: `--set "page_url[source=google]=https://maps.example/place/1" --set "page_url[source=yelp]=https://yelp.example/biz/bob"` says which address belongs to which; a line of a directory that none names is refused. `--set page_url=...` gives all of them one address. The link of a review, the answer of the owner and the language are kept where the file has them.',
        '`--date 2026-11-14` is the day of every row, if the file has no date column. `--date-format` has `yyyy`, `mm` and `dd` (`m`, `d`, `mmm`, `yy`) in any order.',
        '`--decimal ,` reads 7,4 and 1.234,5; without it, a number has a decimal point and no thousands separators.',
        '`--not-found` names the markers for "looked for and not found". An unknown marker is a fault; it never becomes 0 or "not found".',
        'A position in the map pack is a ranking of an engine of its own: `"search_engine":"Google local pack"`, beside `Google` for the same phrase and day. It is in reports and on pages like any other engine, and is never mixed with the organic position. Of an engine, `device` and `location` tell where a rank was looked for: each is a series of its own. In a table, the plain device and location of the ranks are stored as empty, so that a series of before goes on: those that `--plain-device` and `--plain-location` name, else those that the first such file of the site, engine and locale had (its only device, or desktop; its only location), which are remembered. All others are stored by name; `--devices` stores all so, and the import says what it does. Clicks keep their device, and without device and location they are the total of the day. A column of countries gives the locale, with the language of a column, of `--language`, or `en`: `US` is `en-us`; `--set locale` holds for files of one country.',
        "Numbers of the customer's own (calls, leads, direction requests) are `own_figure` records. They come in and go out by every way, and can be undone; reports of the interface never contain them, and pages do not show them yet.",
        'An average position of a day (`average_position`) keeps its fraction and is no rank; the figures of several days together are a `period`, which is never added to days. Reports of the interface have neither.',
        'Further data in the line of a rank is imported too: the ranked page (`url`), the search volume and tags of the keyword, its clicks and impressions. They are in `export`, on the pages of a site and in their CSV files; the reports of the interface do not contain them.',
        'The positions of Search Console are averages and stay averages. `--as-rank` makes ranks of them, rounded; a command or saved mapping with `--round` goes on to do so, and is told. Totals without days are figures of a period: `--period 2026-10-15..2026-11-11` says which, or the zip archive or workbook does by its filters or its table of days; `--date` where they are those of one day.',
        'An average such as 7.4 is refused as a rank unless `--round` is given, which rounds ranks, ratings, strengths and authorities, and nothing else. `1.280` may be a thousand or an average: it is refused until `--decimal` says which.',
        'Days with the year first or with the month as a word (`Nov 14, 2026`), times with AM and PM, `#3`, `★★★★☆`, `4/5` and `https://` before a domain are read as they are. `--words "rating:Recommended=5"` says what a word means, `--strip "www.,+"` what is cut off the beginning of numbers and domains, `--not-found ""` that an empty rank means not found.',
        'A fault quotes what stood in the file, and what it was read as where that differs.',
        'Old Excel workbooks (.xls), LibreOffice sheets, PDF documents and saved web pages are refused with a sentence that says what to do instead. A file without records is a failure unless `--allow-empty` is given.',
      ],
    },
  ]
}

const faults: readonly Block[] = [
  { heading: 'What happens on faults', level: 2 },
  {
    text: 'Everything is checked first. If a single line has a fault, nothing is stored: the first hundred faults are printed with their line and field, and the exit code is 1. Reading ends early where none of the first 1,000 lines is good, or once 100,000 lines have a fault; a last line says so. Otherwise the records are stored in batches. An import that was killed is completed by running it again: records that are already stored count as unchanged. The summary counts by kind what was created, updated and unchanged. `--dry-run` only checks, and shows what would be created, updated and unchanged by kind, the first changes before and after, and which sites, keywords and pages would be new, with a known site of a similar name; it reads a snapshot, never waits for a writer, and never blocks one. `--skip-refused again.csv` stores the good lines all the same, and writes the others to that file as they stood, with a column `why`; correct them and import that file. Lines with doubled keys are among the others (not of standard input, which cannot be read again: then nothing is stored, as with more than 100,000 of them). A file that cannot be read to its end is never stored in part. A site that nobody knows is told with the one that it may mean.',
  },
  {
    language: 'text',
    code: 'rankings.csv line 7: rank must be between 1 and 65535 (here: 0)\nrankings.csv line 9: phrase does not exist within reach of this import',
  },
]

const undoing: readonly Block[] = [
  { heading: 'Undoing an import', level: 2 },
  {
    text: 'Every import and push is recorded as an intake: who, when, from which file (with its SHA-256), with which mapping, and what it did by kind. An intake can be undone for `MARQUEE_KEEP_INTAKES_DAYS` (30) days.',
  },
  { language: 'sh', code: 'marquee intake list --partner 3\nmarquee intake show 41\nmarquee intake undo 41' },
  {
    text: 'Undo works record by record: it deletes what the intake created, and restores what it changed. Records that were changed since are left alone and listed; later records, even of the same month, stay. Sites, competitors, keywords and pages that the intake created are deleted only if nothing else hangs on them. What people add holds a site, too: a note, a share link, an ability, a schedule that names it, an id of your own. An interrupted undo is completed by running it again. Erased people are never restored.',
  },
  {
    text: 'An intake is compared with what is stored, not with what came later: what a later intake delivered as well, without changing it, would go with it. So an undo is refused while a later intake of the same account, or of all accounts, that has not been undone may have delivered records of a kind that this one changed; the refusal names the last five. Undo the last one first. A file that waits or is being stored counts as well, and so does an intake that is still being undone; of two that were stored at the same time each counts as the later one. With `--despite-later` (at `/api/intakes/{id}/undo`, `despite_later=1`) it is undone all the same.',
  },
]

const moving: readonly Block[] = [
  { heading: 'Moving whole accounts', level: 2 },
  {
    text: 'An export with `--all` contains everything of an account: businesses, sites, users and owners, abilities, brand, notes, mail schedules, external ids, the time zone, and all measurements. It can be imported for another partner, here or in another installation, where everything gets new ids unless `--keep-ids` is given:',
  },
  { language: 'sh', code: 'marquee export --all --partner 1 > accounts.ndjson\nmarquee import accounts.ndjson --all --partner 2' },
  {
    items: [
      'It is one stream of lines of any length, from one snapshot: both commands need little memory. It can be compressed with `| gzip`, and imported compressed.',
      '`--dry-run` shows what the import would create, find and leave out, and stores nothing.',
      '`--account 5` exports a single account; import it with `--account` to add it to an existing account.',
      'If a whole partner is exported, its partner account becomes the partner account of the partner it is imported for. That account keeps its name, time zone and times; the output says so.',
      '`--keep-ids` gives accounts, businesses, sites and users the ids that they had, for clients that have stored them. It is for a partner that was just created, whose own account gives way to that of the export. If one of the ids was ever used here, all are refused and nothing is stored. Everything that is made later gets ids above. Competitors, locations, pages and reviews get new ids in any case.',
      '`--ids ids.csv` writes which id became which, one `kind,old,new` a line; that file may also be given as `--map`.',
      'Users are exported without their passwords; `marquee user login-link` or a forgotten-password mail lets them log in. Keys, sessions and share links are not exported, because they are secrets.',
      'A login or email is unique in an installation: users whose names are taken are listed and left out, with their abilities. So are external ids and host names that are taken, and brands if there already is one.',
      'First the records of the account are stored one by one, then the measurements are checked as a whole and stored as an intake. After an interruption or a fault, run the import again: it has stored the new id of each record and finds it.',
      'Mail schedules include the last period that was mailed. If both installations run, both send mail: delete the schedules in the old one.',
    ],
  },
]

const leaving: readonly Block[] = [
  { heading: 'Migrating from another service', level: 2 },
  {
    text: '[Arriving](guides/arriving) goes through it step by step. To migrate from a service with the same interface, save its SEO and reputation reports in XML or JSON, and import the files. Element names may be encoded or literal: `<123>` and `<plumber-chicago>`, which no XML parser accepts, are read here. In literal names hyphens stand for spaces; `--keep-hyphens` keeps them.',
  },
  {
    language: 'sh',
    code: `marquee import seo_report.xml detail.xml counts.xml --account 5 --as-of 2026-10-31 --map map.csv`,
  },
  {
    items: [
      'The figures of an SEO report have no date: `--as-of` gives it (today by default). A figure of 0 is taken as not measured, because reports write 0 for that; only an authority of 0 is imported, because reports write null for an unknown one.',
      'Sites have ids in reports, and competitors in the counts report: `--map` maps them to records here, with one `kind,old,new` per line, where `new` is a domain or an id of this service.',
      'With `--create-missing` a site that is not in the map is created as `site-456.imported.invalid`, a competitor as `competitor-5.imported.invalid`, and the map is printed. A competitor of a site whose competitors are known by their domains is not created so, because it would come twice: name it in the map.',
      'The map is stored for the partner, so later files need only what is new. The id of a review becomes its `ref`.',
      'Review counts are counts of single days. If another service has running totals, `--counts-are-totals` subtracts from each total the one before it; the first total of a page only starts the counting, so send the last one again with the next file. An import whose counts never fall, and rise four times or more on some page, is refused unless `--counts-are-totals` or `--counts-are-daily` is given.',
      'A report in JSON may have up to 64 MiB; save larger ones as XML.',
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
    text: '`POST /api/observations` takes a JSON array, NDJSON or CSV (`text/csv`, with the options of the command as parameters: `preset=serpbear&set=locale=en-us,site=example.com`), optionally compressed with gzip, up to 16 MiB after decompression (and at most a hundred times the compressed size), with a key that has the scope `ingest`. Each record is stored or refused by itself; with `?atomic=1` all are stored or none, in one transaction. 200: all stored; 207: some; 422: none. The answer counts them and lists the first hundred refusals by index (blank lines are not counted) and field; `also_created` counts records that had to be created in addition, such as the location of a page. A push can be repeated without harm. `create_missing=1` creates what records refer to, `dry_run=1` only checks.',
  },
  {
    language: 'sh',
    code: `curl -u "$KEY:$PASSWORD" -H 'Content-Type: application/x-ndjson' --data-binary @today.ndjson https://marquee.example/api/observations.json`,
  },
  { heading: 'Large files over HTTP', level: 2 },
  {
    text: '`POST /api/intakes` takes a file of NDJSON, a JSON array, CSV, a workbook (.xlsx) or a zip archive of these, or a saved report in XML or JSON (with `as_of`, `keep_hyphens` and `map=site,456,example.com;competitor,5,rival.example`), compressed with gzip or not, up to `MARQUEE_MAX_UPLOAD` (1 GiB), with the same options as parameters, `account_id` or `site_id` for a single target, and `mapping` for a saved mapping. It answers 202 with an intake once the file is on disk. The file is then imported in the background, the files of a partner one after the other, like at the command line: if a single line has a fault, nothing is stored (unless `skip_refused=1` stores the others; `GET /api/intakes/{id}/refused.csv` then gives the refused ones back as they stood, with a column `why`), and a file without a good line is not read to its end. `GET /api/intakes/{id}` shows the progress (`state`, `bytes_read` of `bytes`, `lines`, `stored`), what it did by kind, the first hundred faults, and, where no tool was told, the one that the file looks like (`recognised_as`, `looks_like`), which is in the answer to the upload already.',
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
      'An upload may take any time as long as it makes progress: at least 240 KiB in 30 seconds. A compressed file may decompress to a hundred times its size, and to ten times `MARQUEE_MAX_UPLOAD`.',
      'The work continues after a restart of the service, and within a minute after a crash. Ten files of a partner may wait.',
      'With `all=1` it takes an export of whole accounts, from `GET /api/export` or `marquee export --all`, with a key that has the scopes `ingest` and `provision` and is not limited to accounts. Everything gets new ids, which the notices of the intake tell. Brands and host names are not read, recipients of mail schedules must confirm, and what breaks a rule of the API is left out and listed. Undoing such an intake takes back only what was measured.',
      '`DELETE /api/intakes/{id}` cancels an intake that has not ended, and undoes what it has stored. An intake that has ended can be undone.',
      'A file that cannot be stored because of an outage is tried again for an hour and keeps its place. Then it is `parked`, with its `reason`: what was stored of it is taken back, later files go on, and it never goes on by itself, because a later file may have corrected it. `POST /api/intakes/{id}/release` (`marquee intake release ID`) gives it its turn and says what was stored since; `DELETE` cancels it, and after thirty days it is cancelled by itself. It counts none of the files that may wait. The metric `marquee_parked_intakes` counts them by reason.',
      'A file is deleted after use. `interrupted` means that the file was lost with the disk of its host: send it again.',
    ],
  },
]
