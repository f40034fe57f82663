/** The operator's port: metrics without ids, a readiness that tells the truth, and switches that work without a restart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setSwitch } from '../../src/model/core/switches.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

onEachEngine('the port of the operator', (place) => {
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
    for (const name of [
      'marquee_requests_waiting',
      'marquee_passwords',
      'marquee_store',
      'marquee_refusals_total',
      'nodejs_eventloop_lag',
    ]) {
      assert.ok(text.includes(name), name)
    }
  })

  test('the service is ready, and not any more once it drains', async () => {
    assert.equal((await fetch(`${service.adminUrl}/health/ready`)).status, 200)
    assert.equal((await service.stranger.get('/health/ready')).text, 'ready\n')
  })

  test('GET actions are switched off and on in the running service', async () => {
    const acme = await service.partner('Acme')
    const { headers } = await acme.post('/api/businesses.xml', '<business><name>Pier</name></business>')
    const path = `${new URL(headers.location ?? '').pathname}/deactivate.xml`
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
