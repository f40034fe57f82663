/** `marquee demo`: creates the demo world if it is missing, and a new key to it. */

import { buildDemo, otherPartners } from '../../../demo/build.ts'
import { measureDemo } from '../../../demo/measure.ts'
import { type DemoIds, idOf } from '../../../demo/read.ts'
import { demoPassword } from '../../../demo/rows.ts'
import { accounts, businesses, demoPartner, deskAdmin, rivalPartner, sites, users } from '../../../demo/world.ts'
import { refuse } from '../../../lib/failures.ts'
import { withBoundedYoungGeneration } from '../../../lib/process-memory.ts'
import { writeTimesIn } from '../../../lib/time/moments.ts'
import { openApp } from '../../../model/core/app.ts'
import type { OperatorCaller } from '../../../model/core/caller.ts'
import { issueKey, listKeys, revokeKey } from '../../../model/partners/keys/keys.ts'
import { type CommandInput, type Output, operatorOn, UsageError } from '../../command.ts'

/** The data of the printed demo. */
export interface DemoDocument {
  readonly key: string
  readonly password: string
  readonly accounts: readonly { id: number; name: string; sites: readonly { id: number; domain: string }[] }[]
  readonly users: readonly { login: string; password: string }[]
  /** The admin of the partner's desk. */
  readonly staff: readonly { login: string; password: string }[]
  readonly other: { account_id: number }
}

const label = 'demo'
const mostKeys = 100

export async function demo({ settings, number }: CommandInput): Promise<Output> {
  const scale = number('scale') ?? 1
  if (scale < 1) throw new UsageError('A world has its sites once at least: --scale is 1 or more.')
  writeTimesIn(settings.timeZone)
  const app = await openApp(settings, { schema: 'bring up' })
  try {
    const caller = operatorOn(app)
    await refuseOtherPartners(caller)
    const ids = await buildDemo(caller)
    await withBoundedYoungGeneration(() => measureDemo(caller, ids, scale, (progress) => console.error(progress)))
    return { document: await openDemo(caller, ids) }
  } finally {
    await app.close()
  }
}

/** A demo prints its keys, so it must not run on a database with real partners. */
export async function refuseOtherPartners(caller: OperatorCaller): Promise<void> {
  const [other] = await otherPartners(caller)
  if (other !== undefined)
    refuse(
      'conflict',
      `A demo leaves a database with real partners alone, and this one holds ${other.name}: set DATA_DIR to another folder.`,
    )
}

/** Keys that were printed earlier go on working, but only so many of them, because each start makes another. */
export async function openDemo(caller: OperatorCaller, ids: DemoIds): Promise<DemoDocument> {
  const partnerId = idOf(ids.partners, demoPartner)
  const { key, password } = await issueKey(caller, partnerId, { label, scopes: ['provision', 'report', 'ingest', 'events'] })
  await revokeOldest(caller, partnerId)
  return {
    key,
    password,
    accounts: accountsOf(demoPartner).map((name) => ({ id: idOf(ids.accounts, name), name, sites: sitesOf(ids, name) })),
    users: users
      .filter(({ account }) => accountsOf(demoPartner).includes(account))
      .map(({ login }) => ({ login, password: demoPassword(caller, login) })),
    staff: [{ login: deskAdmin.login, password: demoPassword(caller, deskAdmin.login) }],
    other: { account_id: idOf(ids.accounts, accountsOf(rivalPartner)[0] ?? '') },
  }
}

async function revokeOldest(caller: OperatorCaller, partnerId: number): Promise<void> {
  const keys = await listKeys(caller, partnerId)
  const live = keys.filter((key) => key.label === label && key.revoked_at === null)
  for (const { public_part } of live.slice(0, -mostKeys)) await revokeKey(caller, public_part)
}

function accountsOf(partner: string): readonly string[] {
  return accounts.filter((account) => account.partner === partner).map(({ name }) => name)
}

function sitesOf(ids: DemoIds, account: string) {
  const names = businesses.filter((business) => business.account === account).map(({ name }) => name)
  return sites.filter(({ business }) => names.includes(business)).map(({ domain }) => ({ id: idOf(ids.sites, domain), domain }))
}
