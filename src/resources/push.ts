/** Push: the result for the observations that were sent (root element `observations`). */

import { integer, list, string } from '../fields/shape.ts'
import { importErrorCodes } from './imports/import-fault.ts'

// biome-ignore format: a table reads by its columns
export const refusal = {
  index:   integer('place of the record in the body, counted from 0'),
  field:   string('the field at fault; empty where the record as a whole is meant'),
  code:    string('what is wrong; every code stands on the page of errors', { oneOf: importErrorCodes }),
  message: string(),
}

// biome-ignore format: a table reads by its columns
export const pushResult = {
  received:     integer('records in the body'),
  created:      integer(),
  updated:      integer('there was one with the same key and other figures'),
  unchanged:    integer('there was one with the same key and the same figures'),
  also_created: integer('what the records needed and nobody had sent: the location of a page'),
  refused:      integer(),
  refusals:     list('refusal', refusal),
}
