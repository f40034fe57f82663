/** Two partners with everything, and three accounts of the first: whatever is changed, others of its kind stand beside it. */

import { endpoints } from '../../../src/api/endpoints.ts'
import { draftOf } from '../../../src/fields/read.ts'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import type { App } from '../../../src/model/core/app.ts'
import { audit } from '../../../src/model/core/audit.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { placeEvents } from '../../../src/model/core/events/order.ts'
import { seal } from '../../../src/model/core/secrets/sealed-values.ts'
import { writeUsage } from '../../../src/model/core/use/usage-counts.ts'
import { renewFigures } from '../../../src/model/dashboard/desk/site-figures.ts'
import { addressHash } from '../../../src/model/mail/suppressions.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { deleteAccount, previewDeletion } from '../../../src/model/partners/deleted-accounts.ts'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createPartner, setPartner } from '../../../src/model/partners/partners.ts'
import { personInvitationToken, readPersonInvitation } from '../../../src/model/people/keepers/people-invitations.ts'
import { emailChangeToken, readEmailChange } from '../../../src/model/people/me/email-changes.ts'
import { invitationToken, readInvitation } from '../../../src/model/people/staff/staff-invitations.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { sealEntries } from '../../../src/model/upkeep/audit-seals.ts'
import { newUser } from '../../../src/resources/user.ts'
import type { IntakeTaskRow } from '../../../src/store/rows/intakes.ts'
import { type Holding, makeHolding } from './holding.ts'
import { insertInto } from './making.ts'
import type { Likeness } from './people.ts'
import type { Others } from './recipe.ts'
import { type HeldStaff, makeStaff } from './staff.ts'

/** A link and a session of a stranger, swept away by whoever opens the next one. */
const expired = 'expired'
export const expiredLinks: Others = {
  why: 'whoever makes a link sweeps away those that have expired',
  changes: { login_links: { token_hash: expired } },
}
export const expiredSessions: Others = {
  why: 'whoever opens a session sweeps away those that have expired',
  changes: { sessions: { token_hash: expired } },
}
export const expiredPending: Others = {
  why: 'whoever begins a login sweeps away those that were never gone on with',
  changes: { pending_logins: { token_hash: expired } },
}
/** Refusals of a stranger that are a day old, forgotten at the next login. */
export const forgottenThrottle = { subject: 'name:forgotten' }
/** What is too old to be kept. */
export const forgotten = { answer: 'old', budget: 'old', day: '2020-01-02', request: 'old', token: 'oldtoken', network: '192.0.2.0' }

export interface World {
  readonly operator: OperatorCaller
  readonly acme: HeldPartner
  readonly globex: HeldPartner
  /** The middle account of acme. Where nothing else is said, it is changed, or the middle one of its things. */
  readonly target: Holding
  /** Where the middle person of the target is spoken of; other records, and the other partner, have the same id. */
  readonly traces: { readonly answers: readonly string[]; readonly entries: readonly number[] }
  /** The token of acme's middle invitation. */
  readonly joining: string
  /** The token of the middle invitation by the owner of the target. */
  readonly welcome: string
  /** The token of an address that waits to be confirmed. */
  readonly changing: string
  /** Of the password that everybody has. */
  readonly verifier: string
}

export interface HeldPartner extends HeldStaff {
  /** Of the whole partner, and of its last account. */
  readonly sources: readonly number[]
  readonly id: number
  /** A deleted account. */
  readonly goneId: number
  /** With every scope; the key that asks. */
  readonly credentials: string
  readonly callerKey: number
  /** Issued with that key. */
  readonly keys: readonly { readonly id: number; readonly publicPart: string }[]
  readonly holdings: readonly Holding[]
  readonly intakes: Readonly<Record<IntakeInWork, number>>
  readonly suppressions: readonly number[]
}

/** In the order in which they came. The first has a file here, the others wait for a host that is elsewhere. */
export type IntakeInWork = keyof typeof works
const works = {
  here: { state: 'waiting', task: null },
  lost: { state: 'waiting', task: null },
  waiting: { state: 'waiting', task: { task: 'store', attempts: 0 } },
  begun: { state: 'storing', task: { task: 'store', attempts: 1 } },
  undoing: { state: 'undoing', task: { task: 'undo', attempts: 0 } },
  waitingLater: { state: 'waiting', task: { task: 'store', attempts: 0 } },
  begunLater: { state: 'storing', task: { task: 'store', attempts: 1 } },
  held: { state: 'refused', task: { task: 'held', attempts: 1 } },
  parked: { state: 'parked', task: { task: 'store', attempts: 1, parked_at: '2026-11-14T00:00:00Z' } },
} as const

