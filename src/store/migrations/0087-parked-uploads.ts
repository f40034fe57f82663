/**
 * Uploads that could not be stored for an hour rest until somebody releases them. Whether an upload was cancelled is said by its state alone, so that versions
 * which do not know this step are refused.
 */

import { sql } from 'kysely'
import type { Migration } from '../schema.ts'

export const parkedUploads: Migration = {
  name: '0087-parked-uploads',
  async up({ db, addColumns }) {
    await addColumns('intakes', { reason: 'text?' })
    await addColumns('intake_tasks', { failing_since: 'text?', parked_at: 'text?' })
    await sql`alter table intake_tasks drop column is_cancelled`.execute(db)
  },
}
