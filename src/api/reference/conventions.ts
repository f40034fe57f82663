/** The conventions of all endpoints of the API, for people. */

import type { Block } from '../../lib/document.ts'

export const conventions: readonly Block[] = [
  { heading: 'The API', level: 1 },
  {
    text: 'Partners provision users, abilities and businesses, push what they measured, and fetch reports. The same reference is at `/docs` of a running service, and as [OpenAPI 3.1](openapi) at `/openapi.json` (addresses in `.json`) and `/openapi-xml.json` (addresses in `.xml`).',
  },

  { heading: 'Authentication', level: 2 },
  {
    text: 'HTTP Basic, on every request: the partner key is the user name, its password the password. A key has scopes, and each endpoint names the one it needs.',
  },
  {
    items: [
      '`provision`: users, abilities, businesses, accounts, sites. Key and password.',
      '`report`: reports. The key alone suffices (empty or missing password), unless the partner has switched that off.',
      '`ingest`: measured data in. Key and password.',
      '`login_link`: links that let a user in once. Key and password.',
      '`keys`: keys with fewer scopes or accounts than this one. Key and password.',
    ],
  },
  {
    text: 'A wrong password is refused everywhere. Keys are never read from addresses, and a cookie never opens the API. Requests that change something are refused when a browser says that a page of another site sent them.',
  },

  { heading: 'Formats', level: 2 },
  {
    text: 'The extension of the path decides (`/api/users.xml`, `/api/users.json`); without one the `Accept` header does; without that JSON is answered in JSON and everything else in XML. Bodies may be XML, JSON or a form (`application/x-www-form-urlencoded`, or `multipart/form-data` without files); XML or JSON that is labelled a form, or not at all, is recognised.',
  },
  {
    items: [
      'Fields stand under the root (`<user>`, `{"user":{}}`, `user[email]=`) or, in JSON and forms, flat. Hyphens and underscores are the same name. What is not known is ignored.',
      'XML is strict: UTF-8, no DOCTYPE, no entities of its own, no processing instructions, at most 8 levels deep. Bodies are at most 64 KiB, abilities 256 KiB.',
      'In answers typed values carry `type`; null is `nil="true"`; strings have no type. JSON is the same tree with underscored keys.',
      'Element names taken from data (account ids, site ids, phrases, domains) are encoded as ISO/IEC 9075-14 has it, and carry the exact value in `name`: `<_x0031_23 name="123">`. With `names=legacy` they are written as the first service of this kind wrote them.',
    ],
  },

  { heading: 'Ids', level: 2 },
  {
    text: 'Ids are positive integers below 2^53. Another partner’s id is answered like one that nobody has: 404 in a path or a query, a fault of the field in a body.',
  },

  { heading: 'Lists', level: 2 },
  { text: 'Lists come by id, 100 at a time. The `Link` header leads to the next page; there is none on the last. Cursors are opaque.' },

  { heading: 'Repeats', level: 2 },
  {
    text: 'Every POST and PUT, but for data that is pushed, takes an `Idempotency-Key`: the same key with the same content within 72 hours is answered with the same bytes and does nothing twice (`Idempotency-Replayed: true`). With other content it is refused; while the first is still at work, the second waits.',
  },
  {
    text: 'With `dry_run=1` every write answers as if it were done, faults included, and changes nothing; the answer carries `Dry-Run: true`, and ids in it are not to be.',
  },

  { heading: 'Limits', level: 2 },
  {
    text: 'A partner may ask 6,000 reads and 600 writes a minute, over all its keys, unless told otherwise; `RateLimit` and `RateLimit-Policy` say what is left, and a refusal says in `Retry-After` how long to wait. 429 is about you, 503 about us.',
  },

  { heading: 'Errors', level: 2 },
  { text: 'See [errors](errors) for the codes, both bodies, and the order in which faults are told.' },
]
