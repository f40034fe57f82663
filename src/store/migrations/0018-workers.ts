/** What all processes on one database may spend together in a minute; nothing is lost with it, so nothing is written to the log for it. */

import type { Migration } from '../schema.ts'

export const workers: Migration = {
  name: '0018-workers',
  async up({ createTable }) {
    await createTable('rate_buckets', { name: 'text', tokens: 'real', filled_at: 'real' }, { primaryKey: ['name'], isFleeting: true })
  },
}
