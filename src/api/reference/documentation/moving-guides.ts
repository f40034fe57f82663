/** How data comes in from elsewhere, and how it leaves: the commands run as they are printed, which a test does. */

import type { Block } from '../../../lib/document.ts'

const sh = (code: string): Block => ({ code, language: 'sh' })

const credentials: Block = {
  text: '`$SERVICE_URL` is the address of the service, `$KEY` and `$PASSWORD` are a key and its password. The other commands are those of the operator, where the service runs; they call a partner by its name or its id.',
}

export const arriving: readonly Block[] = [
  credentials,
  { heading: 'From another installation', level: 2 },
  {
    text: '`$OLD_SERVICE_URL`, `$OLD_KEY` and `$OLD_PASSWORD` are those of the other installation; the key needs the scopes `provision` and `report` there. Save everything, and send it here with a key that has the scopes `ingest` and `provision`. The dry run tells what would be made, found and left out, in the `notices` of the intake; ask for the intake until its `state` is `checked`, then until it is `stored`.',
  },
  sh(`curl -fsS --compressed -u "$OLD_KEY:$OLD_PASSWORD" "$OLD_SERVICE_URL/api/export" > accounts.ndjson
curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: application/x-ndjson' --data-binary @accounts.ndjson "$SERVICE_URL/api/intakes.json?all=1&dry_run=1"
curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: application/x-ndjson' --data-binary @accounts.ndjson "$SERVICE_URL/api/intakes.json?all=1"
curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/intakes.json"`),
  {
    items: [
      'Accounts, businesses, sites and users get new ids; the notices say which account became which. Competitors, locations, pages and reviews are found by their domains and addresses, so nothing comes twice when the file is sent again.',
      'The partner account of the file becomes your partner account here, which keeps its name.',
      'Users come without passwords: send each a login link (`POST /api/users/{id}/login_link`), or let them ask for one.',
      'Recipients of mailed reports must confirm again: add them to their schedule anew. Delete the schedules in the old installation.',
      'Brands, host names, keys, share links and sessions do not come along; a login or email that somebody has here is left out and told.',
      'Undoing the intake takes back only what was measured.',
    ],
  },
  { heading: 'With the ids that your programs know', level: 2 },
  {
    text: 'Where programs have stored ids, the operator of the new installation imports the file for a partner that was just made. It is refused where one of the ids was ever used there; then leave out `--keep-ids`, and `--ids` writes a file of `kind,old,new`. Accounts, businesses, sites and users keep their ids, which are all that requests of the interface name. Competitors, locations, pages and reviews, whose ids stand in reputation reports only, get new ones: a program that stores reviews by those ids removes its copies and reads the reports once more.',
  },
  sh(`marquee partner create --name "Harbor Group"
marquee import accounts.ndjson --all --partner "Harbor Group" --keep-ids --dry-run
marquee import accounts.ndjson --all --partner "Harbor Group" --keep-ids`),
  { heading: 'From another service of this interface', level: 2 },
  {
    text: 'Save its reports for all accounts, in XML or JSON. Reports name sites by ids, and the counts report names competitors by ids too: write into a file what they are here. A competitor that is not in the file would be made a second time, under an invented domain, so name every one of them; `GET /api/sites/{id}/competitors` lists those that are here.',
  },
  { code: 'kind,old,new\nsite,456,harbor.example\ncompetitor,5,rival.example', language: 'csv', caption: '`map.csv`:' },
  sh(`curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/businesses.json" -d name=Harbor > business.json
curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/sites.json" -d domain=harbor.example -d business_id="$(sed 's/.*"id":\\([0-9]*\\).*/\\1/' business.json)"
MAP=$(grep -v '^kind,' map.csv | tr '\\n' ';')
curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: application/xml' --data-binary @seo_report.xml "$SERVICE_URL/api/intakes.json?map=$MAP&as_of=2026-10-31"
curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: application/xml' --data-binary @detail.xml "$SERVICE_URL/api/intakes.json?map=$MAP"
curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: application/xml' --data-binary @counts.xml "$SERVICE_URL/api/intakes.json?map=$MAP"`),
  {
    items: [
      'The map is remembered: later files need only what is new. At the command line it is `marquee import seo_report.xml --partner "Harbor Group" --map map.csv`.',
      'The figures of an SEO report have no date; `as_of` gives it.',
      'Create users and their abilities through the API; passwords cannot be imported.',
      'Point your programs to the new address. Paths, fields and their order are those of the interface; a client that needs the element names of the old service asks for `names=legacy`.',
    ],
  },
  { heading: 'From trackers and report tools', level: 2 },
  {
    text: 'Make the account, the business and the site, then send the files of the tool as they are: CSV, workbooks (.xlsx) and zip archives. `$SITE` is the id of the site. Many tools are recognised by their header; the intake says by which, and what is missing otherwise. Try first what would be stored.',
  },
  sh(`curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: text/csv' --data-binary @serpbear.csv "$SERVICE_URL/api/intakes.json?site_id=$SITE&set=locale=en-us&create_missing=1&dry_run=1"
curl -fsS -u "$KEY:$PASSWORD" -H 'Content-Type: text/csv' --data-binary @serpbear.csv "$SERVICE_URL/api/intakes.json?site_id=$SITE&set=locale=en-us&create_missing=1"
marquee import moz.csv --preset moz --site "$SITE" --create-missing`),
  { text: 'Send the next files in the same way: what is there already stays as it is.' },
]

