/** From where the data of each site comes, worked out with its figures. */

import type { Migration } from '../schema.ts'

export const siteSources: Migration = {
  name: '0068-site-sources',
  worksFrom: '0067-test-partners',
  async up({ addColumns }) {
    await addColumns('site_figures', { sources: 'text?' })
  },
}
