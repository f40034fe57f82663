/** The addresses from which partners' mails come, each with the keys by which they are signed: one for the DNS, and an encrypted one. */

import type { Migration } from '../schema.ts'

export const mailSenders: Migration = {
  name: '0085-mail-senders',
  worksFrom: '0084-review-marks',
  async up({ createTable }) {
    await createTable(
      'mail_senders',
      {
        partner_id: 'integer',
        address: 'text',
        selector: 'text',
        public_key: 'text',
        sealed: 'text',
        seen: 'text?',
        looked_at: 'text?',
        look_at: 'text?',
        proved_at: 'text?',
        missing_since: 'text?',
        created_at: 'text',
      },
      { primaryKey: ['partner_id'], references: { partner_id: 'partners' }, indexes: [['look_at']] },
    )
  },
}
