/** How dates and numbers are written for the people of an account who have chosen nothing themselves. */

import type { Migration } from '../schema.ts'

export const accountRegions: Migration = {
  name: '0069-account-regions',
  worksFrom: '0068-site-sources',
  async up({ addColumns }) {
    await addColumns('accounts', { region: 'text?' })
  },
}
