/** The second factor: proved at every login, never replaced by a link, gone when its person says so, the operator does, or an invitation to the staff is accepted. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { Failure } from '../../../src/lib/failures.ts'
import { countSealed, isAnySealedBehind, sealAgain, unseal } from '../../../src/model/core/secrets/sealed-values.ts'
import { setPartner } from '../../../src/model/partners/partners.ts'
import { createLoginLink, redeemLoginLink } from '../../../src/model/people/login-links.ts'
import { completeLogin, logIn } from '../../../src/model/people/logins.ts'
import { eraseUser } from '../../../src/model/people/personal-data.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from '../../../src/model/people/second-factor/second-factors.ts'
import { findSession, type LoggedIn } from '../../../src/model/people/sessions.ts'
import { acceptInvitation } from '../../../src/model/people/staff/joining.ts'
import { appointStaff } from '../../../src/model/people/staff/staff.ts'
import { inviteStaffByLink } from '../../../src/model/people/staff/staff-invitations.ts'
import { setPassword, suspendUser, unsuspendUser } from '../../../src/model/people/user-states.ts'
import { createUser } from '../../../src/model/people/users.ts'
import type { Visitor } from '../../../src/model/people/visitor.ts'
import { listSecrets, retireSecret, rotateSecret } from '../../../src/model/upkeep/secret-rotation.ts'
import { newStaffInvitation, newUser } from '../../../src/resources/user.ts'
import { onEachEngine } from '../../support/engines.ts'
import { codeAt } from '../../support/one-time-codes.ts'
import { password } from '../../support/people.ts'
import { doorWorldAt } from '../../support/visitors.ts'

onEachEngine('the second factor', (place) => {
  const world = doorWorldAt(place)
  let [login, id, count] = ['', 0, 0]
  beforeEach(async () => {
    count++
    login = `person-${count}`
    const draft = draftOf(newUser, { login, email: `${login}@people.example`, password, account_id: world.accountId })
    id = (await createUser(world.operator, draft)).id
  })

  const refused = (work: Promise<unknown>, code: Failure['code'], saying = /./) =>
    assert.rejects(work, (error) => error instanceof Failure && error.code === code && saying.test(error.message))
  const enter = (visitor: Visitor = world.visitor()) => logIn(visitor, { name: login, password, isRemembered: true })
  const code = (key: string) => codeAt(key, world.clock.now())
  const wrong = (key: string) => (code(key) === '000000' ? '000001' : '000000')
  /** One that the next code comes after. */
  const setUp = async (loggedIn?: LoggedIn) => {
    const person = loggedIn ?? (await world.enter(login))
    const { key } = await beginSecondFactor(world.visitor(), person, password, 'Marquee')
    const codes = await confirmSecondFactor(world.visitor(), person, code(key))
    world.clock.pass(30)
    return { key, codes, person }
  }
  const rows = () => world.app.store.db.selectFrom('second_factors').selectAll().where('user_id', '=', id).execute()

  test('is set up with the password and a first code, and ends what was open elsewhere', async () => {
    const elsewhere = (await enter()).token
    const here = await world.enter(login)
    await refused(beginSecondFactor(world.visitor(), here, 'not the password', 'Marquee'), 'validation_failed')
    const { key, uri } = await beginSecondFactor(world.visitor(), here, password, 'Quay & Sons')
    assert.equal(
      (await beginSecondFactor(world.visitor(), here, password, 'Quay')).key,
      key,
      'a page that is loaded again shows the same key',
    )
    assert.equal(new URL(uri).searchParams.get('secret'), key)
    assert.match(uri, /^otpauth:\/\/totp\/Quay%20%26%20Sons:person-\d+\?/)
    assert.equal((await enter()).awaitsCode, false, 'nothing is asked for before a code has proved the app')
    await refused(confirmSecondFactor(world.visitor(), here, wrong(key)), 'validation_failed')
    const codes = await confirmSecondFactor(world.visitor(), here, code(key))
    assert.equal(new Set(codes).size, 10)
    assert.equal(await findSession(world.visitor(), elsewhere), null)
    const session = await world.app.store.db.selectFrom('sessions').select('token_hash').where('user_id', '=', id).execute()
    assert.deepEqual(session, [{ token_hash: here.session.tokenHash }])
    await refused(beginSecondFactor(world.visitor(), here, password, 'Marquee'), 'conflict', /on already/)
    const kept = JSON.stringify([await rows(), await world.app.store.db.selectFrom('recovery_codes').selectAll().execute()])
    for (const secret of [key, ...codes]) assert.ok(!kept.includes(secret), 'neither the key nor a code lies there to be read')
  })

  test('is asked at every login, takes each code once, and a recovery code in place of one', async () => {
    const { key, codes } = await setUp()
    const { token, awaitsCode } = await enter()
    assert.deepEqual([awaitsCode, await findSession(world.visitor(), token)], [true, null])
    await refused(completeLogin(world.visitor(), token, wrong(key)), 'unauthorized', /not right/)
    const entered = await completeLogin(world.visitor(), token, ` ${code(key).slice(0, 3)} ${code(key).slice(3)}`)
    assert.deepEqual([entered?.isRemembered, entered?.openedBy], [true, 'password'])
    assert.ok(await findSession(world.visitor(), entered?.token ?? ''))
    assert.equal(await completeLogin(world.visitor(), token, code(key)), null, 'a login is gone on with once')
    await refused(completeLogin(world.visitor(), (await enter()).token, code(key)), 'unauthorized', /used before/)
    const [first = '', second = ''] = codes
    assert.ok(await completeLogin(world.visitor(), (await enter()).token, first.toUpperCase().replaceAll('-', ' ')))
    await refused(completeLogin(world.visitor(), (await enter()).token, first), 'unauthorized')
    assert.equal((await readSecondFactor(world.app.store.db, id))?.recoveryCodes, 9)
    const loggedIn = await completeLogin(world.visitor(), (await enter()).token, second)
    const person = (await findSession(world.visitor(), loggedIn?.token ?? '')) ?? assert.fail()
    const fresh = await renewRecoveryCodes(world.visitor(), person, password)
    await refused(completeLogin(world.visitor(), (await enter()).token, codes[2] ?? ''), 'unauthorized')
    assert.ok(await completeLogin(world.visitor(), (await enter()).token, fresh[0] ?? ''))
  })

  test('two at once with one code: one gets in', async () => {
    const { key } = await setUp()
    const pending = [(await enter()).token, (await enter()).token]
    const outcomes = await Promise.allSettled(pending.map((token) => completeLogin(world.visitor(), token, code(key))))
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })

  test('is not replaced by a login link', async () => {
    const { key } = await setUp()
    const link = (await createLoginLink(world.operator, id)).url.split('/').at(-1) ?? ''
    const { token, awaitsCode } = await redeemLoginLink(world.visitor(), link)
    assert.equal(awaitsCode, true)
    assert.equal((await completeLogin(world.visitor(), token, code(key)))?.openedBy, 'link')
  })

  test('a login under way ends after ten minutes, with a new password, and with a suspension', async () => {
    const { key } = await setUp()
    const late = (await enter()).token
    world.clock.pass(601)
    assert.equal(await completeLogin(world.visitor(), late, code(key)), null)
    const suspended = (await enter()).token
    await suspendUser(world.operator, id)
    assert.equal(await completeLogin(world.visitor(), suspended, code(key)), null)
    await unsuspendUser(world.operator, id)
    const replaced = (await enter()).token
    await setPassword(world.operator, id, password)
    assert.equal(await completeLogin(world.visitor(), replaced, code(key)), null)
    assert.equal((await enter()).awaitsCode, true, 'a new password does not take it away')
  })

  test('a right password buys no guesses at the code', async () => {
    const { key } = await setUp()
    const thief = world.visitor('203.0.113.77')
    for (let guess = 0; guess < 4; guess++) await refused(completeLogin(thief, (await enter(thief)).token, wrong(key)), 'unauthorized')
    await refused(completeLogin(thief, (await enter(thief)).token, wrong(key)), 'unauthorized')
    await refused(completeLogin(thief, (await enter(thief)).token, code(key)), 'too_many_requests')
    assert.ok(await completeLogin(world.visitor('198.51.100.30'), (await enter()).token, code(key)), 'elsewhere its person gets in')
  })

  test('is given up with the password, taken away by the operator, and gone with its person', async () => {
    const { person } = await setUp()
    await refused(endSecondFactor(world.visitor(), person, 'not the password'), 'validation_failed')
    await endSecondFactor(world.visitor(), person, password)
    assert.equal((await enter()).awaitsCode, false)
    await refused(resetSecondFactor(world.operator, id), 'conflict', /no second factor/)
    await setUp()
    const pending = (await enter()).token
    await resetSecondFactor(world.operator, id)
    assert.deepEqual([(await enter()).awaitsCode, await completeLogin(world.visitor(), pending, '123456')], [false, null])
    await refused(resetSecondFactor(world.operator, 1_000_000), 'not_found')
    const audited = world.app.store.db.selectFrom('audit_entries').select('action').where('subject_id', '=', id).orderBy('id')
    const actions = (await audited.where('action', 'like', 'user.second%').execute()).map(({ action }) =>
      action.slice('user.second_factor_'.length),
    )
    assert.deepEqual(actions, ['on', 'off', 'on', 'reset'])
    await setUp()
    await eraseUser(world.operator, login)
    assert.deepEqual(await rows(), [])
    assert.equal((await world.app.store.db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', id).execute()).length, 0)
  })

  test('one that was set up beforehand does not survive an invitation to the staff, nor does its login under way', async () => {
    const { codes } = await setUp()
    const pending = (await enter()).token
    const invitation = draftOf(newStaffInvitation, { email: `${login}@people.example`, role: 'member', customers: 'all' })
    const { url } = await inviteStaffByLink(world.operator, world.partnerId, invitation)
    await acceptInvitation(world.visitor(), url.split('/').at(-1) ?? '', { name: '', fresh: 'a password of my own' })
    assert.equal(await completeLogin(world.visitor(), pending, codes[0] ?? ''), null)
    assert.deepEqual(await rows(), [])
  })

  test('a partner may demand it of its staff, and of nobody else', async () => {
    const lacks = async () => (await world.enter(login)).lacksSecondFactor
    await setPartner(world.operator, world.partnerId, { demands_second_factor: 1 })
    assert.equal(await lacks(), false)
    await appointStaff(world.operator, world.partnerId, id, { role: 'member', customers: 'all' })
    assert.equal(await lacks(), true)
    const person = await world.enter(login)
    await setUp(person)
    const session = await world.app.store.db.selectFrom('sessions').select('user_id').where('user_id', '=', id).execute()
    assert.equal(session.length, 1)
    await setPartner(world.operator, world.partnerId, { demands_second_factor: 0 })
  })

  test('goes on through a rotation of the server secret, which no secret leaves that a key still needs', async () => {
    const { key } = await setUp()
    const neighbour = await world.app.store.db.selectFrom('second_factors').selectAll().where('user_id', '!=', id).execute()
    const { app, operator } = world
    const before = app.secrets.current.id
    await rotateSecret(operator, { startsInSeconds: 1 })
    world.clock.pass(30)
    await app.secrets.refresh()
    assert.equal(await isAnySealedBehind(app), true)
    assert.ok(await completeLogin(world.visitor(), (await enter()).token, code(key)), 'read under the old secret')
    await sealAgain(app)
    assert.equal(await isAnySealedBehind(app), false)
    world.clock.pass(30)
    assert.ok(await completeLogin(world.visitor(), (await enter()).token, code(key)), 'read under the new secret')
    assert.equal((await countSealed(app)).needing.get(before), undefined)
    const [{ sealed = '' } = {}] = await rows()
    assert.equal(unseal(app.secrets, 'second_factors', id, sealed), key)
    assert.equal(unseal(app.secrets, 'second_factors', id + 1, sealed), null, 'a copy in the row of somebody else is worth nothing')
    const broken = `${before}.${sealed.slice(sealed.indexOf('.') + 1, -4)}AAAA`
    await app.store.write((tx) => tx.updateTable('second_factors').set({ sealed: broken }).where('user_id', '=', id).execute())
    assert.equal((await countSealed(app)).unreadable, 1)
    await refused(retireSecret(operator, before, true), 'conflict', /still need it/)
    await resetSecondFactor(operator, id)
    await retireSecret(operator, before, true)
    assert.equal((await listSecrets(operator)).find((secret) => secret.id === before)?.state, 'retired')
    assert.equal((await countSealed(app)).unreadable, 0)
    const others = await world.app.store.db.selectFrom('second_factors').selectAll().where('user_id', '!=', id).execute()
    assert.deepEqual(
      others.map(({ sealed: _, ...row }) => row),
      neighbour.map(({ sealed: _, ...row }) => row),
    )
  })
})
