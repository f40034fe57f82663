/** The catalogue of errors: for each code what brings it about and what helps. */

import type { FailureCode, FieldErrorCode } from '../../lib/failures.ts'

interface Advice {
  readonly cause: string
  readonly cure: string
}

// biome-ignore format: a table reads by its columns
export const errorAdvice: Readonly<Record<FailureCode, Advice>> = {
  validation_failed:      { cause: 'The body could be read, but a field breaks a rule; `details` names each field with a code.', cure: 'Mend the fields and send it again. Nothing was changed.' },
  malformed_body:         { cause: 'The body is not well-formed XML, JSON or form data, has another root than expected, or gives a field twice.', cure: 'The sentence says where: line and column for XML and JSON. Check the Content-Type too.' },
  bad_request:            { cause: 'A query parameter, a header or a flag cannot be understood, or is not known here.', cure: 'The sentence names the parameter, what it must be, and the nearest name that is known.' },
  unauthorized:           { cause: 'The key is missing, unknown, expired or revoked, the password is wrong, or it is missing where it is needed.', cure: 'Send both with HTTP Basic. Only reports can be read with the key alone.' },
  forbidden:              { cause: 'The key lacks the scope of this endpoint, or a browser says that a page of another site sent the request.', cure: 'Ask the operator for a key with the scope that the sentence names; call the API from a server.' },
  not_found:              { cause: 'Nobody has this id, it belongs to another partner, or there is no such address.', cure: 'Take ids from the lists. A deleted user is not found any more.' },
  method_not_allowed:     { cause: 'The address exists, but does not take this method.', cure: '`Allow` lists the methods it takes.' },
  not_acceptable:         { cause: 'The extension or the `Accept` header asks for a format that this address does not write.', cure: 'Ask for `.json` or `.xml`; reports also for `.csv`.' },
  conflict:               { cause: 'The record is in a state that forbids this, or another request with the same Idempotency-Key is still at work.', cure: 'Read the sentence. With `Retry-After`, wait and repeat.' },
  precondition_failed:    { cause: 'What you want to change has changed since you read it: its `ETag` is not the one in `If-Match`.', cure: 'Read it again, decide again, and send the change with the new `ETag`. Nothing was changed.' },
  too_large:              { cause: 'The body is larger than the endpoint takes, or unfolds to too much.', cure: 'Send less at once.' },
  unsupported_media_type: { cause: 'The Content-Type is not one that is read here.', cure: 'Send JSON, XML or a form, and say which.' },
  expectation_failed:     { cause: 'The request has an `Expect` header other than `100-continue`.', cure: 'Leave the header out.' },
  misdirected:            { cause: 'The request came under a host name that is not served here.', cure: 'Use the address that the operator gave you.' },
  idempotency_mismatch:   { cause: 'The Idempotency-Key was used within 72 hours for a request with other content.', cure: 'Draw a new key for each thing that you create.' },
  too_many_requests:      { cause: 'The partner has used up its rate, over all its keys.', cure: 'Wait as long as `Retry-After` says. `RateLimit` on every answer tells what is left.' },
  overloaded:             { cause: 'The service has more work than it can hold.', cure: 'Wait as long as `Retry-After` says and repeat.' },
  unavailable:            { cause: 'The service cannot reach its data.', cure: 'Repeat after a few seconds; tell the operator when it lasts.' },
  internal:               { cause: 'A fault of ours.', cure: 'Tell the operator the `X-Request-Id`. A request with an Idempotency-Key may be repeated.' },
}

// biome-ignore format: a table reads by its columns
export const fieldErrorAdvice: Readonly<Record<FieldErrorCode, string>> = {
  blank:          'The field is required, and it is absent, null or empty.',
  not_an_integer: 'The field takes a whole number; digits in a string are read as one.',
  too_short:      'The text has fewer characters than the rule asks for.',
  too_long:       'The text has more characters, or more bytes, than the rule allows.',
  invalid:        'The value has the wrong form, or holds a control character.',
  inclusion:      'The value is not one of the words that the rule lists.',
  taken:          'Another record has this value already. Emails and logins are unique across the service, whatever their case.',
  does_not_exist: 'The id names nothing within reach of this key; another partner’s record does not exist for you.',
  too_many:       'The list has more entries than the rule allows.',
}
