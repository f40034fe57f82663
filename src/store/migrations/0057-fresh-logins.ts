/** When whoever is logged in last proved who they are, which the pages of the staff ask for. */

import type { Migration } from '../schema.ts'

export const freshLogins: Migration = {
  name: '0057-fresh-logins',
  worksFrom: '0056-email-changes',
  async up({ addColumns }) {
    await addColumns('sessions', { proved_at: 'text?' })
  },
}
