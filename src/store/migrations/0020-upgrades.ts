/** Each step says from which step on older versions go on working beside it, so that old and new processes can share a database. */

import type { Migration } from '../schema.ts'

export const upgrades: Migration = {
  name: '0020-upgrades',
  async up({ addColumns }) {
    await addColumns('schema_migrations', { works_from: 'text?' })
  },
}
