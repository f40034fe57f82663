/** The guides: what one reads before the reference. */

import type { Block } from '../../../lib/document.ts'
import { setups } from '../code-samples.ts'
import { notShown } from './not-shown.ts'

export interface Guide {
  readonly title: string
  readonly about: string
  readonly blocks: () => readonly Block[]
}

const sh = (code: string): Block => ({ code, language: 'sh' })
const json = (code: string): Block => ({ code, language: 'json' })

export const guides: Readonly<Record<string, Guide>> = {
  'first-calls': {
    title: 'First five calls',
    about: 'From a key to a user who can log in and see a report.',
    blocks: () => [
      {
        text: 'You need the address of the service, a partner key and its password; the operator gives them to you, and `npm start` prints them. The samples on all pages stand below one of these:',
      },
      { samples: setups, name: 'setup' },
      { heading: '1. Which accounts do I manage?', level: 2 },
      sh('curl -u "$KEY:$PASSWORD" "$BASE/api/accounts.json"'),
      { text: 'Take an `id` from the answer; below it is 7. See [accounts](accounts).' },
      { heading: '2. Create a user', level: 2 },
      sh(`curl -u "$KEY:$PASSWORD" "$BASE/api/users.json" -H 'Idempotency-Key: dana-1' \\
  -d email=dana@example.com -d login=dana.scully -d password='correct horse' -d account_id=7`),
      {
        text: 'The answer is the user in state `passive`; the first login makes it `active`. Sent again with the same `Idempotency-Key`, it is answered with the same bytes and creates nothing. See [users](users).',
      },
      { heading: '3. Say what the user may see', level: 2 },
      sh(`curl -u "$KEY:$PASSWORD" -X PUT "$BASE/api/users/42/abilities.json" -H 'Content-Type: application/json' \\
  -d '{"abilities":[{"key":"show","scope_type":"Account","scope_id":7}]}'`),
      { heading: '4. Create a business', level: 2 },
      sh('curl -u "$KEY:$PASSWORD" "$BASE/api/businesses.json" -d name=Harbor -d account_id=7'),
      { heading: '5. Read a report', level: 2 },
      sh('curl -u "$KEY:" --compressed "$BASE/api/seo_report.json?account_id=7&start_date=2026-11-01"'),
      { text: 'The key alone suffices for reports. See [reports and filters](guides/reports).' },
    ],
  },
  abilities: {
    title: 'Abilities by example',
    about: 'Who sees what, and why.',
    blocks: () => [
      {
        text: 'An ability is `show` on an account, a business or a site. What is above reaches what is below: an ability on an account reaches its businesses and their sites, one on a business its sites.',
      },
      {
        table: {
          head: ['Dana should see', 'Give her'],
          rows: [
            ['everything of account 7', '`show` on `Account` 7, or make her the owner'],
            ['one business and all its sites', '`show` on `Business` 9'],
            ['two sites', '`show` on `Site` 45 and on `Site` 46'],
            ['nothing any more', 'the empty list, without a flag'],
          ],
        },
      },
      { text: 'The owner of an account sees it all without any ability, and that right is not listed.' },
      { heading: 'Replace, merge, remove', level: 2 },
      {
        text: 'Without a flag the submitted list replaces what is there. `?merge` adds, `?remove` takes away; both at once are refused. The answer is always the whole set that results.',
      },
      sh(`curl -u "$KEY:$PASSWORD" -X PUT "$BASE/api/users/42/abilities.json?merge" -H 'Content-Type: application/json' \\
  -d '{"abilities":[{"key":"show","scope_type":"Site","scope_id":45}]}'`),
      { text: 'It is all or nothing: one entry at fault, and nothing changes. The faults come with a pointer each:' },
      json(
        '{"code":"inclusion","field":"abilities","pointer":"/abilities/0/key","message":"Abilities (entry 1, key) is not included in the list"}',
      ),
    ],
  },
  'errors-and-retries': {
    title: 'Errors and retries',
    about: 'What to read of a refusal, and when to send again.',
    blocks: () => [
      {
        text: 'Read the status and the `code`; sentences are for people and may change. In JSON a refusal is `application/problem+json`, in XML `<errors>`. Every answer has an `X-Request-Id`: name it when you ask the operator.',
      },
      {
        table: {
          head: ['Status', 'Send again?'],
          rows: [
            ['400, 401, 403, 404, 406, 413, 415', 'no: the same request is refused in the same way'],
            ['409', 'when it has `Retry-After`: the first request with this Idempotency-Key is still at work'],
            ['422', 'after mending the fields that `details` names'],
            ['429', 'after `Retry-After`: you were too quick'],
            ['500, 502, 503, 504, no answer', 'after `Retry-After`, or after a delay that grows and is scattered'],
          ],
        },
      },
      { heading: 'Repeating without doing it twice', level: 2 },
      {
        text: 'Draw an `Idempotency-Key` for each thing that you create or change and keep it until you have an answer. A repetition with the same key and content is answered with the same bytes for 72 hours (`Idempotency-Replayed: true`); with other content it is refused. Pushed data needs none: records are known again by their natural keys.',
      },
      { text: 'The [TypeScript client](client) does all of this by itself. The codes are in the [catalogue](errors).' },
    ],
  },
  reports: {
    title: 'Reports and filters',
    about: 'What the reports hold, how they are narrowed, and how to ask again for little.',
    blocks: () => [
      {
        table: {
          head: ['Parameter', 'Effect'],
          rows: [
            ['`account_id`', 'only these accounts (SEO report)'],
            ['`site_id`', 'only these sites'],
            [
              '`start_date`, `end_date`',
              'inclusive days in UTC; either alone will do. Lists are filtered by their day; each single figure is the latest known on `end_date`',
            ],
            ['`names=legacy`', 'element names as old clients expect them (XML of the SEO report)'],
            ['`.csv` and `table`', '`rankings`, `backlinks` or `metrics` as a flat table'],
          ],
        },
      },
      {
        text: 'Nothing was measured: a figure is 0, `domain_authority` is null; CSV leaves it empty. A keyword that the days leave without entries stays, with an empty list.',
      },
      { heading: 'Ask again for little', level: 2 },
      {
        text: 'Keep the `ETag` and send it as `If-None-Match`: 304 when nothing has changed. Ask for compression (`zstd`, `br`, `gzip`); reports are streamed, so read them as they come.',
      },
      sh(`curl -u "$KEY:" --compressed -H 'If-None-Match: "..."' "$BASE/api/seo_report.xml?site_id=45&start_date=2026-11-01"`),
      { heading: 'Names made of data', level: 2 },
      {
        text: 'In the XML of the SEO report, elements are named by an id, a phrase or a domain. A name that XML does not allow is encoded, and the exact value stands in `name`: `<plumber_x0020_chicago type="array" name="plumber chicago">`. To decode a name, replace each `_x`, four or eight hex digits and `_` by that character, once, from left to right. JSON has the plain values as keys.',
      },
    ],
  },
  leaving: {
    title: 'Leaving another service',
    about: 'Bring reports that were saved elsewhere, and change the address.',
    blocks: () => [
      {
        items: [
          'Save the XML reports of the old service for all accounts and for the days that you want to keep.',
          'The operator imports them: `marquee import --partner NAME saved/*.xml` creates accounts, sites, keywords, rankings, backlinks and reviews, and can be repeated. See the page on importing in the project’s documentation.',
          'Create users and their abilities through the API; passwords cannot be brought along.',
          'Point your programs to the new address, with the new key and password. Paths, fields and their order are those of the interface.',
          'A client that reads element names as the first service of this kind wrote them asks for `names=legacy`, or the operator makes that the default of the partner.',
        ],
      },
      { text: 'What was measured since goes on through [observations](observations).' },
    ],
  },
  'not-shown': {
    title: 'What each “not shown” became',
    about: 'The interface leaves questions open. These are the answers.',
    blocks: () => notShown,
  },
}
