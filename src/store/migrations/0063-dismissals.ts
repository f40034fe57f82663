/** What each person has dismissed of the reasons for which sites need attention. */

import type { Migration } from '../schema.ts'

export const dismissals: Migration = {
  name: '0063-dismissals',
  worksFrom: '0062-order-of-steps',
  async up({ addColumns }) {
    await addColumns('preferences', { dismissed: 'text?' })
  },
}
