/** What a link that no longer works says: who revoked a share link, and when a login link was used. */

import type { Migration } from '../schema.ts'

export const endedLinks: Migration = {
  name: '0064-ended-links',
  worksFrom: '0063-requests',
  async up({ addColumns }) {
    await addColumns('share_links', { revoked_by: 'integer?' })
    await addColumns('login_links', { used_at: 'text?' })
  },
}
