/** Indexes for what a removal looks for: without them it looked through whole tables, also where only a foreign key asks. */

import type { Migration } from '../schema.ts'

export const removalIndexes: Migration = {
  name: '0032-removal-indexes',
  worksFrom: '0022-months',
  async up({ db }) {
    await db.schema.createIndex('old_ids_new_id').on('old_ids').columns(['kind', 'new_id']).execute()
    await db.schema.createIndex('users_current_site_id').on('users').column('current_site_id').execute()
    await db.schema.createIndex('annotations_site_id').on('annotations').column('site_id').execute()
    await db.schema.createIndex('subjects_site_id').on('subjects').column('site_id').execute()
  },
}
