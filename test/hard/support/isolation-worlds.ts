/** The partners of R14: what each has, and the credentials with which someone may come. */

import { draftOf } from '../../../src/fields/read.ts'
import { secondsAfter } from '../../../src/lib/time/clock.ts'
import type { OperatorCaller } from '../../../src/model/core/caller.ts'
import { addAnnotation } from '../../../src/model/dashboard/annotations.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness } from '../../../src/model/partners/businesses.ts'
import { issueKey, keyScopes, revokeKey } from '../../../src/model/partners/keys/keys.ts'
import { addLocations } from '../../../src/model/partners/locations.ts'
import { suspendPartner } from '../../../src/model/partners/partners.ts'
import { addReviewPages } from '../../../src/model/partners/review-pages.ts'
import { addCompetitors, addKeywords } from '../../../src/model/partners/site-contents.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { createShareLink } from '../../../src/model/people/share-links.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { inviteStaffByLink } from '../../../src/model/people/staff/staff-invitations.ts'
import { deleteUser } from '../../../src/model/people/user-states.ts'
import { createUser } from '../../../src/model/people/users.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { newStaffInvitation, newUser } from '../../../src/resources/user.ts'
import { waitingIntake } from '../../support/sample-world.ts'
import { suppress } from '../../support/suppressed.ts'
import { basic, type Credentials, newPartner } from './prepare.ts'

type Holdings = Readonly<Record<string, string>>

export interface World {
  readonly partner: Credentials
  readonly has: Holdings
  readonly deletedUserId: string
}

/** The states in which someone may come. */
export async function callersOf(
  operator: OperatorCaller,
  { partner }: World,
  isWide: boolean,
): Promise<Record<string, string | undefined>> {
  const revoked = await issueKey(operator, partner.id)
  await revokeKey(operator, revoked.record.public_part)
  const all = await issueKey(operator, partner.id, { scopes: keyScopes })
  return {
    'key and password': basic(all.key, all.password),
    'key alone': basic(all.key, ''),
    'wrong password': basic(all.key, 'mqs_wrong'),
    'revoked key': basic(revoked.key, revoked.password),
    'no credentials': undefined,
    ...(isWide && (await moreCallers(operator, partner))),
  }
}

/** A key that reaches one account of the partner, without any of the records that the requests name; one that may only read; one that has expired. */
async function moreCallers(operator: OperatorCaller, { id }: Credentials): Promise<Record<string, string>> {
  const empty = await createAccount(operator, id, 'Nothing in it')
  const limited = await issueKey(operator, id, { scopes: keyScopes, account_ids: String(empty.id) })
  const reading = await issueKey(operator, id, { scopes: ['report'] })
  return { 'limited key': basic(limited.key, limited.password), 'reading key': basic(reading.key, reading.password) }
}

/** A partner who has been suspended still owns what it has. */
export async function suspendedWorld(operator: OperatorCaller): Promise<World> {
  const world = await makeWorld(operator, 'Initech', 'initechcanary')
  await suspendPartner(operator, world.partner.id)
  return world
}

