/** How often a partner may ask, and what the headers say of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRates } from '../../src/http/rate-limit.ts'
import { openSharedRates } from '../../src/http/shared-rates.ts'
import { openBuckets } from '../../src/lib/work/token-buckets.ts'
import { setPartner } from '../../src/model/partners/partners.ts'
import { onEachEngine, onEngine } from '../support/engines.ts'
import { basic, type Reply, serviceOn } from '../support/service.ts'

test('a bucket of sixty is spent, and one token comes back each second', () => {
  let now = 0
  const rates = openRates(() => now)
  for (let spent = 0; spent < 60; spent += 1) assert.equal(rates.take(1, 'writes', 60).isWithin, true)
  const refused = rates.take(1, 'writes', 60)
  assert.equal(refused.isWithin, false)
  assert.equal(refused.wait['retry-after'], '1')
  now += 999
  assert.equal(rates.take(1, 'writes', 60).isWithin, false)
  now += 2
  assert.deepEqual(rates.take(1, 'writes', 60), {
    isWithin: true,
    headers: { 'ratelimit-policy': '"writes";q=60;w=60', ratelimit: '"writes";r=0;t=60' },
    wait: {},
  })
})

test('reads and writes, and two partners, have buckets of their own; 0 is no limit', () => {
  const rates = openRates(() => 0)
  assert.equal(rates.take(1, 'writes', 1).isWithin, true)
  assert.equal(rates.take(1, 'writes', 1).isWithin, false)
  assert.equal(rates.take(1, 'reads', 1).isWithin, true)
  assert.equal(rates.take(2, 'writes', 1).isWithin, true)
  assert.deepEqual(rates.take(1, 'writes', 0), { isWithin: true, headers: {}, wait: {} })
})

test('processes that share a bucket draw portions of it, and together give out what it holds', async () => {
  let now = 0
  let questions = 0
  const bucket = openBuckets(() => now)
  const share = () =>
    openSharedRates(
      async (draw) => {
        questions += 1
        return bucket(draw)
      },
      () => now,
    )
  const [one, other] = [share(), share()]
  const spend = async (tries: number) => {
    const taken = await Promise.all(Array.from({ length: tries }, (_, index) => (index % 3 === 0 ? one : other).take(1, 'reads', 600)))
    return taken.filter(({ isWithin }) => isWithin).length
  }
  assert.equal(await spend(1_000), 600)
  assert.ok(questions <= 110, `${questions} questions`)
  questions = 0
  assert.equal(await spend(500), 0)
  assert.equal(questions, 0, 'who is refused asks nobody')
  now += 30_000
  assert.equal(await spend(1_000), 300)
})

test('what is charged beyond the bucket is owed, and nothing is let in until it is paid', () => {
  let now = 0
  const rates = openRates(() => now)
  assert.equal(rates.take(1, 'writes', 60).isWithin, true)
  assert.equal(rates.charge(1, 'writes', 60, 99).headers['ratelimit'], '"writes";r=0;t=100')
  assert.deepEqual(rates.charge(1, 'writes', 0, 99), { isWithin: true, headers: {}, wait: {} })
  const refused = rates.take(1, 'writes', 60)
  assert.deepEqual([refused.isWithin, refused.wait['retry-after']], [false, '41'])
  now += 40_000
  assert.equal(rates.take(1, 'writes', 60).isWithin, false)
  now += 1_001
  assert.equal(rates.take(1, 'writes', 60).isWithin, true)
})

test('what one process is charged, all that share the bucket wait for', async () => {
  let now = 0
  const bucket = openBuckets(() => now)
  const share = () =>
    openSharedRates(
      async (draw) => bucket(draw),
      () => now,
    )
  const [one, other] = [share(), share()]
  assert.equal((await one.take(1, 'writes', 600)).isWithin, true)
  assert.match((await one.charge(1, 'writes', 600, 999)).headers['ratelimit'] ?? '', /r=0;t=100/)
  const isWithin = async () => [(await one.take(1, 'writes', 600)).isWithin, (await other.take(1, 'writes', 600)).isWithin]
  assert.deepEqual(await isWithin(), [false, false])
  now += 39_000
  assert.deepEqual(await isWithin(), [false, false])
  now += 3_000
  assert.deepEqual(await isWithin(), [true, true])
})

onEngine('postgres', 'two services on one database', (place) => {
  const [one, other] = [serviceOn(place), serviceOn(place)]

  test('acme may ask of both together what it may ask of one', async () => {
    const acme = await one.partner('Acme')
    await setPartner(one.operator, acme.id, { reads_per_minute: 300 })
    const startedAt = performance.now()
    const authorization = basic(acme.credentials)
    let admitted = 0
    const client = async (url: string) => {
      for (let refused = 0; refused < 2; ) {
        const { status } = await fetch(`${url}/api/accounts.json`, { headers: { authorization } })
        if (status === 200) admitted += 1
        else refused += 1
      }
    }
    await Promise.all([one.url, other.url, one.url, other.url].map(client))
    const allowed = 300 + ((performance.now() - startedAt) / 60_000) * 300
    assert.ok(admitted >= allowed * 0.9 && admitted <= allowed * 1.1, `${admitted} of ${allowed}`)
  })
})

onEachEngine('the rates of a partner', (place) => {
  const service = serviceOn(place)

  test('acme is refused with 429 once its writes are spent, before its body is read; globex is not', async () => {
    const [acme, globex] = [await service.partner('Acme'), await service.partner('Globex')]
    await setPartner(service.operator, acme.id, { writes_per_minute: 2 })
    const body = '<business><name>Pier</name></business>'
    const first = await acme.post('/api/businesses.xml', body)
    assert.equal(first.headers['ratelimit-policy'], '"writes";q=2;w=60')
    assert.match(String(first.headers.ratelimit), /^"writes";r=1;t=\d+$/)
    await acme.post('/api/businesses.xml', '<unreadable')
    const refused = await acme.post('/api/businesses.pdf', '<unreadable')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal((await acme.get('/api/businesses.xml')).status, 200)
    assert.equal((await globex.post('/api/businesses.xml', body)).status, 201)
    await setPartner(service.operator, acme.id, { writes_per_minute: 0 })
    assert.equal((await acme.post('/api/businesses.xml', body)).headers.ratelimit, undefined)
  })

  test('a wrong password is 401 and spends nothing of the partner', async () => {
    const acme = await service.partner('Acme')
    await setPartner(service.operator, acme.id, { reads_per_minute: 6_000 })
    const refused = await acme.get('/api/businesses.xml', { credentials: `${acme.key}:wrong` })
    assert.deepEqual([refused.status, refused.headers.ratelimit], [401, undefined])
    assert.match(String((await acme.get('/api/businesses.xml')).headers.ratelimit), /r=5999/)
  })

  test('every answer to a known key says what is left, the refusals too; a key alone that is not enough learns nothing', async () => {
    const acme = await service.partner('Acme')
    await setPartner(service.operator, acme.id, { reads_per_minute: 6_000, writes_per_minute: 600 })
    const left = async (status: number, reply: Promise<Reply>) => {
      const { headers, ...answer } = await reply
      assert.equal(answer.status, status, answer.text)
      return String(headers.ratelimit).split(';')[0]
    }
    assert.equal(await left(403, acme.post('/api/observations.json', [])), '"writes"')
    assert.equal(await left(403, acme.post('/api/businesses.json', {}, { headers: { origin: 'http://evil.example' } })), '"writes"')
    assert.equal(await left(404, acme.get('/api/users/999.json')), '"reads"')
    assert.equal(await left(406, acme.get('/api/users.html')), '"reads"')
    assert.equal(await left(400, acme.get('/api/users.json?page=2')), '"reads"')
    assert.equal(await left(401, acme.get('/api/users.json', { credentials: acme.key })), 'undefined')
  })
})
