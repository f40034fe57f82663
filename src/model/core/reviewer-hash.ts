/** How the author of reviews is remembered once erased: by a keyed hash of the name. */

import { hexOf } from '../../lib/secrets.ts'
import type { App } from './app.ts'

export function reviewerHash({ secrets }: App, name: string): string {
  return hexOf(secrets.hmac('erasure', name))
}

/** Whether the reviewer is one of them, under whichever secret the hashes were made: a restored database may not know the newest. */
export function isErased({ secrets }: App, name: string, reviewers: ReadonlySet<string>): boolean {
  return secrets.hmacsEver('erasure', name).some((hash) => reviewers.has(hash))
}
