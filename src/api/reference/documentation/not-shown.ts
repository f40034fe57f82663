/** What the interface leaves open, and how it was decided. */

import type { Block } from '../../../lib/document.ts'

const answers: readonly (readonly [question: string, answer: string])[] = [
  [
    'Which format has an answer without an extension?',
    'The `Accept` header decides; without a usable one, JSON for a JSON body, else XML.',
  ],
  ['Which bodies are read?', 'XML, JSON and forms, independent of the extension; XML or JSON that is labelled as a form is recognised.'],
  [
    'Which form of authentication is mandatory?',
    'Key and password for everything; for reports the key alone, unless the partner has switched that off.',
  ],
  ['What is answered to a wrong key?', '401 with a challenge, the same bytes for unknown, revoked, expired and wrong.'],
  ['Another partner’s id?', 'It is answered like one that does not exist: 404 in a path, `does_not_exist` in a body.'],
  ['What does creating answer?', '201 with the record, and `Location`.'],
  ['When is an email or a login the same?', 'Both share one namespace across the service and are not case-sensitive.'],
  [
    'What can `crypted-password` and `salt` be used for?',
    'Nothing: they are always present, cannot be used to log in, and cannot be cracked without the server secret.',
  ],
  [
    'How do users change state?',
    '`passive` when created, `active` with the first login; suspended users cannot log in; deleted ones are 404.',
  ],
  ['What does updating abilities answer?', 'The complete resulting set. If one entry has a fault, nothing is changed.'],
  ['Deactivating twice?', '200 with the business unchanged; nothing is recorded. POST does the same as GET and is recommended.'],
  ['A report without `account_id`?', 'All managed accounts, also those without sites.'],
  ['Is the end date included?', 'Both dates are inclusive days in UTC, and either may be given alone.'],
  ['A figure that was never measured?', '0, and null for `domain_authority`; CSV leaves it empty.'],
  [
    'In which order are records listed?',
    'Accounts, sites and competitors by id, keywords by phrase, backlinks and reviews by day, rankings by time.',
  ],
  ['An element named `123`?', 'It is encoded, with the plain value in `name`; `names=legacy` writes it raw.'],
  ['How do errors look?', '`<errors>` with a code and a sentence each in XML, a problem document in JSON.'],
  ['Are there limits?', '6,000 reads and 600 writes per minute for a partner by default; `RateLimit` says what is left.'],
  [
    'What happens to a request that is sent twice?',
    'With an `Idempotency-Key` it is done once, and answered with the same bytes for 72 hours.',
  ],
  ['Will it change?', '`/api` is version 1: fields and endpoints are added, but not removed.'],
]

export const notShown: readonly Block[] = [
  { text: 'Each has a dated page with its reasons in `docs/decisions/` of the project.' },
  { table: { head: ['Open in the interface', 'Decided'], rows: answers } },
]
