/** The version of a schedule as somebody saw it, by which a change that was made meanwhile is noticed. */

import { createHash } from 'node:crypto'
import { refuse } from '../../lib/failures.ts'

/** What a form about a schedule changes. Whether a recipient has confirmed makes no other version. */
interface Shown {
  readonly rhythm: string
  readonly site_ids: readonly number[] | null
  readonly release: string
  readonly recipients: readonly { readonly email: string }[]
}

export function scheduleVersion({ rhythm, site_ids, release, recipients }: Shown): string {
  const shown = [rhythm, site_ids, release, recipients.map(({ email }) => email)]
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 20)
}

/** Without a version nothing is compared. */
export function refuseIfChanged(schedule: Shown, was: string | undefined): void {
  if (was !== undefined && was !== scheduleVersion(schedule)) changedMeanwhile()
}

export function changedMeanwhile(): never {
  return refuse('conflict', 'Somebody else has changed this meanwhile. Please look at it again.')
}
