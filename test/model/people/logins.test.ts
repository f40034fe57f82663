import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf } from '../../../src/fields/read.ts'
import { Failure } from '../../../src/lib/failures.ts'
import { lateWritesDone } from '../../../src/model/core/late-writes.ts'
import type { Passwords } from '../../../src/model/core/password-hashing.ts'
import { setBrand } from '../../../src/model/partners/brand-changes.ts'
import { resumePartner, suspendPartner } from '../../../src/model/partners/partners.ts'
import { askForLoginLink, logOutEverywhere, lookAtLoginLink, redeemLoginLink } from '../../../src/model/people/login-links.ts'
import { logIn } from '../../../src/model/people/logins.ts'
import { eraseUser } from '../../../src/model/people/personal-data.ts'
import { findSession } from '../../../src/model/people/sessions.ts'
import { changePassword } from '../../../src/model/people/user-passwords.ts'
import { deleteUser, setPassword, suspendUser, unsuspendUser } from '../../../src/model/people/user-states.ts'
import { createUser, findUser } from '../../../src/model/people/users.ts'
import type { Visitor } from '../../../src/model/people/visitor.ts'
import { newUser } from '../../../src/resources/user.ts'
import { onEachEngine } from '../../support/engines.ts'
import { loginToken, password } from '../../support/people.ts'
import { doorWorldAt } from '../../support/visitors.ts'

const minutes = 60
const hours = 60 * minutes
const days = 24 * hours

