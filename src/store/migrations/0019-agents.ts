/** Marks keys with which an agent may write without a dry run first. */

import type { Migration } from '../schema.ts'

export const agents: Migration = {
  name: '0019-agents',
  async up({ addColumns }) {
    await addColumns('keys', { writes_directly: 'integer=0' })
  },
}
