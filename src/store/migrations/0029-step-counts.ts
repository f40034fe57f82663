/** How many records the steps of intakes created and changed, so that nobody needs to read the steps to count them. */

import type { Migration } from '../schema.ts'

export const stepCounts: Migration = {
  name: '0029-step-counts',
  worksFrom: '0022-months',
  async up({ addColumns }) {
    await addColumns('intake_steps', { created: 'integer?', updated: 'integer?' })
    await addColumns('intake_directory_steps', { created: 'integer?', updated: 'integer?' })
  },
}
