/** Recipients and mails are found by their address, so that a person who is deleted or erased can be taken out of them without reading all. */

import type { Migration } from '../schema.ts'

export const mailAddresses: Migration = {
  name: '0023-mail-addresses',
  worksFrom: '0022-months',
  async up({ db }) {
    await db.schema.createIndex('report_recipients_email').on('report_recipients').column('email').execute()
    await db.schema.createIndex('mails_recipient').on('mails').column('recipient').execute()
  },
}
