/** Rate limits shared by all processes on one database. Losing these rows does no harm, so the table is unlogged. */

import type { Migration } from '../schema.ts'

export const workers: Migration = {
  name: '0018-workers',
  async up({ createTable }) {
    await createTable('rate_buckets', { name: 'text', tokens: 'real', filled_at: 'real' }, { primaryKey: ['name'], isFleeting: true })
  },
}
