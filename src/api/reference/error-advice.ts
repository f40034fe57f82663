/** The catalogue of errors: the cause of each code, and what helps. */

import type { FailureCode, FieldErrorCode } from '../../lib/failures.ts'
import type { ImportErrorCode } from '../../resources/import-fault.ts'

interface Advice {
  readonly cause: string
  readonly cure: string
}

// biome-ignore format: a table reads by its columns
export const errorAdvice: Readonly<Record<FailureCode, Advice>> = {
  validation_failed:      { cause: 'The body could be read, but a field breaks a rule; `details` names each field with a code.', cure: 'Correct the fields and send it again. Nothing was changed.' },
  malformed_body:         { cause: 'The body is not well-formed XML, JSON or form data, has another root than expected, or gives a field twice.', cure: 'The sentence says where: line and column for XML and JSON. Check the Content-Type too.' },
  bad_request:            { cause: 'A query parameter or a header is invalid or unknown.', cure: 'The sentence names the parameter, what it must be, and the nearest known name.' },
  unauthorized:           { cause: 'The key is missing, unknown, expired or revoked, the password is wrong, or it is missing where it is needed.', cure: 'Send both with HTTP Basic. Only reports can be read with the key alone.' },
  forbidden:              { cause: 'The key lacks the scope of this endpoint, or a browser says that a page of another site sent the request.', cure: 'Ask the operator for a key with the scope that the sentence names; call the API from a server.' },
  not_found:              { cause: 'There is no record with this id, it belongs to another partner, or there is no such address.', cure: 'Take ids from the lists. A deleted user is not found any more.' },
  method_not_allowed:     { cause: 'The address exists, but does not support this method.', cure: '`Allow` lists the supported methods.' },
  not_acceptable:         { cause: 'The extension or the `Accept` header asks for a format that this address does not write.', cure: 'Ask for `.json` or `.xml`; reports, and lists of users, businesses, accounts and sites, also for `.csv`.' },
  conflict:               { cause: 'The record is in a state that forbids this, or another request with the same Idempotency-Key is still in progress.', cure: 'Read the sentence. With `Retry-After`, wait and repeat.' },
  precondition_failed:    { cause: 'What you want to change has changed since you read it: its `ETag` is not the one in `If-Match`.', cure: 'Read it again, decide again, and send the change with the new `ETag`. Nothing was changed.' },
  too_large:              { cause: 'The body is larger than the endpoint accepts, or decompresses to too much.', cure: 'Send less at once.' },
  unsupported_media_type: { cause: 'The Content-Type is not supported.', cure: 'Send JSON, XML or a form, with the matching Content-Type.' },
  expectation_failed:     { cause: 'The request has an `Expect` header other than `100-continue`.', cure: 'Leave the header out.' },
  misdirected:            { cause: 'The request names a host that is not served here.', cure: 'Use the address that the operator gave you.' },
  idempotency_mismatch:   { cause: 'The Idempotency-Key was used within 72 hours for a request with other content.', cure: 'Use a new key for each record that you create.' },
  too_many_requests:      { cause: 'The partner has used up its rate limit, which holds for all its keys together.', cure: 'Wait as long as `Retry-After` says. The header `RateLimit` of every answer says what is left.' },
  overloaded:             { cause: 'The service has more work than it can handle.', cure: 'Wait as long as `Retry-After` says and repeat.' },
  unavailable:            { cause: 'The service cannot reach its database.', cure: 'Repeat after a few seconds; tell the operator if it persists.' },
  internal:               { cause: 'There is a bug in the service.', cure: 'Tell the operator the `X-Request-Id`. A request with an Idempotency-Key may be repeated.' },
}

// biome-ignore format: a table reads by its columns
export const fieldErrorAdvice: Readonly<Record<FieldErrorCode, string>> = {
  blank:          'The field is required, and it is absent, null or empty.',
  not_an_integer: 'The field takes a whole number; digits in a string are read as one.',
  too_short:      'The text has fewer characters than the rule asks for.',
  too_long:       'The text has more characters, or more bytes, than the rule allows.',
  invalid:        'The value has the wrong form, or holds a control character.',
  inclusion:      'The value is not one of the words that the rule lists.',
  taken:          'Another record has this value already. Emails and logins are unique across the service and not case-sensitive.',
  does_not_exist: 'There is no such record that this key reaches; records of other partners do not exist for you.',
  too_many:       'The list has more entries than the rule allows.',
  not_one_line:   'The text has a line break, another control character, or one that turns the direction of text.',
}

