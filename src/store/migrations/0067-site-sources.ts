/** From where the data of each site comes, worked out with its figures. */

import type { Migration } from '../schema.ts'

export const siteSources: Migration = {
  name: '0067-site-sources',
  worksFrom: '0066-test-partners',
  async up({ addColumns }) {
    await addColumns('site_figures', { sources: 'text?' })
  },
}
