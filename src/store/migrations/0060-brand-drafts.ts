/** Logos that were uploaded to be looked at, and are not shown to others before they are saved. */

import type { Migration } from '../schema.ts'

export const brandDrafts: Migration = {
  name: '0060-brand-drafts',
  worksFrom: '0059-people-invitations',
  async up({ createTable }) {
    await createTable(
      'brand_drafts',
      { partner_id: 'integer', kind: 'text', picture_id: 'text', created_at: 'text' },
      { primaryKey: ['partner_id', 'kind'], references: { partner_id: 'partners' } },
    )
  },
}
