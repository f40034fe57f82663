/** The guides, to be read before the reference. */

import type { Block } from '../../../lib/document.ts'
import { environment } from '../code-samples.ts'
import { arriving, leaving } from './moving-guides.ts'
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
        text: 'You need the address of the service, a partner key and its password; the operator gives them to you, and `npm start` prints them. Every sample of these pages is a program of its own that finds them in the environment:',
      },
      sh(environment.code),
      { heading: '1. Which accounts do I manage?', level: 2 },
      sh('curl -u "$KEY:$PASSWORD" "$SERVICE_URL/api/accounts.json"'),
      { text: 'Take an `id` from the answer; below it is 3. See [accounts](accounts).' },
      { heading: '2. Create a user', level: 2 },
      sh(`curl -u "$KEY:$PASSWORD" "$SERVICE_URL/api/users.json" -H 'Idempotency-Key: dana-1' \\
  -d email=dana@example.com -d login=dana.scully -d password='correct horse' -d account_id=3`),
      {
        text: 'The answer is the user in state `passive`; the first login makes it `active`. Sent again with the same `Idempotency-Key`, the request gets the same bytes and creates nothing. See [users](users).',
      },
      { heading: '3. Set what the user may see', level: 2 },
      sh(`curl -u "$KEY:$PASSWORD" -X PUT "$SERVICE_URL/api/users/3/abilities.json" -H 'Content-Type: application/json' \\
  -d '{"abilities":[{"key":"show","scope_type":"Account","scope_id":3}]}'`),
      { heading: '4. Create a business', level: 2 },
      sh('curl -u "$KEY:$PASSWORD" "$SERVICE_URL/api/businesses.json" -d name=Harbor -d account_id=3'),
      { heading: '5. Read a report', level: 2 },
      sh('curl -u "$KEY:" --compressed "$SERVICE_URL/api/seo_report.json?account_id=3&start_date=2026-11-01"'),
      { text: 'The key alone is enough for reports. See [reports and filters](guides/reports).' },
    ],
  },
  abilities: {
    title: 'Abilities by example',
    about: 'Who sees what, and why.',
    blocks: () => [
      {
        text: 'An ability is `show` on an account, a business or a site. Abilities are inherited: an ability on an account includes its businesses and their sites, and one on a business includes its sites.',
      },
      {
        table: {
          head: ['Dana should see', 'Give her'],
          rows: [
            ['everything of account 3', '`show` on `Account` 3, or make her the owner'],
            ['one business and all its sites', '`show` on `Business` 1'],
            ['two sites', '`show` on `Site` 1 and on `Site` 2'],
            ['nothing any more', 'the empty list, without a flag'],
          ],
        },
      },
      { text: 'The owner of an account sees everything of it without any ability; this permission is not listed.' },
      { heading: 'Replace, merge, remove', level: 2 },
      {
        text: 'Without a flag the submitted list replaces the existing abilities. `?merge` adds, `?remove` removes; both together are refused. The answer is always the complete resulting set.',
      },
      sh(`curl -u "$KEY:$PASSWORD" -X PUT "$SERVICE_URL/api/users/3/abilities.json?merge" -H 'Content-Type: application/json' \\
  -d '{"abilities":[{"key":"show","scope_type":"Site","scope_id":1}]}'`),
      { text: 'If one entry has a fault, nothing is changed. Each fault has a pointer to its entry:' },
      json(
        '{"code":"inclusion","field":"abilities","pointer":"/abilities/0/key","message":"Abilities (entry 1, key) is not included in the list"}',
      ),
    ],
  },
  'errors-and-retries': {
    title: 'Errors and retries',
    about: 'How to read a refusal, and when to send a request again.',
    blocks: () => [
      {
        text: 'Use the status and the `code`; sentences are for people and may change. In JSON a refusal is `application/problem+json`, in XML `<errors>`. Every answer has an `X-Request-Id`: give it to the operator if you have a question.',
      },
      {
        table: {
          head: ['Status', 'Send again?'],
          rows: [
            ['400, 401, 403, 404, 406, 413, 415', 'no: the same request is refused in the same way'],
            ['409', 'if it has `Retry-After`: the first request with this Idempotency-Key is still in progress'],
            ['422', 'after correcting the fields that `details` names'],
            ['429', 'after `Retry-After`: you sent too many requests'],
            ['500, 502, 503, 504, no answer', 'after `Retry-After`, or with exponential backoff and jitter'],
          ],
        },
      },
      { heading: 'Repeating without doing it twice', level: 2 },
      {
        text: 'Choose a new `Idempotency-Key` for each record that you create or change, and keep it until you have an answer. For 72 hours, a repetition with the same key and content gets the same bytes (`Idempotency-Replayed: true`); with other content it is refused. Pushed data can do without, because records are identified by their natural keys; with a key, a repetition also gets the counts of the first time.',
      },
      { text: 'The [TypeScript client](client) does all of this by itself. The codes are in the [catalogue](errors).' },
    ],
  },
  reports: {
    title: 'Reports and filters',
    about: 'What the reports contain, how to filter them, and how to repeat a request cheaply.',
    blocks: () => [
      {
        table: {
          head: ['Parameter', 'Effect'],
          rows: [
            ['`account_id`', 'only these accounts (SEO report)'],
            ['`site_id`', 'only these sites'],
            [
              '`start_date`, `end_date`',
              'inclusive days in UTC; either may be given alone. Lists are filtered by day; each figure is the latest known on `end_date`',
            ],
            ['`names=legacy`', 'element names as old clients expect them (XML of the SEO report)'],
            ['`.csv` and `table`', '`rankings`, `backlinks` or `metrics` as a flat table'],
          ],
        },
      },
      {
        text: 'A figure that was never measured is 0, and `domain_authority` is null; CSV leaves both empty. A keyword without rankings in the given days is listed with an empty list.',
      },
      { heading: 'Conditional requests', level: 2 },
      {
        text: 'Keep the `ETag` and send it as `If-None-Match`: the answer is 304 if nothing has changed. Ask for compression (`zstd`, `br`, `gzip`). Reports are streamed, so process them while they arrive.',
      },
      sh(`curl -u "$KEY:" --compressed -H 'If-None-Match: "..."' "$SERVICE_URL/api/seo_report.xml?site_id=1&start_date=2026-11-01"`),
      { heading: 'Names made from data', level: 2 },
      {
        text: 'In the XML of the SEO report, elements are named by an id, a phrase or a domain. A name that XML does not allow is encoded, and the attribute `name` has the exact value: `<plumber_x0020_chicago type="array" name="plumber chicago">`. To decode a name, replace each `_x`, four or eight hex digits and `_` by that character, once, from left to right. JSON has the plain values as keys.',
      },
    ],
  },
  arriving: {
    title: 'Arriving',
    about: 'From another installation, from another service, and from the trackers and report tools of today.',
    blocks: () => arriving,
  },
  leaving: {
    title: 'Leaving',
    about: 'Everything that is yours, in one file and in tables; what is in it, and what is not.',
    blocks: () => leaving,
  },
  'not-shown': {
    title: 'Answers to each “not shown”',
    about: 'The interface leaves questions open. These are the answers.',
    blocks: () => notShown,
  },
}
