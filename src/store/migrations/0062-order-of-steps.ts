/**
 * Steps of intakes stand in the order in which an account was changed, and say which owners and times they are about, so that an undo finds what came later.
 * Versions that do not know this step are refused: what they stored would stand nowhere in that order.
 */

import type { Migration } from '../schema.ts'

export const orderOfSteps: Migration = {
  name: '0062-order-of-steps',
  async up({ db, addColumns }) {
    await addColumns('intakes', { is_ordered: 'integer=0' })
    for (const table of ['intake_steps', 'intake_directory_steps'] as const) {
      await addColumns(table, { first_owner: 'integer?', last_owner: 'integer?', first_time: 'integer?', last_time: 'integer?' })
      // All of it, so that looking for later steps does not read their data.
      await db.schema
        .createIndex(`${table}_order`)
        .on(table)
        .columns(['account_id', 'step', 'kind', 'first_owner', 'last_owner', 'first_time', 'last_time'])
        .execute()
    }
  },
}