// biome-ignore format: a table reads by its columns
export const importErrorAdvice: Readonly<Record<ImportErrorCode, Advice>> = {
  blank:             { cause: 'A field that the kind of record needs is absent, or its cell is empty.', cure: 'Give it in every record, or for all rows with `--set`.' },
  null:              { cause: 'The field is null, but null has no meaning there.', cure: 'Leave out what was not measured.' },
  not_text:          { cause: 'The field takes text, and a number, a list or an object was given.', cure: 'Put the value in quotes.' },
  not_an_integer:    { cause: 'The field takes a whole number, and the value is an average, a marker or a number with groups.', cure: 'Use `--round`, `--not-found` or `--decimal`, or correct the value.' },
  not_a_number:      { cause: 'The field takes a number, and the value has a unit, a comma or words.', cure: 'Use `--decimal`, or write only digits and a point.' },
  not_a_date:        { cause: 'The day does not exist, lies outside of 1970 to 2105, or is written in another order.', cure: 'Use `--date-format`, or write `2026-11-14`.' },
  not_a_time:        { cause: 'The time does not exist, lies outside of 1970 to 2105, or is written in another order.', cure: 'Use `--date-format`, or write `2026-11-14 04:05:06`, in UTC or with an offset.' },
  not_a_url:         { cause: 'The address has no `http://` or `https://`, contains a space, or cannot be parsed.', cure: 'Write the whole address, with spaces as `%20`.' },
  not_a_domain:      { cause: 'The value is an address, an IP number or a single word.', cure: 'Write the domain alone, such as `example.com`.' },
  not_a_word:        { cause: 'The text has a blank, a comma or a parenthesis in it.', cure: 'Write one word: `mobile`.' },
  not_one_line:      { cause: 'The text has a line break or a tab in it.', cure: 'Write it on one line.' },
  not_one_of:        { cause: 'The field takes certain words only.', cure: 'Write one of the words that the sentence names, in small letters.' },
  out_of_range:      { cause: 'The number is smaller or larger than the field allows.', cure: 'The sentence names both limits. If 0 means “not found”, use `--not-found 0`.' },
  too_long:          { cause: 'The text has more characters than the field allows.', cure: 'Shorten it; the sentence says how many are allowed.' },
  control_character: { cause: 'The text contains a character that XML cannot represent, such as NUL or backspace.', cure: 'Remove the character at the named position.' },
  unheld:            { cause: 'The database of this installation is not in UTF-8, and its encoding lacks the character.', cure: 'Ask the operator, whom `marquee doctor` tells how to move to a database in UTF-8; until then replace the character.' },
  unknown_field:     { cause: 'The record has a field that its kind does not have.', cure: 'Check the spelling against the table of the kind, or leave it out.' },
  unknown_type:      { cause: '`type` names no kind of record.', cure: 'Use one of the kinds that the sentence lists.' },
  unknown:           { cause: 'The record names a site, competitor, keyword or page that does not exist, or that this import does not reach.', cure: 'Create it first, or use `--create-missing` (`create_missing=1` in a push).' },
  ambiguous:         { cause: 'Two accounts have a site with this domain.', cure: 'Name the `account` in the record, or import for one account.' },
  too_many:          { cause: 'The account has as many search engines, locales and sources as it can have.', cure: 'Check whether a column contains something other than the name of an engine or a source.' },
  not_json:          { cause: 'The line is not one whole JSON object.', cure: 'Write each record on one line, without a comma after it.' },
  not_json_array:    { cause: 'The array is cut off, or contains something other than records.', cure: 'Send the whole array again.' },
  not_utf8:          { cause: 'The line contains bytes that are not UTF-8.', cure: 'Save the file as UTF-8, or use `--encoding windows-1252`.' },
  already_utf8:      { cause: '`--encoding windows-1252` was used for a file that is UTF-8.', cure: 'Leave the option out.' },
  not_utf16:         { cause: 'The file begins as UTF-16 but contains an incomplete character.', cure: 'Export or download it again.' },
  binary:            { cause: 'The file is a picture, a database or something else that is not text.', cure: 'Export the data as CSV (UTF-8).' },
  not_read:          { cause: 'Most of the records before it were refused, so reading stopped.', cure: 'Correct what the other refusals name, and push everything again.' },
  none_good:         { cause: 'Every line of the file had a fault until reading stopped.', cure: 'Correct what the other faults name, often a column, a preset or the site, and send the file again.' },
  too_many_faults:   { cause: 'So many lines of the file had a fault that reading stopped.', cure: 'Correct what the other faults name, and send the file again.' },
  line_too_long:     { cause: 'A line is longer than allowed.', cure: 'Check for a missing line break, and shorten the text.' },
  not_csv:           { cause: 'A quote is not closed, or is in a place where it is not allowed.', cure: 'Put the cell in quotes, and write a quote within it twice.' },
  cells:             { cause: 'The row has more or fewer cells than the header, often because of a delimiter within a text.', cure: 'Put texts that contain the delimiter in quotes.' },
  columns:           { cause: 'The header lacks columns, has one twice, or fits several kinds of record.', cure: 'Name columns with `--columns`, values of all rows with `--set`, the kind with `--kind`.' },
  doubled_key:       { cause: 'Two lines of the file name the same record and give it different figures, for example because a column that tells them apart is not read.', cure: 'Leave out the one that is wrong, or use `--last-wins`.' },
  not_a_country:     { cause: 'The column of countries has something else in it.', cure: 'Skip the column with `--columns "Country="`, or write countries by code or English name.' },
  several_countries: { cause: 'A locale is told for all rows, and the rows are of several countries.', cure: 'Leave out `--set locale`, so that each row gets the locale of its country.' },
  empty:             { cause: 'The file contains no record, or only a header.', cure: 'Export it again, or use `--allow-empty`.' },
  archive:           { cause: 'The zip archive is cut off, damaged, or compressed in a way that is not read here.', cure: 'Send it again, or unpack it and send the files that are in it.' },
  archive_within:    { cause: 'A zip archive has another one in it.', cure: 'Unpack the outer one, and send the inner ones.' },
  packed_files:      { cause: 'The zip archive has more files than are read from one.', cure: 'Send the files in several archives.' },
  locked:            { cause: 'The zip archive is protected with a password.', cure: 'Unpack it, and send the files.' },
  unsafe_name:       { cause: 'The name of a file in the archive leads out of its folder, as no tool writes it.', cure: 'Pack the files again.' },
  broken_workbook:   { cause: 'A part of the workbook is missing or damaged.', cure: 'Open it, and save it again as .xlsx.' },
  sheets:            { cause: 'Several sheets of the workbook could be meant, or there is none of the given name.', cure: 'Use `--sheet`.' },
  packed:            { cause: 'The file is compressed with bzip2, xz, 7-Zip, RAR or Zstandard, or with gzip twice.', cure: 'Unpack it, or compress it with gzip once.' },
  workbook:          { cause: 'The file is an Excel workbook of before 2007, or of another program.', cure: 'Save it as .xlsx, or the sheet as CSV (UTF-8).' },
  pdf:               { cause: 'The file is a PDF document.', cure: 'Export the data as CSV from the tool that made it.' },
  web_page:          { cause: 'The file is an HTML page, often because the download needed a login.', cure: 'Log in, and download the data again.' },
  truncated:         { cause: 'The compressed file ends too early, or its checksum is wrong.', cure: 'Download or compress it again.' },
  unfolds_too_much:  { cause: 'The compressed file decompresses to more than allowed.', cure: 'Split it into several files.' },
  saved_report:      { cause: 'The file is a report of this interface in XML or JSON, whose ids need a map.', cure: 'Import it at the command line with `--map`, or send it to `POST /api/intakes` with `map`.' },
  never_fall:        { cause: 'The review counts grow from day to day, as running totals do.', cure: 'Use `--counts-are-totals` or `--counts-are-daily`.' },
  conflict:          { cause: 'The account has no room for another series, or reports would print two of them under one name.', cure: 'Read the sentence.' },
  not_an_export:     { cause: 'The file that was sent with `all` is no export of whole accounts, was cut off or changed, or names too many logins and emails that are taken.', cure: 'The sentence says what is wrong. What makes the accounts may have been stored; send the file again, and it is found.' },
  not_a_report:      { cause: 'The file looks like a saved report but has another structure.', cure: 'The sentence says what is wrong. Save the report again.' },
  key_revoked:       { cause: 'The key with which the file was sent was revoked while the file waited.', cure: 'Send the file again with a key that is in use.' },
  unmapped_rival:    { cause: 'The counts report names the competitor by an id, and the site has competitors that are known by their domains, of which it may be one.', cure: 'Name it in the map: `competitor,5,rival.example`.' },
  unmapped:          { cause: 'The report has an id that the map does not have.', cure: 'Add it to `--map`, or use `--create-missing`.' },
}
