/** How a partner is known: by a key that can be shown, refused, rotated and revoked, and is nowhere kept as it is. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readSettings } from '../../../src/config.ts'
import { type App, openApp } from '../../../src/model/core/app.ts'
import { authenticate, refuseWithoutPassword } from '../../../src/model/partners/authenticate.ts'
import { isKey, makeKey, makePassword, makePublicPart } from '../../../src/model/partners/keys/key-format.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../src/model/partners/keys/keys.ts'
import { createPartner, resumePartner, setPartner, suspendPartner } from '../../../src/model/partners/partners.ts'
import { authorization, groundAt } from '../../support/app.ts'
import { onEachEngine } from '../../support/engines.ts'

const day = 86_400
const refused = { code: 'unauthorized' }

onEachEngine('keys', (place) => {
  const at = groundAt(place)
  let partnerId: number
  let credentials: string
  const ask = (given: string | undefined, scheme?: string) =>
    authenticate(at.app, given === undefined ? undefined : authorization(given, scheme), 'request')
  const publicPart = () => credentials.slice(3, 11)
  before(async () => {
    const { partner } = await createPartner(at.operator, 'Acme')
    partnerId = partner.id
  })
  const fresh = async (wish = {}) => {
    const { key, password } = await issueKey(at.operator, partnerId, wish)
    credentials = `${key}:${password}`
    return { key, password }
  }

  test('acme is known by key and password', async () => {
    const { key } = await fresh()
    const caller = await ask(credentials)
    assert.equal(caller.partnerId, partnerId)
    assert.equal(caller.hasPassword, true)
    assert.equal(caller.keyName, key.slice(3, 11))
    assert.deepEqual(caller.scopes, ['provision', 'report'])
    assert.deepEqual(caller.limits, { readsPerMinute: 6000, writesPerMinute: 600, takenPerHour: 1000 })
  })

  test('the scheme is read in any case, and a key may come alone with or without its colon', async () => {
    const { key } = await fresh()
    assert.equal((await ask(credentials, 'bAsIc')).hasPassword, true)
    assert.equal((await ask(`${key}:`)).hasPassword, false)
    assert.equal((await ask(key)).hasPassword, false)
  })

  test('a wrong, revoked or unknown key, or one without its password, is refused after the same number of reads, so that time tells nothing', async () => {
    const { app, reads } = countingReads(at.app)
    const { key } = await fresh()
    const revoked = await issueKey(at.operator, partnerId)
    await revokeKey(at.operator, revoked.record.public_part)
    const refusedReads = async (given: string) => {
      const before = reads()
      await nextTurn()
      let hasTicked = false
      setTimeout(() => {
        hasTicked = true
      })
      await assert.rejects(authenticate(app, authorization(given), 'request').then(refuseWithoutPassword), refused)
      assert.ok(hasTicked, 'the answer waits for a tick of the clock')
      return reads() - before
    }
    const unknown = await refusedReads(`${makeKey(makePublicPart())}:${makePassword()}`)
    assert.ok(unknown > 0)
    assert.equal(await refusedReads(`${key}:${makePassword()}`), unknown)
    assert.equal(await refusedReads(`${revoked.key}:${revoked.password}`), unknown)
    assert.equal(await refusedReads(`${key}:`), unknown)
  })

  test('nobody else is known', async () => {
    const { key, password } = await fresh()
    const other = await issueKey(at.operator, partnerId)
    const strangers = [
      `${key}:${password}x`,
      `${key}:${other.password}`,
      `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}:${password}`,
      `:${password}`,
      `${password}:${key}`,
      '',
      ':',
      'a:b',
    ]
    for (const stranger of strangers) await assert.rejects(ask(stranger), refused, stranger)
    await assert.rejects(ask(undefined), refused)
    await assert.rejects(ask(credentials, 'Bearer'), refused)
    await assert.rejects(authenticate(at.app, `Basic ${'A'.repeat(5000)}`, 'request'), refused)
    assert.ok(await ask(credentials))
  })

  test('a password with a colon in it is split at the first one only', async () => {
    const { key, password } = await fresh()
    await assert.rejects(ask(`${key}:${password}:`), refused)
  })

  test('a key is random beyond guessing and tells a typo by its checksum', async () => {
    const { key, password } = await fresh()
    assert.match(key, /^mq_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/)
    assert.match(password, /^mqs_[0-9A-Za-z]{36}$/)
    assert.ok(isKey(key))
    assert.ok(!isKey(key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))))
  })

  test('a revoked key is refused from the next request on, also when another process revoked it', async () => {
    await fresh()
    await ask(credentials)
    const elsewhere = await openApp(readSettings(place.env))
    await revokeKey({ kind: 'operator', app: elsewhere, requestId: 'test' }, publicPart())
    await elsewhere.close()
    // What another process has done is followed by a turn of the event loop at least: the one in which the next request arrives.
    await nextTurn()
    await assert.rejects(ask(credentials), refused)
  })

  test('revoking twice keeps the first time', async () => {
    await fresh()
    const first = await revokeKey(at.operator, publicPart())
    at.pass(60)
    assert.deepEqual(await revokeKey(at.operator, publicPart()), first)
  })

  test('a rotated key lives on for seven days beside the new one', async () => {
    const { key: oldKey } = await fresh({ label: 'nightly', scopes: ['ingest'] })
    const old = credentials
    const next = await rotateKey(at.operator, oldKey.slice(3, 11))
    assert.equal(next.record.label, 'nightly')
    assert.equal(next.record.scopes, 'ingest')
    at.pass(7 * day - 1)
    assert.ok(await ask(old))
    at.pass(1)
    await assert.rejects(ask(old), refused)
    assert.ok(await ask(`${next.key}:${next.password}`))
  })

  test('a key that is no longer valid cannot be rotated into a valid one', async () => {
    await fresh()
    await revokeKey(at.operator, publicPart())
    await assert.rejects(rotateKey(at.operator, publicPart()), { code: 'conflict' })
    await assert.rejects(rotateKey(at.operator, 'Nobody00'), { code: 'not_found' })
  })

  test('rotation never lengthens a life', async () => {
    const soon = '2026-11-01T00:00:00Z'
    const { record } = await issueKey(at.operator, partnerId, { expires_at: '2026-12-31T00:00:00Z' })
    assert.ok(soon < record.created_at)
    const next = await rotateKey(at.operator, record.public_part, 3650)
    assert.equal(next.record.expires_at, '2026-12-31T00:00:00Z')
    const kept = (await listKeys(at.operator, partnerId)).find(({ id }) => id === record.id)
    assert.equal(kept?.expires_at, '2026-12-31T00:00:00Z')
  })

  test('a suspended partner is a stranger until resumed', async () => {
    await fresh()
    await suspendPartner(at.operator, partnerId)
    await assert.rejects(ask(credentials), refused)
    await resumePartner(at.operator, partnerId)
    assert.ok(await ask(credentials))
  })

  test('a changed setting of the partner holds from the next request on', async () => {
    await fresh()
    assert.equal((await ask(credentials)).mayReadWithKeyAlone, true)
    await setPartner(at.operator, partnerId, { key_alone: 0, names: 'legacy', reads_per_minute: 0 })
    const caller = await ask(credentials)
    assert.equal(caller.mayReadWithKeyAlone, false)
    assert.equal(caller.names, 'legacy')
    assert.equal(caller.limits.readsPerMinute, 0)
  })

  test('neither key nor password is anywhere in the store', async () => {
    const { key, password } = await fresh()
    const { store } = at.app
    const rows = await store.db.selectFrom('keys').selectAll().execute()
    const details = await store.db.selectFrom('audit_details').selectAll().execute()
    const entries = await store.db.selectFrom('audit_entries').selectAll().execute()
    const everything = JSON.stringify([rows, details, entries])
    for (const secret of [key, key.slice(12), password, password.slice(4)]) assert.ok(!everything.includes(secret))
    for (const { key_hash, password_hash } of rows)
      assert.ok(!JSON.stringify([details, entries]).includes(key_hash) && password_hash !== key_hash)
  })

  test('the use of a key is written when the app is closed, at the latest', async () => {
    const { key, password } = await fresh()
    const elsewhere = await openApp(readSettings(place.env))
    await authenticate(elsewhere, authorization(`${key}:${password}`), 'request')
    await elsewhere.close()
    const used = (await listKeys(at.operator, partnerId)).find(({ public_part }) => public_part === publicPart())
    assert.notEqual(used?.last_used_at, null)
  })

  test('a key is issued to a partner who exists', async () => {
    await assert.rejects(issueKey(at.operator, 999), { code: 'not_found' })
  })
})

/** The same app, whose prepared reads are counted. */
function countingReads(app: App): { app: App; reads(): number } {
  let count = 0
  const counted =
    <P, R>(read: (params: P) => Promise<R>) =>
    (params: P) => {
      count += 1
      return read(params)
    }
  const { prepare, cacheUntilCommit } = app.store
  const store: App['store'] = {
    ...app.store,
    prepare: (build) => counted(prepare(build)),
    cacheUntilCommit: (build) => counted(cacheUntilCommit(build)),
  }
  return { app: { ...app, store }, reads: () => count }
}
