/** Staff of a partner: who decides about them, how they join, and what they reach. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { Failure } from '../../../src/lib/failures.ts'
import type { PartnerCaller, StaffCaller } from '../../../src/model/core/caller.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { createAccount } from '../../../src/model/partners/accounts.ts'
import { createBusiness, findBusiness } from '../../../src/model/partners/businesses.ts'
import { createPartner } from '../../../src/model/partners/partners.ts'
import { createSite, findSite } from '../../../src/model/partners/sites.ts'
import { listAbilities, updateAbilities } from '../../../src/model/people/abilities.ts'
import { explainAccess } from '../../../src/model/people/access-reasons.ts'
import { createLoginLink } from '../../../src/model/people/login-links.ts'
import { logIn } from '../../../src/model/people/logins.ts'
import { eraseUser } from '../../../src/model/people/personal-data.ts'
import { findSession } from '../../../src/model/people/sessions.ts'
import { acceptInvitation, lookAtInvitation } from '../../../src/model/people/staff/joining.ts'
import { appointStaff, changeStaffMember, listStaff, removeStaffMember } from '../../../src/model/people/staff/staff.ts'
import {
  inviteStaff,
  inviteStaffByLink,
  listStaffInvitations,
  withdrawStaffInvitation,
} from '../../../src/model/people/staff/staff-invitations.ts'
import { changeUser } from '../../../src/model/people/user-changes.ts'
import { deleteUser, setPassword, suspendUser } from '../../../src/model/people/user-states.ts'
import { createUser, findUser } from '../../../src/model/people/users.ts'
import { listVisibleSites } from '../../../src/model/people/visible-sites.ts'
import type { Visitor } from '../../../src/model/people/visitor.ts'
import { newBusiness } from '../../../src/resources/business.ts'
import { changedStaffMember, changedUser, newStaffInvitation, newUser } from '../../../src/resources/user.ts'
import { groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

const known = 'a password somebody knows'
const chosen = 'a password of my own'

onEachEngine('staff', (place) => {
  const at = groundAt(place)
  let quay: { id: number; accountId: number }
  let [harbor, sunrise] = [0, 0]
  let boss: StaffCaller
  let count = 0

  beforeEach(async () => {
    count++
    const { partner, account } = await createPartner(at.operator, `Quay ${count}`)
    quay = { id: partner.id, accountId: account.id }
    harbor = (await createAccount(at.operator, partner.id, 'Harbor')).id
    sunrise = (await createAccount(at.operator, partner.id, 'Sunrise')).id
    boss = await colleague('boss', { role: 'admin', customers: 'all' })
  })

  const named = (word: string) => `${word}-${count}-${place.engine}`
  const emailOf = (word: string) => `${named(word)}@quay.example`
  const userIn = async (accountId: number, word: string) => {
    const draft = draftOf(newUser, { login: named(word), email: emailOf(word), password: known, account_id: accountId })
    return (await createUser(at.operator, draft)).id
  }
  const colleague = async (word: string, post: Pick<StaffCaller, 'role' | 'customers'>): Promise<StaffCaller> => {
    const userId = await userIn(quay.accountId, word)
    await appointStaff(at.operator, quay.id, userId, post)
    return { kind: 'staff', app: at.app, requestId: 'test', partnerId: quay.id, accountId: quay.accountId, userId, ...post }
  }
  const keyWith = (...scopes: PartnerCaller['scopes']): PartnerCaller => ({
    kind: 'partner',
    app: at.app,
    requestId: 'test',
    partnerId: quay.id,
    accountId: quay.accountId,
    accountIds: null,
    keyId: 1,
    keyName: 'AbC12345',
    scopes,
    hasPassword: true,
    mayReadWithKeyAlone: true,
    mayWriteDirectly: false,
    names: null,
    series: null,
    limits: { readsPerMinute: 0, writesPerMinute: 0, takenPerHour: 0 },
  })
  const visitor = (): Visitor => ({ app: at.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null })
  const invitationTo = (email: string, role = 'member') => draftOf(newStaffInvitation, { email, role, customers: 'all' })
  const tokenFor = async (email: string, role?: string) =>
    (await inviteStaffByLink(at.operator, quay.id, invitationTo(email, role))).url.split('/').at(-1) ?? ''
  const lookAfter = (account: number, userId: number) =>
    at.app.store.write((tx) => tx.updateTable('accounts').set({ looked_after_by: userId }).where('id', '=', account).execute())
  const linkOf = (created_by: number, site_id: number, expires_at: string) => {
    const row = { site_id, label: 'A link', token_hash: named('hash'), created_by, created_at: '2019-01-01T00:00:00Z', expires_at }
    return at.app.store.write((tx) => tx.insertInto('share_links').values(row).execute())
  }
  const siteOf = async (accountId: number, domain: string) => {
    const { id } = await createBusiness(at.operator, draftOf(newBusiness, { name: domain, account_id: accountId }))
    return { business: id, site: (await createSite(at.operator, id, domain)).id }
  }
  const refused = (work: Promise<unknown>, code: Failure['code'], saying = /./) =>
    assert.rejects(work, (error) => error instanceof Failure && error.code === code && saying.test(error.message))

  test('a login that a key made beforehand is worth nothing to it once its person has joined', async () => {
    const key = keyWith('provision', 'login_link')
    const id = await userIn(harbor, 'ben')
    const held = (await logIn(visitor(), { name: named('ben'), password: known, isRemembered: true })).token
    const link = (await createLoginLink(key, id)).url.split('/').at(-1) ?? ''
    const token = await tokenFor(emailOf('ben'))
    assert.deepEqual(await lookAtInvitation(visitor(), token), {
      email: emailOf('ben'),
      login: named('ben'),
      partnerId: quay.id,
      accountId: quay.accountId,
    })
    const session = await acceptInvitation(visitor(), token, { name: 'Ben', fresh: chosen })
    assert.deepEqual((await findSession(visitor(), session))?.person.post, { role: 'member', customers: 'all' })
    assert.equal(await findSession(visitor(), held), null)
    await refused(logIn(visitor(), { name: named('ben'), password: known, isRemembered: false }), 'unauthorized')
    assert.deepEqual(await at.app.store.db.selectFrom('login_links').selectAll().where('user_id', '=', id).execute(), [], link)
    assert.equal((await findUser(at.operator, id)).account_id, quay.accountId, 'staff live in the partner account')
    await refused(acceptInvitation(visitor(), token, { name: '', fresh: chosen }), 'unauthorized')
  })

  test('somebody new gets a login in the partner account', async () => {
    const token = await tokenFor(emailOf('cara'), 'admin')
    assert.equal((await lookAtInvitation(visitor(), token))?.login, null)
    await refused(acceptInvitation(visitor(), token, { name: 'Cara', fresh: 'short' }), 'validation_failed')
    await refused(acceptInvitation(visitor(), token, { name: 'Cara\nSmith', fresh: chosen }), 'validation_failed')
    await acceptInvitation(visitor(), token, { name: 'Cara', fresh: chosen })
    const cara = (await listStaff(boss, quay.id)).find(({ email }) => email === emailOf('cara'))
    assert.deepEqual([cara?.name, cara?.role, cara?.customers], ['Cara', 'admin', 'all'])
    await logIn(visitor(), { name: emailOf('cara'), password: chosen, isRemembered: false })
  })

  test('an invitation that was replaced, withdrawn, forged or let lie is worth nothing', async () => {
    const first = await tokenFor(emailOf('dee'))
    const second = await tokenFor(emailOf('dee'))
    assert.equal(await lookAtInvitation(visitor(), first), null)
    assert.equal(await lookAtInvitation(visitor(), `${second}x`), null)
    assert.equal(await lookAtInvitation({ ...visitor(), hostPartnerId: quay.id + 1000 }, second), null)
    const [waiting] = await listStaffInvitations(boss, quay.id)
    await withdrawStaffInvitation(boss, quay.id, waiting?.id ?? 0)
    assert.equal(await lookAtInvitation(visitor(), second), null)
    const third = await tokenFor(emailOf('dee'))
    await at.app.store.write((tx) => tx.updateTable('staff_invitations').set({ expires_at: '2020-01-01T00:00:00Z' }).execute())
    await refused(acceptInvitation(visitor(), third, { name: '', fresh: chosen }), 'unauthorized')
    assert.deepEqual(await listStaffInvitations(boss, quay.id), [])
  })

  test('invitations that were let lie make room, each in its own partner', async () => {
    const other = await createPartner(at.operator, `Other ${count}`)
    await inviteStaffByLink(at.operator, other.partner.id, invitationTo(emailOf('guy')))
    await tokenFor(emailOf('dee'))
    await at.app.store.write((tx) => tx.updateTable('staff_invitations').set({ expires_at: '2020-01-01T00:00:00Z' }).execute())
    await tokenFor(emailOf('eli'))
    const kept = await at.app.store.db
      .selectFrom('staff_invitations')
      .select('email')
      .where('partner_id', 'in', [quay.id, other.partner.id])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      kept.map(({ email }) => email),
      [emailOf('guy'), emailOf('eli')],
    )
  })

  test('an invitation of another partner takes no user from the keys of their own', async () => {
    const other = await createPartner(at.operator, `Other ${count}`)
    await inviteStaffByLink(at.operator, other.partner.id, invitationTo(emailOf('zoe')))
    const id = await userIn(harbor, 'zoe')
    assert.equal((await changeUser(keyWith('provision'), id, draftOf(changedUser, { name: 'Zoe' }))).name, 'Zoe')
    assert.equal((await listStaffInvitations(at.operator, other.partner.id)).length, 1)
    await eraseUser(at.operator, named('zoe'))
    assert.deepEqual(await listStaffInvitations(at.operator, other.partner.id), [], 'who is erased is erased everywhere')
  })

  test('without a mail server nobody is invited but by the operator', async () => {
    await refused(inviteStaff(boss, quay.id, invitationTo(emailOf('eve'))), 'conflict', /mail/)
    assert.deepEqual(await listStaffInvitations(boss, quay.id), [])
  })

  test('nobody is invited twice over, from elsewhere, or while suspended', async () => {
    await refused(inviteStaffByLink(at.operator, quay.id, invitationTo(emailOf('boss'))), 'conflict', /staff already/)
    const other = await createPartner(at.operator, `Other ${count}`)
    const draft = draftOf(newUser, {
      login: named('elsewhere'),
      email: emailOf('elsewhere'),
      password: known,
      account_id: other.account.id,
    })
    await createUser(at.operator, draft)
    await refused(inviteStaffByLink(at.operator, quay.id, invitationTo(emailOf('elsewhere'))), 'validation_failed')
    await suspendUser(at.operator, await userIn(quay.accountId, 'sue'))
    await refused(inviteStaffByLink(at.operator, quay.id, invitationTo(emailOf('sue'))), 'conflict', /suspended/)
    await refused(inviteStaffByLink(at.operator, quay.id + 1_000_000, invitationTo(emailOf('fay'))), 'not_found')
    const restricted = draftOf(newStaffInvitation, { email: emailOf('fay'), role: 'admin', customers: 'assigned' })
    await refused(inviteStaffByLink(at.operator, quay.id, restricted), 'validation_failed')
  })

  test('only admins, the operator and keys with the scope staff change who is staff or is invited', async () => {
    const member = await colleague('mia', { role: 'member', customers: 'all' })
    const invited = await userIn(quay.accountId, 'ivo')
    await tokenFor(emailOf('ivo'))
    const limited = { ...keyWith('provision', 'staff'), accountIds: [quay.accountId] }
    for (const caller of [keyWith('provision', 'login_link'), limited, member])
      for (const id of [boss.userId, invited]) {
        await refused(changeUser(caller, id, draftOf(changedUser, { password: known })), 'forbidden', /staff/)
        await refused(changeUser(caller, id, draftOf(changedUser, { email: emailOf('thief') })), 'forbidden')
        await refused(suspendUser(caller, id), 'forbidden')
        await refused(deleteUser(caller, id), 'forbidden')
        await refused(setPassword(caller, id, known), 'forbidden')
        await refused(createLoginLink(caller, id), 'forbidden')
        assert.equal((await findUser(caller, id)).id, id)
        assert.deepEqual(await listAbilities(caller, id), [])
        const entries = [{ key: 'show' as const, scope_type: 'Account' as const, scope_id: quay.accountId }]
        await updateAbilities(caller, id, { entries, faults: [] }, 'merge')
        await updateAbilities(caller, id, { entries, faults: [] }, 'remove')
      }
    for (const caller of [member, keyWith('provision'), limited]) {
      await refused(listStaff(caller, quay.id), 'forbidden')
      await refused(inviteStaff(caller, quay.id, invitationTo(emailOf('kay'))), 'forbidden')
      await refused(removeStaffMember(caller, quay.id, boss.userId), 'forbidden')
    }
    for (const caller of [boss, keyWith('provision', 'login_link', 'staff')]) {
      await refused(createLoginLink(caller, member.userId), 'forbidden', /login page/)
      const { name } = await changeUser(caller, member.userId, draftOf(changedUser, { name: `Mia ${caller.kind}` }))
      assert.equal(name, `Mia ${caller.kind}`)
    }
    await refused(changeUser(boss, member.userId, draftOf(changedUser, { account_id: harbor })), 'conflict', /partner account/)
  })

  test('the last admin cannot leave, be removed, suspended or made a member', async () => {
    const member = await colleague('max', { role: 'member', customers: 'all' })
    const demotion = draftOf(changedStaffMember, { role: 'member' })
    for (const caller of [boss, at.operator]) {
      await refused(removeStaffMember(caller, quay.id, boss.userId), 'conflict', /last admin/)
      await refused(changeStaffMember(caller, quay.id, boss.userId, demotion), 'conflict', /last admin/)
      await refused(suspendUser(caller, boss.userId), 'conflict', /last admin/)
      await refused(deleteUser(caller, boss.userId), 'conflict', /last admin/)
    }
    await changeStaffMember(boss, quay.id, member.userId, draftOf(changedStaffMember, { role: 'admin' }))
    await changeStaffMember(boss, quay.id, boss.userId, demotion)
    assert.deepEqual(
      (await listStaff(at.operator, quay.id)).map(({ role }) => role),
      ['member', 'admin'],
    )
    await eraseUser(at.operator, named('max'))
    assert.equal((await listStaff(at.operator, quay.id)).length, 1, 'whoever asks to be erased is, even the last admin')
  })

  test('who is removed hands over customers, links and reports, and is logged out', async () => {
    const [mia, ned] = [
      await colleague('mia', { role: 'member', customers: 'assigned' }),
      await colleague('ned', { role: 'member', customers: 'assigned' }),
    ]
    await lookAfter(harbor, mia.userId)
    const { site } = await siteOf(harbor, `shared${count}.example`)
    await linkOf(ned.userId, site, '2020-01-01T00:00:00Z')
    const session = (await logIn(visitor(), { name: named('mia'), password: known, isRemembered: false })).token
    await refused(removeStaffMember(boss, quay.id, mia.userId), 'conflict', /1 customer,/)
    await refused(deleteUser(boss, mia.userId), 'conflict', /1 customer,/)
    await refused(removeStaffMember(boss, quay.id, mia.userId, mia.userId), 'validation_failed')
    await removeStaffMember(boss, quay.id, mia.userId, ned.userId)
    assert.equal(await findSession(visitor(), session), null)
    assert.deepEqual(
      (await listStaff(boss, quay.id)).map(({ id, looks_after }) => [id, looks_after]),
      [
        [boss.userId, 0],
        [ned.userId, 1],
      ],
    )
    const again = (await logIn(visitor(), { name: named('mia'), password: known, isRemembered: false })).token
    assert.equal((await findSession(visitor(), again))?.person.post, null)
    await lookAfter(harbor, boss.userId)
    const { id } = await createSchedule(at.operator, harbor, { rhythm: 'weekly', siteIds: null, recipients: [emailOf('ned')] })
    const ofReport = () => at.app.store.db.selectFrom('report_recipients').select('email').where('schedule_id', '=', id).execute()
    await at.app.store.write((tx) => tx.updateTable('report_recipients').set({ state: 'active' }).where('schedule_id', '=', id).execute())
    await refused(removeStaffMember(boss, quay.id, ned.userId), 'conflict', / 1 report by mail/)
    await removeStaffMember(boss, quay.id, ned.userId, boss.userId)
    assert.deepEqual(await ofReport(), [{ email: emailOf('boss') }])
    const max = await colleague('max', { role: 'member', customers: 'all' })
    await removeStaffMember(boss, quay.id, max.userId)
  })

  test('a member reaches the assigned customers and no other, and without any none', async () => {
    const [ours, theirs] = [await siteOf(harbor, `h${count}.example`), await siteOf(sunrise, `s${count}.example`)]
    const mia = await colleague('mia', { role: 'member', customers: 'assigned' })
    const seen = async () => {
      const token = (await logIn(visitor(), { name: named('mia'), password: known, isRemembered: false })).token
      const person = (await findSession(visitor(), token))?.person ?? assert.fail()
      return (await listVisibleSites(person)).map(({ id }) => id)
    }
    await refused(findSite(mia, ours.site), 'not_found')
    assert.deepEqual(await seen(), [])
    await lookAfter(harbor, mia.userId)
    assert.equal((await findSite(mia, ours.site)).id, ours.site)
    assert.equal((await findBusiness(mia, ours.business)).id, ours.business)
    await refused(findSite(mia, theirs.site), 'not_found')
    await refused(findUser(mia, boss.userId), 'not_found')
    await refused(createBusiness(mia, draftOf(newBusiness, { name: 'At home' })), 'validation_failed')
    assert.deepEqual(await seen(), [ours.site])
    const { allowed, grants } = await explainAccess(boss, mia.userId, 'Site', ours.site)
    assert.deepEqual([allowed, grants.map(({ by }) => by)], [true, ['staff']])
    assert.equal((await explainAccess(boss, mia.userId, 'Site', theirs.site)).allowed, false)
  })

  test('staff of one partner reach nothing of another', async () => {
    const other = await createPartner(at.operator, `Globex ${count}`)
    const { site } = await siteOf(other.account.id, `globex${count}.example`)
    await refused(findSite(boss, site), 'not_found')
    await refused(findUser(boss, await userIn(other.account.id, 'gina')), 'not_found')
    const gina = await at.app.store.db.selectFrom('users').select('id').where('login', '=', named('gina')).executeTakeFirstOrThrow()
    await appointStaff(at.operator, other.partner.id, gina.id, { role: 'admin', customers: 'all' })
    await refused(removeStaffMember(boss, quay.id, gina.id), 'not_found')
    await refused(listStaff(boss, other.partner.id), 'not_found')
  })
})
