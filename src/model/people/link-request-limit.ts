/** Limits how often a login link may be requested, per network and per name, for all processes on one database. */

import { isoTime } from '../../lib/time/clock.ts'
import { spend } from '../core/budgets.ts'
import { foldName } from './users.ts'
import type { Visitor } from './visitor.ts'

export const linkRequestSeconds = 15 * 60
/** The network limit is higher, because an office shares one address. */
export const mostLinkRequests = { network: 30, name: 10 }

/** Counts a request; false if there were too many. Known and unknown names take the same time. */
export function admitLinkRequest({ app, network }: Visitor, name: string): Promise<boolean> {
  const folded = app.secrets.hmac('session', `name:${foldName(name)}`)
  const begins_at = periodAt(app.clock.now())
  return app.store.write(async (tx) => {
    const byNetwork = await spend(tx, { name: `links:network:${network}`, begins_at })
    const byName = await spend(tx, { name: `links:name:${folded}`, begins_at })
    return byNetwork <= mostLinkRequests.network && byName <= mostLinkRequests.name
  })
}

function periodAt(now: string): string {
  const length = linkRequestSeconds * 1000
  return isoTime(Math.floor(Date.parse(now) / length) * length)
}
