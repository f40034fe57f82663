/** The staff of a partner, each of whom looks after an account and has made a link, and those who are invited. */
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import type { App } from '../../../src/model/core/app.ts'
import { openSession, passwordMark } from '../../../src/model/people/sessions.ts'
import type { Holding } from './holding.ts'
import { insertInto, three } from './making.ts'
import type { Likeness } from './people.ts'

export interface HeldStaff {
  /** Admins, by the ids of their users. */
  readonly staff: readonly number[]
  /** The token of a session of each of them. */
  readonly staffSessions: readonly string[]
  readonly invitations: readonly number[]
  /** Files that wait for a word of each of them. */
  readonly deliveries: readonly number[]
}

interface Employer {
  readonly partnerId: number
  /** The partner account. */
  readonly accountId: number
  readonly word: string
  readonly holdings: readonly Holding[]
}

export async function makeStaff(
  app: App,
  { partnerId, accountId, word, holdings }: Employer,
  { row, verifier }: Likeness,
): Promise<HeldStaff> {
  const [insert, now] = [insertInto(app.store), app.clock.now()]
  const post = { partner_id: partnerId, role: 'admin' as const, customers: 'all' as const, created_at: now }
  const [staff, sessions]: [number[], string[]] = [[], []]
  for (const n of three) {
    const login = `staff${n}-${word}`
    const email = `${login}@people.example`
    const [id = 0] = await insert('users', { ...row, account_id: accountId, email, login })
    await insert('user_passwords', { user_id: id, verifier, changed_at: now })
    await insert('user_names', { name: email, user_id: id }, { name: login, user_id: id })
    await insert('staff', { user_id: id, ...post })
    const mark = passwordMark(app, verifier)
    const opening = { userId: id, passwordMark: mark, isRemembered: true, openedBy: 'password' as const, lastVisitAt: null }
    sessions.push(await app.store.write((tx) => openSession(tx, { app, network: '192.0.2.1' }, opening)))
    staff.push(id)
  }
  await app.store.write(async (tx) => {
    for (const [n, { accountId: id, sites }] of holdings.entries()) {
      await tx
        .updateTable('accounts')
        .set({ looked_after_by: staff[n] ?? null })
        .where('id', '=', id)
        .execute()
      const links = sites.flatMap((site) => site.links[n]?.id ?? [])
      await tx
        .updateTable('share_links')
        .set({ created_by: staff[n] ?? null })
        .where('id', 'in', links)
        .execute()
    }
  })
  const expires_at = secondsAfter(now, 86_400)
  const invited = three.map((n) => ({ ...post, email: `invited${n}@${word}.example`, name: `invited${n}@${word}.example`, expires_at }))
  const seen = { last_seen_at: secondsAfter(now, 3_600) }
  await app.store.write((tx) => tx.updateTable('sessions').set(seen).where('user_id', 'in', staff).execute())
  const deliveries = await insert('deliveries', ...staff.map((user_id) => deliveryOf(partnerId, user_id, now)))
  return { staff, deliveries, staffSessions: sessions, invitations: await insert('staff_invitations', ...invited) }
}

function deliveryOf(partner_id: number, user_id: number, created_at: string) {
  const looked = { presets: [], kinds: ['ranking'], rows: 1, isAbout: false, namesSites: true, hosts: [], fault: null, isMendable: false }
  const file = { name: 'none', host: 'elsewhere', bytes: 9, sha256: 'none' }
  const one = { file, looked, whose: { account: null, site: null }, words: {}, isLeftOut: false, intake: null, trial: null }
  const files = JSON.stringify(three.map((n) => ({ ...one, name: `file ${n}.csv` })))
  const options = JSON.stringify({ createMissing: true, lastWins: false, skipsRefused: false })
  return { partner_id, user_id, options, files, version: 1, created_at, expires_at: '2999-12-31T00:00:00Z' }
}
