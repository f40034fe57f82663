/** The server secrets by number, so that a new one can replace the old one while values made with the old one are still recognized. */

import type { Migration } from '../schema.ts'

export const secrets: Migration = {
  name: '0017-secrets',
  async up({ db, createTable }) {
    await createTable(
      'server_secrets',
      { id: 'integer', proof: 'text', made_at: 'text', starts_at: 'text', retires_at: 'text?' },
      { primaryKey: ['proof'], unique: [['id']] },
    )
    const known = await db.deleteFrom('facts').where('name', '=', 'server_secret_check').returning('value').executeTakeFirst()
    if (known === undefined) return
    const first = await db.selectFrom('schema_migrations').select('applied_at').orderBy('applied_at').executeTakeFirst()
    const made_at = first?.applied_at ?? ''
    await db.insertInto('server_secrets').values({ id: 1, proof: known.value, made_at, starts_at: made_at, retires_at: null }).execute()
  },
}
