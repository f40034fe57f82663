/** Each step names the step from which older versions can work with it, so that old and new processes can share a database. */

import type { Migration } from '../schema.ts'

export const upgrades: Migration = {
  name: '0020-upgrades',
  async up({ addColumns }) {
    await addColumns('schema_migrations', { works_from: 'text?' })
  },
}
