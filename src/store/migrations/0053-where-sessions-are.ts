/** From which network and browser a session was used last, which its person sees. */

import type { Migration } from '../schema.ts'

export const whereSessionsAre: Migration = {
  name: '0053-where-sessions-are',
  worksFrom: '0052-second-factors',
  async up({ addColumns }) {
    await addColumns('sessions', { network: 'text?', browser: 'text?' })
  },
}
