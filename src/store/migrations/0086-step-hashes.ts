/** Each database keeps the hash of every step that was applied to it, so that a step which was edited afterwards is found out. */

import type { Migration } from '../schema.ts'

export const stepHashes: Migration = {
  name: '0086-step-hashes',
  worksFrom: '0079-previews-of-undo',
  async up({ addColumns }) {
    await addColumns('schema_migrations', { sql_hash: 'text?' })
  },
}
