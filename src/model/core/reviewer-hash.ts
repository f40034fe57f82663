/** Remembers the author of erased reviews by a keyed hash of the name. */

import { hexOf } from '../../lib/secrets.ts'
import type { App } from './app.ts'

export function reviewerHash({ secrets }: App, name: string): string {
  return hexOf(secrets.hmac('erasure', name))
}

/** Whether the name is one of the erased reviewers, under any secret: a restored database may not know the newest one. */
export function isErased({ secrets }: App, name: string, reviewers: ReadonlySet<string>): boolean {
  return secrets.hmacsEver('erasure', name).some((hash) => reviewers.has(hash))
}