onEachEngine('logging in', (place) => {
  const world = doorWorldAt(place)
  const enter = async (name: string, isRemembered = false, given = password) =>
    (await logIn(world.visitor(), { name, password: given, isRemembered })).token
  /** A visitor whose password has been checked, and found right or wrong, when something else happens. */
  const visitorWhile = (meanwhile: () => Promise<void>): Visitor => {
    const visitor = world.visitor()
    const { passwords } = visitor.app
    const verify: Passwords['verify'] = async (...given) => {
      const isRight = await passwords.verify(...given)
      await meanwhile()
      return isRight
    }
    return { ...visitor, app: { ...visitor.app, passwords: { ...passwords, verify } } }
  }
  const refused = (promise: Promise<unknown>, code: Failure['code']) =>
    assert.rejects(promise, (error) => error instanceof Failure && error.code === code)
  const lives = async (token: string) => {
    const found = await findSession(world.visitor(), token)
    await lateWritesDone(world.app)
    return found !== null
  }

  test('the first login makes a passive user active, and every login is dated', async () => {
    assert.equal((await findUser(world.operator, world.users.newcomer)).state, 'passive')
    await enter('newcomer')
    const first = await findUser(world.operator, world.users.newcomer)
    assert.deepEqual([first.state, first.activated_at, first.last_login_at], ['active', world.clock.now(), world.clock.now()])
    world.clock.pass(5 * minutes)
    await enter('NEWCOMER@people.example ')
    const second = await findUser(world.operator, world.users.newcomer)
    assert.deepEqual(
      [second.activated_at, second.last_login_at, second.updated_at],
      [first.activated_at, world.clock.now(), first.updated_at],
    )
  })

  /** What is decided about a person whose first login is just checking the password. */
  const decisions = {
    suspended: (id: number) => suspendUser(world.operator, id),
    deleted: (id: number) => deleteUser(world.operator, id),
    erased: () => eraseUser(world.operator, 'first-erased'),
    'given another password': (id: number) => setPassword(world.operator, id, 'another long one'),
  }
  for (const [decided, decide] of Object.entries(decisions))
    test(`who is ${decided} while the password of the first login is checked is not let in, and stays so`, async () => {
      const { db } = world.app.store
      const login = `first-${decided.replaceAll(' ', '-')}`
      const draft = draftOf(newUser, { login, email: `${login}@people.example`, password, account_id: world.accountId })
      const { id } = await createUser(world.operator, draft)
      const standing = () => db.selectFrom('users').select(['state', 'activated_at', 'last_login_at']).where('id', '=', id).execute()
      let decision: unknown
      const meanwhile = async () => {
        await decide(id)
        decision = await standing()
      }
      await assert.rejects(logIn(visitorWhile(meanwhile), { name: login, password, isRemembered: true }), {
        code: 'unauthorized',
        message: 'Login or password is not right.',
      })
      assert.deepEqual(await standing(), decision)
      assert.deepEqual(await db.selectFrom('sessions').select('user_id').where('user_id', '=', id).execute(), [])
    })

  test('of two first logins at once both let in, and one made the person active', async () => {
    const { app, accountId } = world
    const draft = draftOf(newUser, { login: 'two-at-once', email: 'two-at-once@people.example', password, account_id: accountId })
    const { id } = await createUser(world.operator, draft)
    const inner = visitorWhile(async () => void (await enter('two-at-once')))
    await logIn(inner, { name: 'two-at-once', password, isRemembered: false })
    const { length: sessions } = await app.store.db.selectFrom('sessions').select('user_id').where('user_id', '=', id).execute()
    const logins = app.store.db.selectFrom('audit_entries').leftJoin('audit_details', 'entry_id', 'audit_entries.id').select('detail')
    const details = await logins.where('action', '=', 'user.login').where('subject_id', '=', id).orderBy('audit_entries.id').execute()
    assert.equal(sessions, 2)
    assert.deepEqual(
      details.map(({ detail }) => detail),
      ['{"before":{"state":"passive"},"after":{"state":"active"}}', null],
    )
  })

  test('however many ask for a link at once, three are mailed', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => askForLoginLink(world.visitor(), 'newcomer')))
    assert.equal(asked.filter((mail) => mail !== null).length, 3)
  })

  test('the store holds nothing that could be put into a cookie or a link', async () => {
    const token = await enter('dana-owner')
    const link = await loginToken(world.operator, world.users['dana-owner'])
    const { db } = world.app.store
    const kept = JSON.stringify([
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('login_links').selectAll().execute(),
    ])
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    assert.ok(!kept.includes(token) && !kept.includes(link))
  })

  test('wrong password, unknown name, suspended user and suspended partner are refused in the same words', async () => {
    await suspendUser(world.operator, world.users['lee-business'])
    const sentences = new Set<string>()
    const ask = (name: string, given = password) =>
      enter(name, false, given).then(
        () => assert.fail(),
        (error: Failure) => sentences.add(`${error.code} ${error.message}`),
      )
    await ask('dana-owner', 'wrong password')
    await ask('nobody-at-all')
    await ask('lee-business')
    await suspendPartner(world.operator, world.partnerId)
    await ask('dana-owner')
    await resumePartner(world.operator, world.partnerId)
    assert.equal(sentences.size, 1)
    assert.ok(await lives(await enter('dana-owner')))
    await unsuspendUser(world.operator, world.users['lee-business'])
  })

  test('a name that nobody can bear is refused like any other', async () => {
    for (const name of ['dana\0owner', '\ud800']) await refused(enter(name), 'unauthorized')
  })

  test('a session ends after half an hour without a page, or twelve hours with', async () => {
    const idle = await enter('kim-one-site')
    world.clock.pass(29 * minutes)
    assert.ok(await lives(idle))
    world.clock.pass(29 * minutes)
    assert.ok(await lives(idle), 'a page in between keeps it')
    world.clock.pass(31 * minutes)
    assert.ok(!(await lives(idle)))
    const busy = await enter('kim-one-site')
    for (let passed = 0; passed < 12 * hours; passed += 20 * minutes) {
      assert.ok(await lives(busy))
      world.clock.pass(20 * minutes)
    }
    world.clock.pass(1)
    assert.ok(!(await lives(busy)))
  })

  test('a remembered session lives two weeks, and no clock set back revives one that ended', async () => {
    const token = await enter('kim-one-site', true)
    world.clock.pass(14 * days - 60)
    assert.ok(await lives(token))
    world.clock.pass(120)
    assert.ok(!(await lives(token)))
    world.clock.pass(-days)
    assert.ok(!(await lives(token)), 'seen dead once, it is gone')
    const other = await enter('kim-one-site', true)
    world.clock.pass(-10 * days)
    assert.ok(!(await lives(other)), 'from a future that has not come')
    world.clock.pass(11 * days)
  })

  test('sessions end with a new password, a suspension, a set password and by the operator, everywhere', async () => {
    const [here, elsewhere] = [await enter('rosa-account'), await enter('rosa-account')]
    const rosa = await findSession(world.visitor(), here)
    const fresh = await changePassword(world.visitor(), rosa ?? assert.fail(), { current: password, fresh: 'another long one' })
    assert.deepEqual([await lives(here), await lives(elsewhere), await lives(fresh)], [false, false, true])
    await setPassword(world.operator, world.users['rosa-account'], password)
    assert.ok(!(await lives(fresh)))
    const third = await enter('rosa-account')
    await suspendUser(world.operator, world.users['rosa-account'])
    await unsuspendUser(world.operator, world.users['rosa-account'])
    assert.ok(!(await lives(third)), 'not revived by unsuspending')
    const fourth = await enter('rosa-account')
    await logOutEverywhere(world.operator, world.users['rosa-account'])
    assert.ok(!(await lives(fourth)))
  })

  test('a password is only changed by who knows the old one, to one of eight characters', async () => {
    const rosa = (await findSession(world.visitor(), await enter('rosa-account'))) ?? assert.fail()
    await refused(changePassword(world.visitor(), rosa, { current: 'not it', fresh: 'long enough' }), 'validation_failed')
    await refused(changePassword(world.visitor(), rosa, { current: password, fresh: 'seven77' }), 'validation_failed')
    assert.ok(await lives(await enter('rosa-account')), 'nothing has changed')
  })

  test('a link lets in once, within a quarter of an hour, and looking at it does not use it up', async () => {
    const id = world.users['kim-one-site']
    const token = await loginToken(world.operator, id)
    assert.ok(await lookAtLoginLink(world.visitor(), token))
    assert.ok(await lookAtLoginLink(world.visitor(), token))
    const session = (await findSession(world.visitor(), (await redeemLoginLink(world.visitor(), token)).token)) ?? assert.fail()
    assert.equal(session.session.openedBy, 'link')
    await refused(redeemLoginLink(world.visitor(), token), 'unauthorized')
    const late = await loginToken(world.operator, id)
    world.clock.pass(15 * minutes + 1)
    await refused(redeemLoginLink(world.visitor(), late), 'unauthorized')
    const dead = await loginToken(world.operator, id)
    await setPassword(world.operator, id, password)
    await refused(redeemLoginLink(world.visitor(), dead), 'unauthorized')
  })

  test('whichever way a password came to be another, sessions and links made under the old one are dead', async () => {
    const id = world.users['kim-one-site']
    const [session, link] = [await enter('kim-one-site'), await loginToken(world.operator, id)]
    const verifier = await world.app.passwords.hash(password)
    await world.app.store.write((tx) => tx.updateTable('user_passwords').set({ verifier }).where('user_id', '=', id).execute())
    assert.ok(!(await lives(session)))
    assert.ok(!(await lookAtLoginLink(world.visitor(), link)))
  })

  test('one link opened by two at the same time lets in one', async () => {
    const token = await loginToken(world.operator, world.users['kim-one-site'])
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => redeemLoginLink(world.visitor(), token)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test("a branded host lets in its own partner's people only, and knows no other's sessions", async () => {
    await setBrand(world.operator, world.partnerId, { hostName: 'reports.acme.example' })
    const atHost = world.visitor('192.0.2.1', world.partnerId)
    await refused(logIn(atHost, { name: 'gina-globex', password, isRemembered: false }), 'unauthorized')
    const gina = (await logIn(world.visitor(), { name: 'gina-globex', password, isRemembered: false })).token
    assert.equal(await findSession(atHost, gina), null)
    assert.ok(await findSession(atHost, (await logIn(atHost, { name: 'dana-owner', password, isRemembered: false })).token))
  })
})