export const password = 'correct horse battery'
/** As the list of suppressed addresses shows the middle person of the target. */
export const suppressedPerson = 'm…@people.example'
/** With which every request is asked, and under which the other partner has an old answer. */
export const repeatKey = 'the-same'

export async function makeWorld(app: App): Promise<World> {
  const operator: OperatorCaller = { kind: 'operator', app, requestId: 'test' }
  const { store, clock } = app
  const now = clock.now()
  const long = secondsAfter(now, -30 * 86_400)
  const insert = insertInto(store)
  await store.readyProbe()
  const likeness = await makeLikeness(operator)
  const acme = await makePartner('acme', 3)
  const globex = await makePartner('globex', 1)
  const trial = (await createPartner(operator, 'trial')).partner.id
  await insert('test_partners', { partner_id: trial, of_partner_id: null, state: 'empty', fillings: 1, intake_id: null, changed_at: now })
  await insert(
    'login_throttles',
    ...['pair:a:192.0.2.9', 'network:192.0.2.9', 'name:a'].map((subject) => ({
      subject,
      failures: 2,
      last_failed_at: now,
      blocked_until: now,
    })),
  )
  await insert('login_throttles', { ...forgottenThrottle, failures: 2, last_failed_at: long, blocked_until: long })
  const stranger = {
    token_hash: expired,
    user_id: globex.holdings[0]?.people[1]?.id ?? 0,
    password_mark: '',
    created_at: long,
    expires_at: long,
  }
  await insert('login_links', stranger)
  const { created_at: _, ...pending } = stranger
  await insert('pending_logins', { ...pending, is_remembered: 0, opened_by: 'link' })
  await insert('sessions', { ...stranger, is_remembered: 0, opened_by: 'link', last_visit_at: null, last_seen_at: long })
  await insert('budgets', { name: 'taken:1', begins_at: now, spent: 3 }, { name: forgotten.budget, begins_at: long, spent: 3 })
  await insert('leases', { name: 'job:another', holder: 'another', expires_at: secondsAfter(now, 86_400), done_at: now })
  const target = acme.holdings[1] as Holding
  const ended = { created_at: long, expires_at: long, revoked_at: null, public_part: forgotten.token, token_hash: '1.old' }
  await insert('read_tokens', {
    ...ended,
    partner_id: globex.id,
    key_id: globex.callerKey,
    account_id: globex.holdings[0]?.accountId ?? 0,
    site_id: null,
  })
  const traces = await speakOf(target.people[1]?.id ?? 0)
  for (const holding of [target, globex.holdings[0] as Holding]) await mailTo(target.people[1]?.email ?? '', holding)
  await placeEvents(app)
  await store.write((tx) => audit(tx, operator, 'account.rename', { id: target.accountId, account_id: target.accountId }))
  while ((await sealEntries(app)) !== null);
  await renewFigures(app, AbortSignal.timeout(60_000))
  await writeUsage(app)
  const invitation = await readInvitation(app, acme.invitations[1] ?? 0, store.db)
  const asked = await readPersonInvitation(target.people[0]?.invitations[1] ?? 0, store.db)
  const welcome = asked === undefined ? '' : personInvitationToken(app, asked)
  const joining = invitation === undefined ? '' : invitationToken(app, invitation)
  const change = await readEmailChange(app, target.people[1]?.id ?? 0, store.db)
  const changing = change === undefined ? '' : emailChangeToken(app, change)
  return { operator, acme, globex, target, traces, joining, changing, welcome, verifier: likeness.verifier }

  async function makePartner(name: string, accounts: number): Promise<HeldPartner> {
    const { partner } = await createPartner(operator, name)
    await setPartner(operator, partner.id, { reads_per_minute: 0, writes_per_minute: 0 })
    const holdings: Holding[] = []
    for (let n = 0; n < accounts; n++) holdings.push(await makeHolding(operator, partner.id, `${name}${n}`, likeness))
    const { id: goneId } = await createAccount(operator, partner.id, `Gone ${name}`)
    await deleteAccount(operator, goneId, (await previewDeletion(operator, goneId)).confirm)
    const { key, password, record } = await issueKey(operator, partner.id, { scopes: [...new Set(endpoints.map(({ access }) => access))] })
    const keys: HeldPartner['keys'][number][] = []
    for (const label of ['first', 'second', 'third']) {
      const fresh = (await issueKey(operator, partner.id, { label })).record
      keys.push({ id: fresh.id, publicPart: fresh.public_part })
    }
    // The second has issued the third, as the calling key has issued all.
    await store.write((tx) =>
      tx
        .updateTable('keys')
        .set({ issued_by: record.id })
        .where(
          'id',
          'in',
          keys.map(({ id }) => id),
        )
        .execute(),
    )
    await store.write((tx) =>
      tx
        .updateTable('keys')
        .set({ issued_by: keys[1]?.id ?? null })
        .where('id', '=', keys[2]?.id ?? 0)
        .execute(),
    )
    for (const holding of holdings) await makeTokens(partner.id, record.id, holding)
    await insert(
      'import_mappings',
      ...['daily', 'weekly'].map((word) => ({ partner_id: partner.id, name: word, mapping: '{}', updated_at: now })),
    )
    await insert('brand_pictures', { id: `picture-${name}`, type: 'image/png', bytes: Buffer.from(name) })
    const look = {
      name: `Brand ${name}`,
      accent: null,
      sender_name: null,
      support: null,
      logo_id: `picture-${name}`,
      dark_logo_id: null,
      favicon_id: null,
    }
    await insert('brands', { partner_id: partner.id, host_name: `${name}.host.example`, ...look, updated_at: now })
    await insert('brand_pictures', { id: `draft-${name}`, type: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') })
    await insert('brand_drafts', { partner_id: partner.id, kind: 'logo', picture_id: `draft-${name}`, created_at: now })
    const sealed = seal(app.secrets, 'mail_senders', partner.id, 'key')
    const signing = { selector: 'marquee-0', public_key: name, sealed, created_at: now }
    await insert('mail_senders', { partner_id: partner.id, address: `hello@${name}.example`, ...signing })
    const proof = { token: 'token', seen: null, looked_at: null, look_at: null, proved_at: null, missing_since: null, created_at: now }
    const named = ['first', 'second', 'third'].map((word) => ({
      host_name: `${word}.${name}.example`,
      for_pages: null,
      for_frames: 1 as const,
    }))
    await insert('named_hosts', ...named.map((row) => ({ partner_id: partner.id, ...row, ...proof })))
    const answer = {
      operation: 'POST users',
      subject_id: null,
      fingerprint: 'of another secret',
      status: 201,
      headers: '{}',
      body: Buffer.from(name),
    }
    const answers = name === 'acme' ? ['another', forgotten.answer] : [repeatKey, 'another', forgotten.answer]
    const at = (key: string) => (key === 'another' ? now : long)
    await insert('idempotency_records', ...answers.map((key) => ({ partner_id: partner.id, key, ...answer, created_at: at(key) })))
    const used = { partner_id: partner.id, key_id: record.id, requests: 4, refused: 1, rate_limited: 0, records: 2 }
    await insert('usage_days', ...[forgotten.day, now.slice(0, 10)].map((day) => ({ ...used, day })))
    const asked = { partner_id: partner.id, public_part: record.public_part, method: 'GET', path: '/api/users.json', parameters: '' }
    const answered = { ...asked, is_refused: 0, status: 200, code: null, sentence: null, tenths: 8 } as const
    await insert('requests', { ...answered, at: long, request_id: forgotten.request }, { ...answered, at: now, request_id: 'another' })
    const intakes = await makeIntakes(partner.id)
    const entries = ['a', 'b', 'c'].map((word) => ({ partner_id: partner.id, address_hash: word, address: `${word}…@else.example` }))
    const suppressions = await insert(
      'suppressions',
      ...entries.map((entry) => ({ ...entry, reason: 'refused' as const, created_at: now })),
    )
    const staff = await makeStaff(app, { partnerId: partner.id, accountId: partner.account_id ?? 0, word: name, holdings }, likeness)
    const fetching = { partner_id: partner.id, kind: 'site', rhythm: 'weekly', state: 'active', reason: null } as const
    const made = { made_by_key: null, made_by_user: null, created_at: now, updated_at: now }
    const sources = await insert(
      'data_sources',
      ...[null, holdings.at(-1)?.accountId ?? null].map((account_id) => ({ ...fetching, account_id, ...made })),
    )
    const fetched = { partner_id: partner.id, kind: 'site', next_at: '2999-12-31T00:00:00Z', ...nothingFetched } as const
    for (const [n, holding] of holdings.entries())
      await insert(
        'data_source_sites',
        ...holding.sites.map(({ id }) => ({
          source_id: sources[n === holdings.length - 1 ? 1 : 0] ?? 0,
          account_id: holding.accountId,
          site_id: id,
          ...fetched,
        })),
      )
    return {
      ...staff,
      id: partner.id,
      goneId,
      credentials: `${key}:${password}`,
      callerKey: record.id,
      keys,
      holdings,
      intakes,
      suppressions,
      sources,
    }
  }

  /** Of each site and of the account. */
  async function makeTokens(partner_id: number, key_id: number, { accountId: account_id, sites }: Holding): Promise<void> {
    const token = { partner_id, key_id, account_id, created_at: now, expires_at: secondsAfter(now, 86_400), revoked_at: null }
    const rows = [...sites.map(({ id }) => id), null].map((site_id) => ({ ...token, site_id }))
    const part = (n: number) => ({ public_part: `${account_id}-${n}`, token_hash: `1.${account_id}-${n}` })
    await insert('read_tokens', ...rows.map((row, n) => ({ ...row, ...part(n) })))
  }

  /** Reports go to the person's address too, and the other partner mails its own to the same one. */
  async function mailTo(email: string, { accountId: account_id, schedules }: Holding): Promise<void> {
    const schedule_id = schedules[0]?.id ?? 0
    const about = { account_id, created_at: now }
    await insert('report_recipients', { ...about, schedule_id, email, state: 'active', updated_at: now })
    const { partner_id } = await store.db.selectFrom('accounts').select('partner_id').where('id', '=', account_id).executeTakeFirstOrThrow()
    const entry = { partner_id: partner_id ?? 0, address_hash: addressHash(app, email), address: suppressedPerson }
    await insert('suppressions', { ...entry, reason: 'unsubscribed', created_at: now })
    const queued = {
      kind: 'report' as const,
      payload: '{}',
      state: 'queued' as const,
      attempts: 5,
      due_at: '2999-12-31T00:00:00Z',
      error: null,
      settled_at: null,
    }
    await insert('mails', { ...about, ...queued, key: `report:to a person ${account_id}`, recipient: email })
  }

  /** In an answer that was kept and in the audit log, each beside another record of the same id. */
  async function speakOf(subject_id: number): Promise<World['traces']> {
    const answer = { subject_id, fingerprint: 'of another secret', status: 201, headers: '{}', body: Buffer.from('{}'), created_at: now }
    const answers = [acme.id, globex.id].flatMap((partner_id) => [
      { partner_id, key: 'user', operation: `PUT users/${subject_id}`, ...answer },
      { partner_id, key: 'business', operation: `PUT businesses/${subject_id}`, ...answer },
    ])
    await insert('idempotency_records', ...answers)
    for (const action of ['user.change', 'business.rename'] as const)
      await store.write((tx) => audit(tx, operator, action, { id: subject_id }, { after: { name: 'new' } }))
    const about = store.db.selectFrom('audit_entries').select('id').where('subject_type', '=', 'User').where('subject_id', '=', subject_id)
    return { answers: ['user'], entries: (await about.execute()).map(({ id }) => id) }
  }

  async function makeIntakes(partner_id: number): Promise<HeldPartner['intakes']> {
    const made: Partial<Record<IntakeInWork, number>> = {}
    for (const [name, { state, task }] of Object.entries(works) as [IntakeInWork, (typeof works)[IntakeInWork]][]) {
      const row = {
        partner_id,
        account_id: null,
        via: 'upload' as const,
        actor: 'operator',
        file_name: name,
        sha256: null,
        mapping: null,
        bytes: 9,
        state,
        counts: '{}',
      }
      const begun = { ...row, created_at: now, ended_at: null, undone_at: null, faults: null, undo: null }
      const { id } = await store.write((tx) => tx.insertInto('intakes').values(begun).returning('id').executeTakeFirstOrThrow())
      made[name] = id
      if (task !== null) await insert('intake_tasks', taskOf(id, partner_id, now, task))
    }
    return made as HeldPartner['intakes']
  }
}

const nothingFetched = {
  held_until: null,
  held_host: null,
  ran_at: null,
  came_at: null,
  failing_since: null,
  failures: 0,
  reason: null,
  found: null,
  known: null,
  intake_id: null,
} as const

export function taskOf(intake_id: number, partner_id: number, seen_at: string, more: Partial<IntakeTaskRow>): IntakeTaskRow {
  const task = {
    task: 'store',
    host: 'elsewhere',
    file: 'none',
    options: '{}',
    attempts: 0,
    failing_since: null,
    parked_at: null,
    erased: '[]',
    delivery_id: null,
  }
  return { intake_id, partner_id, ...task, seen_at, ...more }
}

async function makeLikeness(operator: OperatorCaller): Promise<Likeness> {
  const { partner } = await createPartner(operator, 'Nobody')
  const { id: account_id } = await createAccount(operator, partner.id, 'Nowhere')
  const { id } = await createUser(operator, draftOf(newUser, { login: 'nobody', email: 'nobody@people.example', password, account_id }))
  const { db } = operator.app.store
  const { id: _, ...row } = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { verifier } = await db.selectFrom('user_passwords').select('verifier').where('user_id', '=', id).executeTakeFirstOrThrow()
  return { row: { ...row, state: 'active', activated_at: row.created_at }, verifier }
}
