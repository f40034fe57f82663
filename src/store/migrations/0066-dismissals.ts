/** What each person has dismissed of the reasons for which sites need attention. */

import type { Migration } from '../schema.ts'

export const dismissals: Migration = {
  name: '0066-dismissals',
  worksFrom: '0065-asked-once',
  async up({ addColumns }) {
    await addColumns('preferences', { dismissed: 'text?' })
  },
}
