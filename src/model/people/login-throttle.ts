/**
 * Refused logins delay the next attempt: for a name from one network, and for the network as a whole. An attempt is counted before its password is checked,
 * so that parallel attempts are counted too. Nobody can lock a person out for good: from the 100th refusal on, a name can only log in from known networks and
 * by login links, and the counts are deleted after a day without refusals.
 */

import type { Kysely } from 'kysely'
import { refuse } from '../../lib/failures.ts'
import { secondsAfter } from '../../lib/time/clock.ts'
import type { LoginThrottleRow } from '../../store/rows/people.ts'
import type { Tables } from '../../store/rows/tables.ts'
import { foldName } from './users.ts'
import type { Visitor } from './visitor.ts'

const longestSeconds = 15 * 60
const forgottenSeconds = 24 * 60 * 60
/** The number of refusals without delay. An office shares a network; nobody shares a name. */
const free = { pair: 4, network: 30 }
const mostRefusals = 100

interface Subjects {
  readonly pair: string
  readonly network: string
  readonly name: string
}

/** Counts an attempt as refused until `forgive` takes it back, or refuses it without checking the password. */
export function admitLogin(visitor: Visitor, name: string, isKnownNetwork: boolean): Promise<void> {
  const subjects = subjectsOf(visitor, name)
  return visitor.app.store.write(async (tx) => {
    const now = visitor.app.clock.now()
    await renameOld(tx, visitor, name)
    await tx.deleteFrom('login_throttles').where('last_failed_at', '<', secondsAfter(now, -forgottenSeconds)).execute()
    const pair = await hold(tx, subjects.pair, now)
    const network = await hold(tx, subjects.network, now)
    const owner = await hold(tx, subjects.name, now)
    const until = blockedUntil({ pair, network, owner }, isKnownNetwork, now)
    if (until > now) waitUntil(until, now)
    await count(tx, pair, free.pair, now)
    await count(tx, network, free.network, now)
    await count(tx, owner, mostRefusals, now)
  })
}

/** After a successful login, deletes the refusals of the person, and this attempt no longer counts for the network. */
export async function forgive(tx: Kysely<Tables>, visitor: Visitor, name: string): Promise<void> {
  const subjects = subjectsOf(visitor, name)
  await renameOld(tx, visitor, name)
  await tx.deleteFrom('login_throttles').where('subject', 'in', [subjects.pair, subjects.name]).execute()
  await tx
    .updateTable('login_throttles')
    .set((row) => ({ failures: row('failures', '-', 1) }))
    .where('subject', '=', subjects.network)
    .where('failures', '>', 0)
    .execute()
}

/** Keyed hashes, because people type passwords into the name field. */
function subjectsOf(visitor: Visitor, name: string): Subjects {
  return subjectsUnder(visitor.app.secrets.hmac('session', hashedName(name)), visitor)
}

function subjectsUnder(hash: string, { network }: Visitor): Subjects {
  return { pair: `pair:${hash}:${network}`, network: `network:${network}`, name: `name:${hash}` }
}

function hashedName(name: string): string {
  return `name:${foldName(name)}`
}

/** Counts made under another server secret are moved to the current one, so that a rotation does not reset them. */
async function renameOld(tx: Kysely<Tables>, visitor: Visitor, name: string): Promise<void> {
  const [current = '', ...others] = visitor.app.secrets.hmacsInUse('session', hashedName(name))
  const to = subjectsUnder(current, visitor)
  for (const hash of others) {
    const from = subjectsUnder(hash, visitor)
    for (const part of ['pair', 'name'] as const) await rename(tx, from[part], to[part])
  }
}

async function rename(tx: Kysely<Tables>, from: string, to: string): Promise<void> {
  const taken = tx.selectFrom('login_throttles').select('subject').where('subject', '=', to)
  await tx
    .updateTable('login_throttles')
    .set({ subject: to })
    .where('subject', '=', from)
    .where(({ not, exists }) => not(exists(taken)))
    .execute()
}

/** Writes the row, which locks it until the transaction ends on both databases. */
function hold(tx: Kysely<Tables>, subject: string, now: string): Promise<LoginThrottleRow> {
  return tx
    .insertInto('login_throttles')
    .values({ subject, failures: 0, last_failed_at: now, blocked_until: now })
    .onConflict((on) => on.column('subject').doUpdateSet({ subject }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface Held {
  readonly pair: LoginThrottleRow
  readonly network: LoginThrottleRow
  readonly owner: LoginThrottleRow
}

function blockedUntil({ pair, network, owner }: Held, isKnownNetwork: boolean, now: string): string {
  const forgotten = (row: LoginThrottleRow) => secondsAfter(row.last_failed_at, forgottenSeconds)
  const ends = [now, pair.blocked_until, network.blocked_until]
  if (pair.failures >= mostRefusals) ends.push(forgotten(pair))
  if (owner.failures >= mostRefusals && !isKnownNetwork) ends.push(forgotten(owner))
  return ends.toSorted().at(-1) as string
}

async function count(tx: Kysely<Tables>, row: LoginThrottleRow, freeRefusals: number, now: string): Promise<void> {
  const failures = row.failures + 1
  const delay = failures > freeRefusals && freeRefusals !== mostRefusals ? Math.min(longestSeconds, 2 ** (failures - freeRefusals - 1)) : 0
  await tx
    .updateTable('login_throttles')
    .set({ failures, last_failed_at: now, blocked_until: secondsAfter(now, delay) })
    .where('subject', '=', row.subject)
    .execute()
}

function waitUntil(until: string, now: string): never {
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - Date.parse(now)) / 1000))
  const wait = seconds < 60 ? 'a minute' : seconds < 3600 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
  return refuse('too_many_requests', `Too many tries. Please wait ${wait} and try again.`, { 'Retry-After': String(seconds) })
}
