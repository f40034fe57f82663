/** Since when the maker of a share link may no longer share its site; links made before this step are not ended for it. */

import type { Migration } from '../schema.ts'

export const lostLinks: Migration = {
  name: '0072-lost-links',
  worksFrom: '0069-account-regions',
  async up({ addColumns }) {
    await addColumns('share_links', { needs_maker: 'integer=0', maker_lost_at: 'text?' })
  },
}