export const leaving: readonly Block[] = [
  credentials,
  { heading: 'Everything, in one file', level: 2 },
  {
    text: 'A key with the scopes `provision` and `report` is enough. The file holds your accounts one after the other, each from one moment.',
  },
  sh(`curl -fsS --compressed -u "$KEY:$PASSWORD" "$SERVICE_URL/api/export" > accounts.ndjson`),
  { text: 'If the connection broke off, the last line of type `end` has the cursor after which the rest comes; it is appended.' },
  sh(`AFTER=$(grep '"type":"end"' accounts.ndjson | tail -n 1 | sed 's/.*"after":"\\([^"]*\\)".*/\\1/')
curl -fsS --compressed -u "$KEY:$PASSWORD" "$SERVICE_URL/api/export?after=$AFTER" >> accounts.ndjson`),
  {
    text: 'A single account or site is asked for with `account_id` or `site_id`. The operator writes the same file with the brands in it:',
  },
  sh('marquee export --all --partner "Harbor Group" > with-brands.ndjson'),
  { heading: 'Tables for people', level: 2 },
  sh(`for LIST in accounts users businesses sites; do curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/$LIST.csv" > $LIST.csv; done
for TABLE in rankings backlinks metrics; do curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/seo_report.csv?table=$TABLE" > $TABLE.csv; done
curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/accounts/$ACCOUNT/reputation_report/detail.csv" > reviews.csv
curl -fsS -u "$KEY:$PASSWORD" "$SERVICE_URL/api/accounts/$ACCOUNT/reputation_report/counts.csv" > review-counts.csv`),
  { heading: 'What you get, and what not', level: 2 },
  {
    table: {
      head: ['You get', 'You do not get'],
      rows: [
        ['accounts, businesses, sites with their ids, and your own ids of them', 'keys, sessions, share links: they are secrets'],
        ['users with logins, emails, states and abilities; owners', 'passwords: nobody has them, only what they are compared with'],
        ['keywords, rankings, clicks, backlinks, figures, competitors', 'brands, logos and host names, but in the file of the operator'],
        ['locations, pages, reviews and their counts, by address', 'the ids of locations, pages, reviews and competitors'],
        ['notes on charts, schedules of mailed reports with their recipients', 'intakes, saved mappings, usage and the audit log'],
      ],
    },
  },
  { heading: 'And then', level: 2 },
  {
    items: [
      '[Arriving](guides/arriving) says how the file comes into another installation. It is JSON, one object a line, so any other program can read it.',
      'Delete the schedules of mailed reports first, so that nobody gets two.',
      'The operator refuses all keys with `marquee partner suspend`, and erases people with `marquee subject erase`.',
    ],
  },
]
