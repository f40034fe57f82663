/** Customers: labels of accounts, accounts that are archived, and which businesses were deactivated together with their account. */

import type { Migration } from '../schema.ts'

export const customers: Migration = {
  name: '0042-customers',
  worksFrom: '0041-deleted-accounts',
  async up({ db, addColumns }) {
    await addColumns('accounts', { tags: 'text?', archived_at: 'text?' })
    await addColumns('businesses', { is_deactivated_together: 'integer=0' })
    // By which the customer of a domain is found, however many customers there are.
    await db.schema.createIndex('sites_domain').on('sites').columns(['domain', 'account_id']).execute()
  },
}
