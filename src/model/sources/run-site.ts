/** A run: measures one site and stores what came as an intake, in one transaction, so that a run which dies leaves nothing by half. */

import { ownVersion } from '../../config.ts'
import { Failure } from '../../lib/failures.ts'
import { FetchFailure } from '../../lib/network/outgoing.ts'
import { sitePlaceOf } from '../../lib/setting-kinds.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import { dayIn } from '../../lib/time/days.ts'
import type { App } from '../core/app.ts'
import type { OperatorCaller } from '../core/caller.ts'
import { outgoingRules } from '../core/network/outgoing-rules.ts'
import { storeObservations } from '../intakes/store-observations.ts'
import { type DueSite, nextRun } from './due-sites.ts'
import { type KnownOfDomain, lookAtSite, type SiteLook } from './site/look-at-site.ts'

const runMilliseconds = 240_000
/** After a failure; doubled with each further one. */
const firstRetrySeconds = 900
const longestRetrySeconds = 6 * 3_600
const nothingKnown: KnownOfDomain = { registered_on: null, asked_on: null }

type LookedAt = Pick<DueSite, 'domain' | 'time_zone'> & { readonly known?: string | null }

/** Measures and stores nothing. */
export function tryLook(app: App, { domain, time_zone, known = null }: LookedAt, stopping?: AbortSignal): Promise<SiteLook> {
  const { settings, clock } = app
  const tooLong = AbortSignal.timeout(runMilliseconds)
  return lookAtSite({
    rules: outgoingRules(app),
    domain,
    place: sitePlaceOf(settings.sitePlaces, domain),
    agent: `Marquee/${ownVersion()} (+${settings.baseUrl})`,
    rdapUrl: settings.rdapUrl,
    day: dayIn(time_zone, clock.now()),
    known: known === null ? nothingKnown : (JSON.parse(known) as KnownOfDomain),
    signal: stopping === undefined ? tooLong : AbortSignal.any([tooLong, stopping]),
  })
}

/** A failed run leaves what was measured before, and is repeated after a while. One that the service stops is repeated as if it had not begun. */
export async function runSite(app: App, site: DueSite, stopping: AbortSignal): Promise<void> {
  try {
    const look = await tryLook(app, site, stopping)
    const intake_id = await store(app, site, look)
    await end(app, site, {
      ...(intake_id !== null && { intake_id }),
      found: JSON.stringify(foundIn(look)),
      known: JSON.stringify(look.known),
      came_at: app.clock.now(),
      failing_since: null,
      failures: 0,
      reason: look.gaps.length === 0 ? null : look.gaps.join(' '),
      next_at: nextRun(app.clock.now(), site),
    })
  } catch (error) {
    if (stopping.aborted) return giveBack(app, site)
    await end(app, site, failed(app, site, reasonIn(error)))
    if (!isExpected(error)) throw error
  }
}

function isExpected(error: unknown): boolean {
  return error instanceof FetchFailure || error instanceof Failure || isTimeout(error)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

function reasonIn(error: unknown): string {
  if (error instanceof FetchFailure) return error.message
  if (isTimeout(error)) return `The site took longer than ${runMilliseconds / 60_000} minutes.`
  return error instanceof Failure ? 'What came could not be stored.' : 'The run failed here; the log says why.'
}

/** Null where nothing of it is kept as a measurement. */
async function store(app: App, { partner_id, account_id, site_id, domain, time_zone }: DueSite, look: SiteLook): Promise<number | null> {
  const { download_time, domain_age } = look
  if (download_time === null && domain_age === null) return null
  const figures = { ...(download_time !== null && { download_time }), ...(domain_age !== null && { domain_age }) }
  const record = { type: 'snapshot', site: domain, day: dayIn(time_zone, app.clock.now()), ...figures }
  const caller: OperatorCaller = { kind: 'operator', app, requestId: `source of site ${site_id}` }
  const target = { partnerId: partner_id, accountId: account_id, siteId: site_id }
  const about = () => ({ via: 'source', file_name: `Check of ${domain}` }) as const
  const { intakeId } = await storeObservations(caller, target, once([{ line: 1, record }]), { inOneTransaction: true, about })
  return intakeId ?? null
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}

function foundIn({ known: _, gaps: __, ...figures }: SiteLook): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).filter((figure): figure is [string, number] => figure[1] !== null))
}

function failed({ clock }: App, { failures, failing_since }: DueSite, reason: string) {
  const seconds = Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** Math.min(failures, 10))
  const now = clock.now()
  return { reason, failures: failures + 1, failing_since: failing_since ?? now, next_at: secondsAfter(now, seconds) }
}

interface Ended {
  readonly next_at: string
  readonly reason: string | null
  readonly failures: number
  readonly failing_since: string | null
  readonly intake_id?: number
  readonly found?: string
  readonly known?: string
  readonly came_at?: string
}

/** The site may have been removed meanwhile, and its row with it. */
async function end({ store, clock }: App, { id }: DueSite, values: Ended): Promise<void> {
  const ended = { ...values, ran_at: clock.now(), held_until: null, held_host: null }
  await store.write((tx) => tx.updateTable('data_source_sites').set(ended).where('id', '=', id).execute())
}

async function giveBack({ store }: App, { id }: DueSite): Promise<void> {
  const free = { held_until: null, held_host: null }
  await store.write((tx) => tx.updateTable('data_source_sites').set(free).where('id', '=', id).execute())
}
