/** What belongs to an account or a site beside its measurements: links, notes, names, schedules with their mails, and a brand. */
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import { hashOf } from '../../../src/model/core/place-rows.ts'
import { hashToken, newToken } from '../../../src/model/people/sessions.ts'
import { type Making, three } from './making.ts'
import { reviewers } from './measured-lines.ts'

export interface HeldLink {
  readonly id: number
  readonly token: string
}

/** Records by kind. */
type Named = Readonly<Record<'account' | 'user' | 'business' | 'site', readonly number[]>>

/** The first is revoked. */
export async function makeLinks({ now, insert }: Making, site_id: number): Promise<HeldLink[]> {
  const tokens = three.map(() => newToken())
  const link = {
    site_id,
    label: 'for a friend',
    verifier: null,
    created_by: null,
    created_at: now,
    expires_at: secondsAfter(now, 86_400),
    last_used_at: null,
  }
  const ids = await insert(
    'share_links',
    ...tokens.map((token, n) => ({ ...link, token_hash: hashToken(token), revoked_at: n === 0 ? now : null })),
  )
  return ids.map((id, n) => ({ id, token: tokens[n] ?? '' }))
}

export function annotate({ accountId, now, insert }: Making, site_id: number | null): Promise<number[]> {
  return insert(
    'annotations',
    ...three.map((n) => ({ account_id: accountId, site_id, day: '2026-10-01', text: `note ${n}`, created_at: now, created_by: null })),
  )
}

export const markedAt = '2026-10-02T00:00:00Z'

/** A mark on the review of each author, who is named in its note. */
export function markReviews({ accountId, insert }: Making, site_id: number): Promise<number[]> {
  const mark = {
    account_id: accountId,
    site_id,
    source: 'google',
    date: '2026-10-01',
    state: 'seen' as const,
    marked_by: null,
    marked_at: markedAt,
  }
  return insert('review_marks', ...reviewers.map((note, n) => ({ ...mark, review_hash: hashOf(['ref', `r${n}`]), note })))
}

/** The partner's own ids, and those of a service before. */
/** An id that nothing of the world has. */
export const longGone = 900_000

/** What is still to be cleared of removed records, of each kind. */
export async function leaveRemovals({ accountId: account_id, insert }: Making): Promise<void> {
  for (const kind of ['subject', 'keyword', 'page'] as const) await insert('removals', { account_id, kind, id: longGone })
}

/** What files of the sites called plain, the middle one's in the later intake. */
export async function leavePlain(
  { accountId: account_id, insert }: Making,
  sites: readonly number[],
  intakes: readonly number[],
): Promise<void> {
  const ranks = { engine: 'Google', locale: 'en-us', device: 'desktop', location: '' }
  for (const [n, site_id] of sites.entries())
    await insert('plain_series', { account_id, site_id, ...ranks, intake_id: intakes[n % 2] ?? 0 })
}

export async function nameRecords({ partnerId, word, insert }: Making, records: Named, competitors: readonly number[]): Promise<void> {
  for (const [kind, ids] of Object.entries(records) as [keyof Named, number[]][]) {
    await insert(
      'external_ids',
      ...ids.map((record_id) => ({ partner_id: partnerId, kind, external_id: `${word}-${record_id}`, record_id })),
    )
    const old = (as: string) => ids.map((new_id) => ({ partner_id: partnerId, kind: as as 'site', old_id: `${word} ${new_id}`, new_id }))
    await insert('old_ids', ...old(`copied ${kind}`), ...(kind === 'account' || kind === 'site' ? old(kind) : []))
  }
  await insert(
    'old_ids',
    ...competitors.map((new_id) => ({ partner_id: partnerId, kind: 'competitor' as const, old_id: `${word} ${new_id}`, new_id })),
  )
}

export async function makeSchedule({ accountId, now, insert }: Making, chosen: readonly (number | undefined)[] | null) {
  const site_ids = chosen === null ? null : JSON.stringify(chosen)
  const [id = 0] = await insert('report_schedules', {
    account_id: accountId,
    rhythm: 'weekly',
    site_ids,
    last_period: '2999-12-31',
    created_at: now,
    updated_at: now,
  })
  const states = ['unconfirmed', 'active', 'unsubscribed'] as const
  const mailStates = ['queued', 'sent', 'sending'] as const
  const list = states.map((state) => ({
    schedule_id: id,
    account_id: accountId,
    email: `${state}@readers.example`,
    state,
    created_at: now,
    updated_at: now,
  }))
  const recipients = await insert('report_recipients', ...list)
  await insert('report_runs', {
    schedule_id: id,
    account_id: accountId,
    rhythm: 'weekly',
    period_from: '2026-11-02',
    period_to: '2026-11-08',
    state: 'held',
    reasons: '[]',
    sentence: 'hello',
    updated_at: now,
  })
  const mail = {
    kind: 'report' as const,
    account_id: accountId,
    payload: '{}',
    attempts: 5,
    due_at: '2999-12-31T00:00:00Z',
    error: null,
    created_at: now,
    settled_at: null,
  }
  const mails = recipients.map((recipient, n) => ({
    ...mail,
    key: `report:${id}:then:${recipient}`,
    recipient: list[n]?.email ?? '',
    state: mailStates[n] ?? ('failed' as const),
  }))
  await insert('mails', ...mails)
  return { id, recipients }
}

export async function makeBrand({ accountId, word, now, insert }: Making): Promise<void> {
  await insert('brand_pictures', { id: `picture-${word}`, type: 'image/png', bytes: Buffer.from(word) })
  const look = {
    name: `Brand ${word}`,
    accent: null,
    sender_name: null,
    support: null,
    logo_id: `picture-${word}`,
    dark_logo_id: null,
    favicon_id: null,
  }
  await insert('account_brands', { account_id: accountId, ...look, updated_at: now })
}
