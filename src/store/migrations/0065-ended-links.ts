/** What a link that no longer works says: who revoked a share link, and when a login link was used. */

import type { Migration } from '../schema.ts'

export const endedLinks: Migration = {
  name: '0065-ended-links',
  worksFrom: '0064-requests',
  async up({ addColumns }) {
    await addColumns('share_links', { revoked_by: 'integer?' })
    await addColumns('login_links', { used_at: 'text?' })
  },
}
