/** Bulk: many records created and changed by one request, each with an answer at the same index. */

import { integer, list, type RecordOf, string } from '../fields/shape.ts'

export const bulkKinds = ['business', 'site', 'user', 'account'] as const
export type BulkKind = (typeof bulkKinds)[number]

/** The fields of all kinds; an operation gives those of its kind, with the same rules as that kind's own endpoint. */
// biome-ignore format: a table reads by its columns
export const bulkOperation = {
  kind:        string('what is created or changed', { required: true, oneOf: bulkKinds }),
  id:          integer('which record to change; left out, one is created', { nullable: true }),
  external_id: string('your own id of what is created', { nullable: true, max: 255 }),
  name:        string('of a business or an account; of a user, when changed'),
  email:       string('of a user', { nullable: true }),
  login:       string('of a user', { nullable: true }),
  password:    string('of a user', { nullable: true }),
  account_id:  integer('of a user, or of a business that is created', { nullable: true }),
  business_id: integer('of a site', { nullable: true }),
  domain:      string('of a site', { nullable: true }),
}

// biome-ignore format: a table reads by its columns
const operationError = {
  code:    string('as in the body of an error'),
  field:   string('the field at fault; empty where the operation as a whole is meant'),
  message: string(),
}

// biome-ignore format: a table reads by its columns
const operationResult = {
  index:  integer('place of the operation in the request, counted from 0'),
  status: integer('what the operation would have been answered by itself; 424: undone with another one, because of `atomic`'),
  id:     integer('of the record that was created or changed', { nullable: true }),
  errors: list('error', operationError),
}

// biome-ignore format: a table reads by its columns
export const bulkResult = {
  received: integer('operations in the request'),
  done:     integer(),
  refused:  integer(),
  results:  list('result', operationResult),
}

export type OperationError = RecordOf<typeof operationError>
export type OperationResult = Omit<RecordOf<typeof operationResult>, 'errors'> & { readonly errors: readonly OperationError[] }
export type BulkResult = Omit<RecordOf<typeof bulkResult>, 'results'> & { readonly results: readonly OperationResult[] }

export const mostOperations = 1_000
/** With `atomic`: they are hashed one after the other, each in 30 to 100 milliseconds. */
export const mostNewPasswords = 250
