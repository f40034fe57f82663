/** The operator's port: metrics without ids, a readiness that tells the truth, and switches that work without a restart. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { before, test } from 'node:test'
import { Registry } from 'prom-client'
import { adminPlaceOf, openAdmin } from '../../src/http/admin.ts'
import { setSwitch } from '../../src/model/core/switches.ts'
import { onEachEngine } from '../support/engines.ts'
import { findPromtool } from '../support/promtool.ts'
import { serviceOn } from '../support/service.ts'

onEachEngine('the port of the operator', (place) => {
  let promtool: string
  // Before the service begins: its connections would end while something is installed.
  before(() => {
    promtool = findPromtool()
  })
  const service = serviceOn(place)
  const metrics = async () => (await fetch(`${service.adminUrl}/metrics`)).text()

  test('routes are counted by their template, and no client can make new series', async () => {
    const acme = await service.partner('Acme')
    await acme.get('/api/users/1.xml')
    const before = (await metrics()).split('\n').filter((line) => line.startsWith('marquee_request_duration_seconds_count'))
    for (let id = 2; id < 60; id += 1) {
      await acme.get(`/api/users/${id}.xml`)
      await acme.get(`/no/such/${id}`)
    }
    const text = await metrics()
    const after = text.split('\n').filter((line) => line.startsWith('marquee_request_duration_seconds_count'))
    assert.ok(after.length <= before.length + 1, after.join('\n'))
    assert.match(text, /marquee_request_duration_seconds_count\{route="\/api\/users\/\{user_id\}",method="GET",status="404"\} 59/)
    for (const name of ['marquee_requests_waiting', 'marquee_password_hashes_waiting', 'marquee_refusals_total', 'nodejs_eventloop_lag'])
      assert.ok(text.includes(name), name)
  })

  test('each metric has a help text, one unit and a name by the conventions of Prometheus', async () => {
    const text = await metrics()
    const helps = [...text.matchAll(/^# HELP (marquee_\w+) (.+)$/gm)]
    assert.ok(helps.length >= 18)
    for (const [, name = '', help = ''] of helps) {
      assert.match(help, /^[A-Z0-9].*\.$/, name)
      const isCounter = text.includes(`# TYPE ${name} counter`)
      assert.equal(name.endsWith('_total'), isCounter, name)
    }
    assert.match(text, /^marquee_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    assert.match(text, /^marquee_ready 1$/m)
    assert.match(text, /^marquee_job_runs_total\{job="seal"\} \d+$/m)
    assert.match(text, place.engine === 'sqlite' ? /^marquee_store_wal_bytes \d+$/m : /^marquee_store_pool_connections \d+$/m)
    assert.equal(/^marquee_disk_free_bytes \d+/m.test(text), place.engine === 'sqlite')
  })

  test('how fresh the data is shows once something came in', async () => {
    const text = async () => (await fetch(`${service.adminUrl}/metrics`)).text()
    assert.doesNotMatch(await text(), /^marquee_last_intake_timestamp_seconds/m)
    const acme = await service.partner('Acme')
    const intake = {
      partner_id: acme.id,
      account_id: null,
      via: 'push',
      actor: 'test',
      file_name: null,
      sha256: null,
      mapping: null,
      state: 'applied',
      counts: '{}',
    } as const
    const times = { created_at: '2026-11-14T12:00:00Z', ended_at: null, undone_at: null, bytes: null }
    await service.app.store.write((tx) =>
      tx
        .insertInto('intakes')
        .values({ ...intake, ...times } as never)
        .execute(),
    )
    assert.match(await text(), /^marquee_last_intake_timestamp_seconds 1794657600$/m)
  })

  test('requests are counted for each partner', async () => {
    const acme = await service.partner('Acme')
    await acme.get('/api/accounts.xml')
    assert.match(await metrics(), new RegExp(`^marquee_partner_requests_total\\{partner="${acme.id}"\\} 1$`, 'm'))
  })

  test('the first hundred partners are counted by their ids, and the others together', async () => {
    for (let index = 0; index < 102; index += 1) {
      const one = await service.partner(`Partner ${index}`)
      await one.get('/api/accounts.xml')
    }
    const counted = [...(await metrics()).matchAll(/^marquee_partner_requests_total\{partner="(\w+)"\} (\d+)$/gm)]
    assert.equal(counted.length, 101)
    const others = counted.find(([, partner]) => partner === 'other')
    assert.ok(Number(others?.[2]) >= 2, `${others}`)
  })

  test('promtool finds nothing to complain about', async () => {
    const { status, stderr, stdout } = spawnSync(promtool, ['check', 'metrics'], { input: await metrics(), encoding: 'utf8' })
    assert.deepEqual([status, stderr + stdout], [0, ''])
  })

  test('it answers to no name that a page on the web could bear', async () => {
    const { port } = new URL(service.adminUrl)
    const statusOf = (host: string) =>
      new Promise((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, ({ statusCode }) => resolve(statusCode))
        sent.on('error', reject).end()
      })
    for (const host of ['evil.example', `evil.example:${port}`]) assert.equal(await statusOf(host), 421, host)
    for (const host of ['127.0.0.1', `localhost:${port}`, `[::1]:${port}`, 'marquee:9464']) assert.equal(await statusOf(host), 200, host)
  })

  test('it moves aside when its usual port is taken, and fails when that one was asked for', async () => {
    const usual = { adminHost: '127.0.0.1', adminPort: undefined }
    assert.deepEqual(adminPlaceOf(usual), { host: '127.0.0.1', port: 9464, mayMove: true })
    assert.equal(adminPlaceOf({ ...usual, adminPort: 9464 }).mayMove, false)
    // Not 9464 itself: a service may run on this machine while it is tested.
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const place = { host: '127.0.0.1', port: (taken.address() as AddressInfo).port }
    const told = { metrics: () => new Registry().metrics(), isReady: async () => null }
    const aside = await openAdmin({ ...place, mayMove: true }, told)
    assert.notEqual(aside.port, place.port)
    assert.equal((await fetch(`http://127.0.0.1:${aside.port}/health/ready`)).status, 200)
    await assert.rejects(openAdmin({ ...place, mayMove: false }, told), { code: 'EADDRINUSE' })
    await aside.close()
    taken.close()
  })

  test('the service is ready, and not any more once it drains', async () => {
    assert.equal((await fetch(`${service.adminUrl}/health/ready`)).status, 200)
    assert.equal((await service.stranger.get('/health/ready')).text, 'ready\n')
  })

  test('GET actions are switched off and on in the running service', async () => {
    const acme = await service.partner('Acme')
    const { headers } = await acme.post('/api/businesses.xml', '<business><name>Pier</name></business>')
    const path = `${new URL(headers.location ?? '').pathname.replace('.xml', '')}/deactivate.xml`
    await setSwitch(service.operator, 'get_actions', 'off')
    const refused = await acme.get(path)
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'POST'])
    assert.equal((await acme.post(path)).status, 200)
    await setSwitch(service.operator, 'get_actions', 'on')
    assert.equal((await acme.get(path)).status, 200)
  })

  test('it says why it is not ready when it drains', async () => {
    service.drain()
    const answer = await fetch(`${service.adminUrl}/health/ready`)
    assert.deepEqual([answer.status, await answer.text()], [503, 'not ready: draining\n'])
    const outside = await service.stranger.get('/health/ready')
    assert.deepEqual([outside.status, outside.text], [503, 'not ready\n'])
  })
})
