/** The conventions of all endpoints of the API, for people. */

import type { Block } from '../../lib/document.ts'

export const conventions: readonly Block[] = [
  { heading: 'The API', level: 1 },
  {
    text: 'Partners provision users, abilities and businesses, push measurements, and fetch reports. The same reference is at `/docs` of a running service, and as [OpenAPI 3.1](openapi) at `/openapi.json` (addresses in `.json`) and `/openapi-xml.json` (addresses in `.xml`).',
  },

  { heading: 'Authentication', level: 2 },
  {
    text: 'Every request uses HTTP Basic authentication: the partner key is the user name, and its password is the password. Tools that know only bearer tokens send `Authorization: Bearer KEY:PASSWORD` instead. A key has scopes, and each endpoint names the one it needs.',
  },
  {
    items: [
      '`provision`: users, abilities, businesses, accounts, sites. Key and password.',
      '`report`: reports. The key alone suffices (empty or missing password), unless the partner has switched that off.',
      '`read`: every GET that changes nothing, except of keys, staff, tokens and the export; for dashboards and assistants. Key and password. Users come without `crypted_password`, `salt` and what nothing uses any more, as they do from tools for agents.',
      '`ingest`: imports of measurements. Key and password.',
      '`login_link`: links that log a user in once. Key and password.',
      '`keys`: issuing keys with fewer scopes or accounts than this one. Key and password.',
      '`staff`: the staff of the partner. Key and password. Only the operator issues a key with it, and it is not limited to accounts.',
      '`events`: what happened, read by cursors. Key and password. A key that is limited to accounts reads of these alone.',
    ],
  },
  {
    text: 'A wrong password is refused everywhere. Keys are never read from URLs, and the API ignores cookies. Requests that change something are refused if the browser says that a page of another site sent them (CSRF).',
  },

  { heading: 'Formats', level: 2 },
  {
    text: 'The extension of the path selects the format of the answer (`/api/users.xml`, `/api/users.json`); without one the `Accept` header does; without that, a JSON body gets JSON and everything else gets XML. Bodies may be XML, JSON or a form (`application/x-www-form-urlencoded`, or `multipart/form-data` without files); XML or JSON that is labelled as a form, or not labelled, is recognised.',
  },
  {
    items: [
      'Fields are inside the root (`<user>`, `{"user":{}}`, `user[email]=`) or, in JSON and forms, without a root. Hyphens and underscores in names are the same. Unknown fields are ignored.',
      'XML is strict: UTF-8, no DOCTYPE, no custom entities, no processing instructions, at most 8 levels deep. Bodies are at most 64 KiB, abilities 256 KiB.',
      'In answers, typed values have a `type` attribute; null is `nil="true"`; strings have no type. JSON has the same structure, with underscores in names.',
      'Element names made from data (account ids, site ids, phrases, domains) are encoded by ISO/IEC 9075-14, with the exact value in the attribute `name`: `<_x0031_23 name="123">`. With `names=legacy` they are written like the legacy service wrote them.',
    ],
  },

  { heading: 'Times', level: 2 },
  {
    text: 'Reports are in UTC, and a day of a report begins at midnight in UTC. Times of users and businesses carry their offset: that of the time zone of the service (`TIME_ZONE`, UTC by default). The time zone of an account decides when its mails are sent and how its pages show times.',
  },

  { heading: 'Ids', level: 2 },
  {
    text: 'Ids are positive integers below 2^53. An id of another partner is answered like one that does not exist: with 404 in a path or a query, and as a fault of the field in a body.',
  },

  { heading: 'Lists and pagination', level: 2 },
  {
    text: 'Lists are ordered by id, with 100 records per page. The `Link` header has the address of the next page; the last page has none. Cursors are opaque.',
  },

  { heading: 'Repeats', level: 2 },
  {
    text: 'Every POST, PUT and DELETE accepts an `Idempotency-Key`: the same key with the same content within 72 hours gets the same bytes, and nothing is done twice (`Idempotency-Replayed: true`). With other content it is refused; while the first request is in progress, the second waits, and is refused with 409 and `Retry-After` if it waits too long.',
  },
  {
    text: 'With `dry_run=1` every write answers as if it were done, faults included, and changes nothing; the answer has the header `Dry-Run: true`, and ids in it are not assigned.',
  },

  { heading: 'Limits', level: 2 },
  {
    text: 'By default a partner may send 6,000 reads and 600 writes per minute, with all its keys together. `RateLimit` and `RateLimit-Policy` say what is left, and `Retry-After` of a refusal says how long to wait. 429 means that you send too much, 503 that the service is overloaded.',
  },

  { heading: 'Errors', level: 2 },
  { text: 'See [errors](errors) for the codes, both bodies, and the order in which faults are checked.' },
]
