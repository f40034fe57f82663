/** Device and location are part of what tells rankings, ranked pages and clicks apart; partners choose whether their reports print each by itself. */

import type { Migration } from '../schema.ts'

/** Earlier versions would print the device and the location as parts of the engine's name, so they must be stopped. */
export const devices: Migration = {
  name: '0033-devices',
  async up({ addColumns }) {
    await addColumns('partners', { series: 'text?' })
  },
}