export async function makeWorld(operator: OperatorCaller, name: string, canary: string, intakes = 1): Promise<World> {
  const partner = await newPartner(operator, `${name} ${canary}`)
  const account_id = partner.accountId
  const business = await createBusiness(operator, draftOf(newBusiness, { account_id, name: `${canary} business` }))
  const domain = `${canary.slice(0, 7)}-${canary}.example`
  const site = await createSite(operator, business.id, domain)
  const person = async (login: string) => {
    const draft = draftOf(newUser, { account_id, login, email: `${login}@${canary}.example`, password: 'secret99' })
    return (await createUser(operator, draft)).id
  }
  // With ids of two digits, none that is made later becomes the one that nobody has.
  for (let made = 0; made < 10; made++) await person(`${canary}-more-${made}`)
  const [user, deleted] = [await person(`${canary}-one`), await person(`${canary}-two`)]
  await deleteUser(operator, deleted)
  const [keyword] = await addKeywords(operator, site.id, [{ phrase: `${canary} plumber` }])
  const [competitor] = await addCompetitors(operator, site.id, [{ domain: `rival-${canary}.example` }])
  const wanted = { competitor_id: competitor?.id ?? 0, source: 'google', page_url: `https://maps.example/${canary}` }
  const [page] = await addReviewPages(operator, site.id, [wanted])
  const [location] = await addLocations(operator, [{ site_id: site.id }])
  for (let made = 0; made < 10; made++) await issueKey(operator, partner.id)
  const share = () => createShareLink(operator, site.id, { label: canary, days: 30, password: null })
  for (let made = 0; made < 10; made++) await share()
  const ids = {
    account_id,
    user_id: user,
    business_id: business.id,
    site_id: site.id,
    key_id: (await issueKey(operator, partner.id, { label: canary })).record.id,
  }
  const below = {
    keyword_id: keyword?.id,
    competitor_id: competitor?.id,
    page_id: page?.id,
    location_id: location?.id,
    review_id: await makeReview(operator, account_id, page?.id ?? 0, canary),
    annotation_id: (await addAnnotation(operator, site.id, { day: '2026-11-14', text: canary })).id,
    schedule_id: (await createSchedule(operator, account_id, { rhythm: 'weekly', recipients: [`${canary}@people.example`], siteIds: null }))
      .id,
    share_link_id: (await share()).id,
    suppression_id: await suppress(operator, partner.id, `gone@${canary}.example`),
    token_id: await readToken(operator, { partner_id: partner.id, account_id, key_id: ids.key_id, canary }),
    source_id: await dataSource(operator, partner.id),
    intake_id: await lastIntake(operator, partner.id, intakes),
    ...(await staffOf(operator, partner, canary)),
  }
  const has = { ...texts({ ...ids, ...below }), site_domain: domain }
  return { partner, has, deletedUserId: String(deleted) }
}

/** An admin, and an invitation that waits. */
async function staffOf(operator: OperatorCaller, { id, accountId: account_id }: Credentials, canary: string) {
  const draft = draftOf(newUser, { account_id, login: `${canary}-boss`, email: `boss@${canary}.example`, password: 'secret99' })
  const boss = await createUser(operator, draft)
  await appointStaff(operator, id, boss.id, { role: 'admin', customers: 'all' })
  const invited = await inviteStaffByLink(operator, id, draftOf(newStaffInvitation, { email: `next@${canary}.example`, role: 'member' }))
  return { staff_id: boss.id, successor_id: boss.id, invitation_id: invited.id }
}

async function readToken(
  { app }: OperatorCaller,
  { canary, ...of }: { readonly partner_id: number; readonly account_id: number; readonly key_id: number; readonly canary: string },
): Promise<number> {
  const [created_at, expires_at] = [app.clock.now(), secondsAfter(app.clock.now(), 86_400)]
  const row = { ...of, site_id: null, public_part: canary, token_hash: canary, created_at, expires_at, revoked_at: null }
  const { id } = await app.store.write((tx) => tx.insertInto('read_tokens').values(row).returning('id').executeTakeFirstOrThrow())
  return id
}

/** At rest, so that it asks nobody. */
async function dataSource({ app }: OperatorCaller, partner_id: number): Promise<number> {
  const [created_at, updated_at] = [app.clock.now(), app.clock.now()]
  const made = { account_id: null, made_by_key: null, made_by_user: null, created_at, updated_at }
  const row = { partner_id, kind: 'site', rhythm: 'weekly', state: 'resting', reason: null, ...made } as const
  const { id } = await app.store.write((tx) => tx.insertInto('data_sources').values(row).returning('id').executeTakeFirstOrThrow())
  return id
}

function texts(ids: object): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]))
}

/** Refused pushes are intakes, too: with enough digits, none of them becomes the one that nobody has. */
async function lastIntake(operator: OperatorCaller, partnerId: number, count: number): Promise<number> {
  for (let made = 1; made < count; made++) await waitingIntake({ operator }, partnerId)
  return waitingIntake({ operator }, partnerId)
}

function makeReview({ app }: OperatorCaller, account_id: number, page_id: number, canary: string): Promise<number> {
  const told = { business_name: canary, header: canary, detail: canary, user: canary, url: '', source: 'google', ref: null }
  const figures = { date: '2026-11-14', rating: 4, sentiment_score: 0, total: 0, created_at: app.clock.now() }
  const row = { account_id, page_id, ...told, ...figures, key_hash: canary }
  return app.store.write(async (tx) => (await tx.insertInto('reviews').values(row).returning('id').executeTakeFirstOrThrow()).id)
}
