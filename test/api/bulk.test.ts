/** Many records in one request: each answered by its place, repeatable without doing anything twice, and all or none where that is wanted. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bulk, RecordList } from '../../src/client/client.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { mostNewPasswords } from '../../src/resources/bulk.ts'
import { newPerson } from '../support/bodies.ts'
import { onEachEngine } from '../support/engines.ts'
import { matchesGolden } from '../support/golden.ts'
import { codes } from '../support/refusals.ts'
import { basic, type Reply, serviceOn, type TestPartner } from '../support/service.ts'

onEachEngine('bulk', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let made = 0

  before(async () => {
    acme = await house.partner('Acme')
  })

  const send = (operations: unknown[], query = '', headers = {}) => acme.post(`/api/bulk.json${query}`, { operations }, { headers })
  const resultsIn = (reply: Reply) => (reply.json() as { bulk: Bulk }).bulk.results
  const statuses = (reply: Reply) => resultsIn(reply).map(({ status }) => status)
  const person = (changes = {}) => {
    made += 1
    return { kind: 'user', ...newPerson(acme.accountId, { login: `bulk-person-${made}`, email: `bulk${made}@example.com` }), ...changes }
  }
  const names = async (list: RecordList<{ name: string }> = acme.client.listBusinesses()) => (await list.toArray()).map(({ name }) => name)
  const audits = async () => (await house.app.store.db.selectFrom('audit_entries').select('id').execute()).length

  test('creates and changes several kinds, each answered by its place', async () => {
    const first = await send([{ kind: 'account', name: 'Harbor', external_id: 'acc-1' }, person(), { kind: 'business', name: 'Shop' }])
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(statuses(first), [201, 201, 201])
    const [account, user, business] = resultsIn(first).map(({ id }) => id)
    const second = await send([
      { kind: 'site', business_id: business, domain: 'SHOP.example', 'external-id': 'site-1' },
      { kind: 'user', id: user, name: 'Dana' },
      { kind: 'account', id: account, name: 'Pier' },
      { kind: 'business', id: String(business), name: 'Store' },
    ])
    assert.deepEqual(statuses(second), [201, 200, 200, 200], second.text)
    const sites = await acme.client.listSites({ external_id: 'site-1' }).toArray()
    assert.deepEqual(
      sites.map(({ domain }) => domain),
      ['shop.example'],
    )
    assert.ok((await names()).includes('Store') && (await names(acme.client.listManagedAccounts())).includes('Pier'))
  })

  test('stops when its client goes, and a repetition does what is left, once', async () => {
    const operations = Array.from({ length: 1_000 }, (_, index) => ({ kind: 'business', name: `Left ${index}` }))
    const left = async () =>
      (await house.app.store.db.selectFrom('businesses').select('name').where('name', 'like', 'Left %').execute()).length
    const going = new AbortController()
    const headers = { authorization: basic(acme.credentials), 'content-type': 'application/json', 'idempotency-key': 'client-goes' }
    const body = JSON.stringify({ operations })
    const cut = fetch(`${house.url}/api/bulk.json`, { method: 'POST', headers, body, signal: going.signal })
    while ((await left()) === 0) await sleep(1)
    going.abort()
    await assert.rejects(cut, { name: 'AbortError' })
    for (let before = -1; before !== (await left()); await sleep(500)) before = await left()
    const done = await left()
    assert.ok(done < operations.length, `${done} were done for nobody`)
    const repeat = () => send(operations, '', { 'idempotency-key': 'client-goes' })
    let again = await repeat()
    // On a busy machine the operation that was under way may take longer than a repetition waits for it.
    while (again.status === 409) again = await repeat()
    assert.equal(again.status, 200, again.text.slice(0, 300))
    assert.equal(await left(), operations.length)
  })

  test('a refused operation leaves the others alone and says what is wrong', async () => {
    const reply = await send([
      { kind: 'business', name: ' ' },
      { kind: 'business', name: 'Beside the faulty' },
      { kind: 'person' },
      'nonsense',
      { kind: 'business', id: 999_999, name: 'x' },
      person({ login: 'no' }),
      {},
      { kind: 'business', name: 'Own', external_id: 'x'.repeat(256) },
    ])
    assert.equal(reply.status, 207)
    assert.deepEqual(statuses(reply), [422, 201, 422, 422, 404, 422, 422, 422])
    const faults = resultsIn(reply).map(({ errors }) => errors.map(({ field, code }) => `${field} ${code}`.trim()))
    assert.deepEqual(faults, [
      ['name blank'],
      [],
      ['kind inclusion'],
      ['operations invalid'],
      ['not_found'],
      ['login too_short'],
      ['kind blank'],
      ['external_id invalid'],
    ])
    assert.ok((await names()).includes('Beside the faulty'))
    assert.equal((await send([{ kind: 'person' }])).status, 422)
    assert.equal((await send([])).status, 200)
    assert.deepEqual(codes(await acme.post('/api/bulk.json', {}), 422), ['operations blank'])
    assert.deepEqual(codes(await acme.post('/api/bulk.json', { operations: {} }), 422), ['operations invalid'])
    assert.deepEqual(codes(await send(Array(1001).fill({ kind: 'person' })), 422), ['operations too_many'])
  })

  test('all or none: one transaction, and nothing is left of it when an operation is refused', async () => {
    const before = await audits()
    const [one, two] = [person(), person()]
    const refused = await send([{ kind: 'business', name: 'Undone' }, one, { kind: 'site', business_id: 1, domain: 'x' }], '?atomic=1')
    assert.deepEqual([refused.status, statuses(refused)], [422, [424, 424, 422]])
    // Only the transaction itself can find this one: neither name is taken before it.
    const twice = await send(
      [{ kind: 'business', name: 'Undone' }, one, { ...two, login: one.login }, { kind: 'business', name: 'Undone' }],
      '?atomic=1',
    )
    assert.deepEqual([twice.status, statuses(twice)], [422, [424, 424, 422, 424]], twice.text)
    assert.equal(await audits(), before)
    assert.ok(!(await names()).includes('Undone'))
    const done = await send([{ kind: 'business', name: 'Done' }, one, two], '?atomic=1')
    assert.deepEqual([done.status, statuses(done)], [200, [201, 201, 201]], done.text)
    const tried = await send([{ kind: 'business', name: 'Tried' }, person()], '?atomic=1&dry_run=1')
    assert.deepEqual([tried.status, statuses(tried), (await names()).includes('Tried')], [200, [201, 201], false])
  })

  test('all or none is not begun with more new passwords than are hashed in time', async () => {
    const before = await audits()
    const many = (count: number) => Array.from({ length: count }, () => person({ password: 'short' }))
    const refused = await send(many(mostNewPasswords + 1), '?atomic=1')
    assert.deepEqual(codes(refused, 422), ['operations too_many'])
    assert.match(refused.text, /\(maximum is 250\)/)
    // A new name needs no new password, and each by itself may be as many as are reached.
    const others = Array.from({ length: mostNewPasswords }, () => ({ kind: 'user', id: 1, name: 'x', password: null }))
    assert.deepEqual(statuses(await send([...others, person({ login: '' })], '?atomic=1')).slice(-1), [422])
    assert.equal(resultsIn(await send(many(mostNewPasswords + 1).map((one) => ({ ...one, login: '' })))).length, mostNewPasswords + 1)
    assert.equal(await audits(), before)
  })

  test('a repeat does nothing twice, all or none or each by itself', async () => {
    for (const query of ['', '?atomic=1']) {
      const headers = { 'idempotency-key': `bulk${query}` }
      const operations = [{ kind: 'business', name: `Once${query}` }, person()]
      const [first, twin] = await Promise.all([send(operations, query, headers), send(operations, query, headers)])
      assert.equal(first.text, twin.text)
      const again = await send(operations, query, headers)
      assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true'])
      assert.equal((await names()).filter((name) => name === `Once${query}`).length, 1)
      assert.deepEqual(codes(await send([...operations, person()], query, headers), 422), ['idempotency_mismatch'])
    }
  })

  test('a repeat of a request that was cut off does what is left', async () => {
    const operations = ['A', 'B', 'C'].map((name) => ({ kind: 'business' as const, name: `Cut ${name}` }))
    const request = () => acme.client.changeInBulk(operations, {}, { idempotencyKey: 'cut-off' })
    const { results } = await request()
    // As if the process had died after the second operation: neither the third nor the whole is known.
    await house.app.store.write(async (tx) => {
      const mine = tx.deleteFrom('idempotency_records').where('partner_id', '=', acme.id)
      await mine.where('key', 'in', ['cut-off', 'cut-off\u001f2']).execute()
      await tx
        .deleteFrom('businesses')
        .where('id', '=', results[2]?.id ?? 0)
        .execute()
    })
    const again = await request()
    assert.deepEqual(again.results.slice(0, 2), results.slice(0, 2))
    assert.equal((await names()).filter((name) => name.startsWith('Cut')).length, 3)
  })

  test('what was refused in passing or altogether is not kept', async () => {
    const headers = { 'idempotency-key': 'refused' }
    assert.equal((await send([{ kind: 'business', id: 999_999, name: 'x' }], '', headers)).status, 422)
    const again = await send([{ kind: 'business', name: 'Now well' }], '', headers)
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'false'])
  })

  test('hundreds of businesses in XML', async () => {
    const operation = (index: number) => `<operation><kind>business</kind><name>Chain ${index}</name></operation>`
    const body = `<operations type="array">${Array.from({ length: 300 }, (_, index) => operation(index)).join('')}</operations>`
    const reply = await acme.post('/api/bulk.xml', body)
    assert.equal(reply.status, 200, reply.text.slice(0, 300))
    assert.match(reply.text, /<done type="integer">300<\/done>/)
  })

  test('each operation counts as a write, and what is missing is waited for', async () => {
    const busy = await house.partner('Busy')
    await setPartner(house.operator, busy.id, { writes_per_minute: 60, reads_per_minute: 60 })
    const operations = Array.from({ length: 100 }, (_, index) => ({ kind: 'business', name: `Busy ${index}` }))
    const done = await busy.post('/api/bulk.json', { operations })
    assert.deepEqual([done.status, done.headers['ratelimit-policy']], [200, '"writes";q=60;w=60'], done.text)
    assert.match(String(done.headers['ratelimit']), /^"writes";r=0;t=\d+$/)
    const refused = await busy.post('/api/businesses.json', { name: 'Too soon' })
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers['retry-after'])
    assert.ok(wait > 5 && wait <= 41, `${wait} s`)
    assert.equal((await busy.client.listBusinesses().toArray()).length, 100)
  })

  test('golden answers', async () => {
    const golden = await house.partner('Golden')
    const operations = [
      { kind: 'business', name: 'Shop' },
      { kind: 'business', name: '' },
    ]
    const fixed = ({ text }: Reply) => text.replaceAll(/(<id type="integer">|"id":)\d+/g, '$1{id}')
    for (const format of ['xml', 'json']) matchesGolden(`bulk.${format}`, fixed(await golden.post(`/api/bulk.${format}`, { operations })))
  })
})
