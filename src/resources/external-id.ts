/** The partner's own id of an account, a user, a business or a site. */

import { integer, type RecordOf, type RequestOf, string } from '../fields/shape.ts'

// biome-ignore format: a table reads by its columns
export const externalId = {
  id:          integer('our id of the record'),
  external_id: string("the partner's own id; null: none was given", { nullable: true }),
}

export type ExternalId = RecordOf<typeof externalId>

// biome-ignore format: a table reads by its columns
export const newExternalId = {
  external_id: string('unique for the partner and kind of record; empty takes it away', { blank: 'kept', trim: true, max: 255 }),
}

export type NewExternalId = RequestOf<typeof newExternalId>
