/** Every purpose of the server secret through a rotation: what the old secret made is known while it retires; once it is retired, only what lets nobody in. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { readSettings } from '../../../src/config.ts'
import { numberOf } from '../../../src/lib/secrets.ts'
import { openApp } from '../../../src/model/core/app.ts'
import type { PartnerCaller } from '../../../src/model/core/caller.ts'
import { runIdempotently } from '../../../src/model/core/idempotency.ts'
import { lateWritesDone } from '../../../src/model/core/late-writes.ts'
import { isErased, reviewerHash } from '../../../src/model/core/reviewer-hash.ts'
import { addSecret, readSecretFile, secretPath } from '../../../src/model/core/secrets/secret-file.ts'
import { findRecipient, recipientToken } from '../../../src/model/mail/recipients.ts'
import { createSchedule } from '../../../src/model/mail/schedules.ts'
import { authenticate } from '../../../src/model/partners/authenticate.ts'
import { type FreshKey, issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createLoginLink, lookAtLoginLink } from '../../../src/model/people/login-links.ts'
import { logIn } from '../../../src/model/people/logins.ts'
import { findSession } from '../../../src/model/people/sessions.ts'
import { createShareLink, findGuest, openShareLink } from '../../../src/model/people/share-links.ts'
import { findUser } from '../../../src/model/people/users.ts'
import type { Visitor } from '../../../src/model/people/visitor.ts'
import { wholeSeoReport } from '../../../src/model/reports/question.ts'
import { etagOf, otherEtagsOf } from '../../../src/model/reports/version.ts'
import { sealEntries, verifyAudit } from '../../../src/model/upkeep/audit-seals.ts'
import { listIdleKeys, listSecrets, retireSecret, rotateSecret } from '../../../src/model/upkeep/secret-rotation.ts'
import { checkForm, formToken } from '../../../src/web/form-token.ts'
import { authorization, groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makePeople, type PeopleWorld, password as right } from '../../support/people.ts'

type StillKnown = () => Promise<boolean> | boolean

const isTrue = (work: Promise<unknown>) =>
  work.then(
    (value) => value !== null && value !== false,
    () => false,
  )

onEachEngine('a rotation of the server secret', (place) => {
  const ground = groundAt(place)
  const known = new Map<string, StillKnown>()
  let world: PeopleWorld
  let idle: FreshKey
  let halfMoved: FreshKey
  const visitor = (): Visitor => ({ app: ground.app, requestId: 'test', network: '192.0.2.1', hostPartnerId: null })
  const enter = (key: FreshKey, password = key.password) => authenticate(ground.app, authorization(`${key.key}:${password}`), 'test')
  const caller = async (key: FreshKey): Promise<PartnerCaller> => enter(key)
  const told = async () => Object.fromEntries(await Promise.all([...known].map(async ([name, ask]) => [name, await ask()])))
  const all = (value: boolean) => Object.fromEntries([...known.keys()].map((name) => [name, value]))

  before(async () => {
    const { app, operator } = ground
    world = await makePeople(operator)
    idle = await issueKey(operator, world.partnerId, { label: 'monthly' })
    halfMoved = await issueKey(operator, world.partnerId, { label: 'reports alone' })
    const used = await issueKey(operator, world.partnerId)
    const session = (await logIn(visitor(), { name: 'dana-owner', password: right, isRemembered: true })).token
    const link = (await createLoginLink(operator, world.users['kim-one-site'], 90 * 86_400)).url.split('/').at(-1) ?? ''
    const share = await createShareLink(operator, world.chicago, { label: '', days: 300, password: null })
    const cookie = await openShareLink(visitor(), share.token, '')
    const schedule = await createSchedule(operator, world.accountId, {
      rhythm: 'weekly',
      recipients: ['kim@harbor.example'],
      siteIds: null,
    })
    const unsubscribe = recipientToken(app, schedule.recipients[0]?.id ?? 0)
    const form = formToken(app.secrets, 'dana')
    const partner = await caller(used)
    const tag = etagOf(partner, wholeSeoReport, 'identity', '1:1')
    const kept = { status: 201, headers: {}, body: Buffer.from('made') }
    const request = { key: 'order-1', operation: 'POST x', content: 'a body' }
    await runIdempotently(
      partner,
      request,
      async () => ({ id: 1 }),
      () => kept,
    )
    const erased = new Set([reviewerHash(app, 'Dana K.')])
    const shown = (await findUser(operator, world.users['dana-owner'])).crypted_password
    for (let head = await sealEntries(app); head !== null; head = await sealEntries(app)) {}
    const anchor = (await verifyAudit(app)).head ?? undefined
    known.set('key in use', () => isTrue(enter(used)))
    known.set('session', () => isTrue(findSession(visitor(), session)))
    known.set('login link', () => isTrue(lookAtLoginLink(visitor(), link)))
    known.set('share link that is open', () => isTrue(findGuest(visitor(), cookie)))
    known.set('unsubscribe link', () => isTrue(findRecipient(app, unsubscribe)))
    known.set('form', () => isTrue((async () => checkForm(app.secrets, 'dana', { 'sec-fetch-site': 'same-origin' }, form))()))
    known.set('entity tag', () =>
      [etagOf(partner, wholeSeoReport, 'identity', '1:1'), ...otherEtagsOf(partner, wholeSeoReport, 'identity', '1:1')].includes(tag),
    )
    known.set('kept answer', async () => {
      const { answer, isReplay } = await runIdempotently(
        partner,
        request,
        () => assert.fail('done twice'),
        () => kept,
      )
      return isReplay && answer.body.toString() === 'made'
    })
    known.set('erasure', () => isErased(app, 'Dana K.', erased))
    known.set('shown password', async () => (await findUser(operator, world.users['dana-owner'])).crypted_password === shown)
    known.set('audit chain', async () => (await verifyAudit(app, anchor)).faults.length === 0)
  })

  test('knows what it made before there is another', async () => {
    assert.deepEqual(await told(), all(true))
    assert.deepEqual(
      (await listSecrets(ground.operator)).map(({ id, state }) => [id, state]),
      [[1, 'current']],
    )
  })

  test('is announced, and everything made so far is known', async () => {
    const secret = await rotateSecret(ground.operator, { startsInSeconds: 15, graceDays: 30 })
    assert.deepEqual([secret.id, secret.state, ground.app.secrets.current.id], [2, 'announced', 1])
    assert.equal(readSecretFile(secretPath(ground.app.settings))?.length, 2)
    await assert.rejects(rotateSecret(ground.operator), /A rotation is under way/)
    assert.deepEqual(await told(), all(true))
  })

  test('takes over: new values carry its number, and everything made before is known', async () => {
    ground.pass(16)
    await ground.app.secrets.refresh()
    assert.equal(ground.app.secrets.current.id, 2)
    assert.equal(numberOf(ground.app.secrets.hmac('session', 'x')), 2)
    assert.deepEqual(await told(), all(true))
  })

  test('a key moves when it is used; one that is idle, or used without its password, is listed with its deadline', async () => {
    await authenticate(ground.app, authorization(`${halfMoved.key}:`), 'test')
    await lateWritesDone(ground.app)
    const listed = await listIdleKeys(ground.operator)
    const own = listed.filter(({ partner_id, label }) => partner_id === world.partnerId && ['monthly', 'reports alone'].includes(label))
    assert.deepEqual(
      own.map(({ public_part, secret, deadline }) => [public_part, secret, deadline]),
      [
        [idle.record.public_part, 1, '2026-12-14T12:00:15Z'],
        [halfMoved.record.public_part, 1, '2026-12-14T12:00:15Z'],
      ],
    )
    const rows = await ground.app.store.db
      .selectFrom('keys')
      .select(['key_hash', 'password_hash'])
      .where('id', '=', halfMoved.record.id)
      .execute()
    assert.deepEqual(
      rows.map((row) => [numberOf(row.key_hash), numberOf(row.password_hash)]),
      [[2, 1]],
    )
    await assert.rejects(enter(halfMoved, idle.password), { code: 'unauthorized' })
    assert.equal((await enter(halfMoved)).keyId, halfMoved.record.id)
    await lateWritesDone(ground.app)
    assert.deepEqual(
      (await listIdleKeys(ground.operator)).filter(({ label }) => label === 'reports alone'),
      [],
    )
  })

  test('does not make refused logins forgotten', async () => {
    const { app } = ground
    const guess = () => logIn(visitor(), { name: 'rosa-account', password: 'wrong', isRemembered: false })
    const [hash = ''] = app.secrets.hmacsInUse('session', 'name:rosa-account').slice(1)
    const row = { failures: 9, last_failed_at: app.clock.now(), blocked_until: '2026-11-14T13:00:00Z' }
    await app.store.write((tx) =>
      tx
        .insertInto('login_throttles')
        .values({ ...row, subject: `pair:${hash}:192.0.2.1` })
        .execute(),
    )
    await assert.rejects(guess(), { code: 'too_many_requests' })
  })

  test('is not to be retired while a key depends on it, unless the operator insists', async () => {
    await assert.rejects(retireSecret(ground.operator, 2, true), /is current/)
    await assert.rejects(retireSecret(ground.operator, 1, false), /They would be refused/)
    const retired = await retireSecret(ground.operator, 1, true)
    assert.equal(retired.state, 'retired')
    await ground.app.secrets.refresh()
    const lasting = ['key in use', 'session', 'kept answer', 'erasure', 'shown password', 'audit chain']
    assert.deepEqual(await told(), { ...all(false), ...Object.fromEntries(lasting.map((name) => [name, true])) })
    await assert.rejects(enter(idle), { code: 'unauthorized' })
    assert.equal((await retireSecret(ground.operator, 1, false)).retires_at, retired.retires_at)
  })

  test('is on the record', async () => {
    const entries = await ground.app.store.db
      .selectFrom('audit_entries')
      .select(['action', 'subject_id'])
      .where('subject_type', '=', 'Secret')
      .orderBy('id')
      .execute()
    assert.deepEqual(entries, [
      { action: 'secret.rotate', subject_id: 2 },
      { action: 'secret.retire', subject_id: 1 },
    ])
  })

  test('that was broken off after the file was written is taken up again', async () => {
    const path = secretPath(ground.app.settings)
    addSecret(path, readSecretFile(path) ?? [])
    const before = readFileSync(path, 'utf8')
    assert.equal((await rotateSecret(ground.operator, { startsInSeconds: 0 })).id, 3)
    assert.equal(readFileSync(path, 'utf8'), before)
    assert.equal(ground.app.secrets.current.id, 3)
  })

  test('another process that lacks a secret in use does not start, and says what to do', async () => {
    const path = secretPath(ground.app.settings)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, `${whole.split('\n').slice(0, 2).join('\n')}\n`)
    const clock = { now: () => ground.app.clock.now() }
    await assert.rejects(openApp(readSettings(place.env), { clock }), /is not the one this database was made with/)
    writeFileSync(path, `${whole.split('\n').slice(2).join('\n')}\n`)
    await assert.rejects(openApp(readSettings(place.env), { clock }), /The retiring server secret 2 is not in/)
    writeFileSync(path, whole)
    const app = await openApp(readSettings(place.env), { clock })
    assert.deepEqual((await verifyAudit(app)).faults, [])
    await app.close()
  })
})
