/** Problems: every failure the service states, with its status and its sentences. One table feeds both error bodies, the pages and the documentation. */

import { type FailureCode, type FieldError, type FieldErrorCode, shownCharacter } from '../lib/failures.ts'

interface Problem {
  readonly status: number
  readonly title: string
  readonly sentence: string
}

// biome-ignore format: a table reads by its columns
export const problems = {
  validation_failed:      { status: 422, title: 'Validation failed',       sentence: 'The request breaks a rule' },
  malformed_body:         { status: 400, title: 'Malformed body',          sentence: 'The body cannot be read' },
  bad_request:            { status: 400, title: 'Bad request',             sentence: 'The request cannot be understood' },
  unauthorized:           { status: 401, title: 'Unauthorized',            sentence: 'A valid partner key and password are needed' },
  forbidden:              { status: 403, title: 'Forbidden',               sentence: 'This key may not do that' },
  not_found:              { status: 404, title: 'Not found',               sentence: 'There is nothing here' },
  method_not_allowed:     { status: 405, title: 'Method not allowed',      sentence: 'This address does not take that method' },
  not_acceptable:         { status: 406, title: 'Not acceptable',          sentence: 'This address answers in XML and JSON only' },
  conflict:               { status: 409, title: 'Conflict',                sentence: 'The same request is still being worked on' },
  gone:                   { status: 410, title: 'Gone',                    sentence: 'What was asked for is no longer kept' },
  precondition_failed:    { status: 412, title: 'Precondition failed',     sentence: 'It has changed since the answer whose ETag was sent in If-Match' },
  too_large:              { status: 413, title: 'Too large',               sentence: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type',  sentence: 'The body must be XML, JSON or a form' },
  expectation_failed:     { status: 417, title: 'Expectation failed',      sentence: 'The only expectation that can be met is 100-continue' },
  misdirected:            { status: 421, title: 'Misdirected request',     sentence: 'This host name is not served here' },
  idempotency_mismatch:   { status: 422, title: 'Idempotency key reused',  sentence: 'This Idempotency-Key was used for another request' },
  too_many_requests:      { status: 429, title: 'Too many requests',       sentence: 'This partner sends too many requests' },
  overloaded:             { status: 503, title: 'Overloaded',              sentence: 'The service is busy; try again shortly' },
  unavailable:            { status: 503, title: 'Unavailable',             sentence: 'The service cannot reach its data; try again shortly' },
  internal:               { status: 500, title: 'Internal error',          sentence: 'Something went wrong on our side' },
} as const satisfies Record<FailureCode, Problem>

/** The words after the field's name in a sentence; `{limit}` is the number of the rule. */
// biome-ignore format: a table reads by its columns
export const fieldErrorSentences = {
  blank:          "can't be blank",
  not_an_integer: 'must be an integer',
  too_short:      'is too short (minimum is {limit} characters)',
  too_long:       'is too long (maximum is {limit} characters)',
  invalid:        'is invalid',
  inclusion:      'is not included in the list',
  taken:          'has already been taken',
  does_not_exist: 'does not exist',
  too_many:       'has too many entries (maximum is {limit})',
  not_one_line:   'must be on one line',
} as const satisfies Record<FieldErrorCode, string>

/** Sentences for fields that can say what would be valid. */
const ownSentences: Readonly<Record<string, string>> = {
  'email invalid': 'should look like an email address',
  'domain invalid': 'must be a domain such as example.com',
  'day invalid': 'must be a date such as 2026-11-14',
  'page_url invalid': 'must be a URL such as https://maps.example/place/1',
  'recipients invalid': 'must be email addresses, separated by commas',
  'site_ids invalid': 'must be ids, separated by commas and not more than 200',
  'account_ids invalid': 'must be ids, separated by commas and not more than 200',
  'password too_long': 'is too long (maximum is {limit} bytes)',
  'logo too_long': 'is too long (maximum is {limit} bytes)',
}

/** `has already been taken`: the sentence without the field's name. */
export function fieldErrorSentence(fault: FieldError): string {
  const { code, limit, range, words, unheld } = fault
  if (unheld !== undefined) return `${where(fault)}has the character ${shownCharacter(unheld)}, which the database cannot hold`
  if (range !== undefined) return `${where(fault)}must be from ${range[0]} to ${range[1]}`
  const sentence = ownSentences[`${fieldWithin(fault) ?? fault.field} ${code}`] ?? fieldErrorSentences[code]
  return where(fault) + sentence.replace('{limit}', String(limit)) + (words === undefined ? '' : `: ${words.join(', ')}`)
}

/** `Account does not exist`: old clients assign a sentence to the field whose human name it begins with. */
export function fullSentence(fault: FieldError): string {
  return `${humanName(fault.field)} ${fieldErrorSentence(fault)}`
}

/** Replaces underscores by spaces, capitalizes the first letter, and drops a trailing `_id`, except in `external_id`, which refers to no other record. */
export function humanName(field: string): string {
  if (field === 'external_id') return field
  const words = field.replace(/_id$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Names the entry of a list: `/abilities/2/scope_id` reads `(entry 3, scope_id) `. */
function where(fault: FieldError): string {
  const [, , index] = fault.pointer?.split('/') ?? []
  const part = fieldWithin(fault)
  if (index === undefined) return ''
  return part === undefined ? `(entry ${Number(index) + 1}) ` : `(entry ${Number(index) + 1}, ${part}) `
}

/** The field within the entry of a list. */
function fieldWithin({ pointer }: FieldError): string | undefined {
  return pointer?.split('/')[3]
}
