/** When the records of an intake began to be stored: an upload waits before that, and others are stored meanwhile. */

import type { Migration } from '../schema.ts'

export const beginnings: Migration = {
  name: '0025-beginnings',
  worksFrom: '0022-months',
  async up({ addColumns }) {
    await addColumns('intakes', { began_at: 'text?' })
  },
}
