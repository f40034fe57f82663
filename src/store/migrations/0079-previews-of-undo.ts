/**
 * What an undo would do is worked out in the background and kept with its intake. Versions that do not know this step are refused: they would take such a
 * task for a file that was lost.
 */

import type { Migration } from '../schema.ts'

export const previewsOfUndo: Migration = {
  name: '0079-previews-of-undo',
  up({ addColumns }) {
    return addColumns('intakes', { preview: 'text?' })
  },
}
