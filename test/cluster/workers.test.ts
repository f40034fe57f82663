/** All cores: several processes on one address, one of which may die, be replaced or be asked, and nobody outside notices. */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../src/config.ts'
import { type App, openApp } from '../../src/model/core/app.ts'
import type { OperatorCaller } from '../../src/model/core/caller.ts'
import { createPartner, setPartner } from '../../src/model/partners/partners.ts'
import { marquee, type Running, serving } from '../support/command.ts'
import { emptyPlace, onEachEngine } from '../support/engines.ts'
import { freePort, workersOf } from '../support/reloading.ts'
import { basic } from '../support/service.ts'

onEachEngine('two workers', (place) => {
  let app: App
  let operator: OperatorCaller
  let service: Running
  let admin: string
  before(async () => {
    app = await openApp(readSettings(place.env))
    operator = { kind: 'operator', app, requestId: 'test' }
    const port = String(await freePort())
    admin = `http://127.0.0.1:${port}`
    service = await serving(place, 'serve --workers 2', { MARQUEE_ADMIN_PORT: port })
  })
  after(async () => {
    await service?.stop()
    await app?.close()
  })

  const partner = async (name: string, limits: Parameters<typeof setPartner>[2]) => {
    const { partner: made, key, password } = await createPartner(operator, name)
    await setPartner(operator, made.id, limits)
    return basic(`${key}:${password}`)
  }
  const figure = async (name: string) => {
    const text = await (await fetch(`${admin}/metrics`)).text()
    return text
      .split('\n')
      .filter((line) => line.startsWith(name))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  const readiness = async () => (await fetch(`${admin}/health/ready`)).status
  const untilReady = async () => {
    for (let tries = 0; (await readiness()) !== 200; tries += 1) {
      assert.ok(tries < 200, 'the workers do not become ready')
      await sleep(50)
    }
  }

  test('both serve, and the admin port tells the sum of what they did', async () => {
    const authorization = await partner('Acme', { reads_per_minute: 0 })
    const before = await figure('marquee_request_duration_seconds_count')
    // Each on a connection of its own: the primary hands them out in turn.
    for (let asked = 0; asked < 6; asked += 1)
      assert.equal((await ask(service.url, 'GET', '/api/accounts.json', authorization)).status, 200)
    assert.equal((await figure('marquee_request_duration_seconds_count')) - before, 6)
    assert.deepEqual([await figure('marquee_workers'), await figure('marquee_ready'), await figure('marquee_build_info')], [2, 1, 1])
    assert.equal(workersOf(service).length, 2)
  })

  test('one that is killed is started again, and what it had counted is not forgotten', {
    skip: place.engine !== 'sqlite' && 'the engine has no part in it',
  }, async () => {
    const [first] = workersOf(service)
    const before = await figure('marquee_request_duration_seconds_count')
    process.kill(first as number, 'SIGKILL')
    while (workersOf(service).includes(first as number)) await sleep(10)
    assert.equal((await ask(service.url, 'GET', '/health/live', '')).status, 200, 'the other one serves meanwhile')
    await untilReady()
    assert.equal(workersOf(service).length, 2)
    assert.equal(await figure('marquee_worker_restarts_total'), 1)
    assert.ok((await figure('marquee_request_duration_seconds_count')) >= before)
  })

  test('all are replaced on SIGHUP, and no request is lost', async () => {
    const authorization = await partner('Globex', { reads_per_minute: 0, writes_per_minute: 0 })
    const old = workersOf(service)
    const agent = new Agent({ keepAlive: true })
    let isOver = false
    const statuses: number[] = []
    const client = async (index: number) => {
      while (!isOver) {
        const isWrite = index % 2 === 0
        const answer = isWrite
          ? await ask(service.url, 'POST', '/api/businesses.json', authorization, agent, JSON.stringify({ business: { name: 'Pier' } }))
          : await ask(service.url, 'GET', '/api/accounts.json', authorization, agent)
        statuses.push(answer.status)
        await sleep(2)
      }
    }
    const clients = Promise.all(Array.from({ length: 6 }, (_, index) => client(index)))
    process.kill(service.pid, 'SIGHUP')
    while (workersOf(service).some((pid) => old.includes(pid))) await sleep(20)
    isOver = true
    await clients
    agent.destroy()
    assert.ok(statuses.length > 20, `only ${statuses.length} requests`)
    assert.deepEqual([...new Set(statuses)].toSorted(), [200, 201])
    await untilReady()
    assert.equal(workersOf(service).length, 2)
  })

  test('the rate of a partner holds for both together', async () => {
    const authorization = await partner('Initech', { reads_per_minute: 300 })
    const startedAt = performance.now()
    let admitted = 0
    const client = async () => {
      const agent = new Agent({ keepAlive: true })
      for (let refused = 0; refused < 3; ) {
        const { status } = await ask(service.url, 'GET', '/api/accounts.json', authorization, agent)
        if (status === 200) admitted += 1
        else refused += 1
      }
      agent.destroy()
    }
    await Promise.all(Array.from({ length: 8 }, client))
    const allowed = 300 + ((performance.now() - startedAt) / 60_000) * 300
    assert.ok(admitted >= allowed * 0.9 && admitted <= allowed * 1.1, `${admitted} of ${allowed}`)
  })

  test('a request that is under way is answered before they stop', async () => {
    const authorization = await partner('Umbrella', { writes_per_minute: 0 })
    const body = JSON.stringify({ business: { name: 'Late' } })
    const slow = ask(service.url, 'POST', '/api/businesses.json', authorization, undefined, body, 500)
    await sleep(200)
    const [code, answer] = await Promise.all([service.stop(), slow])
    assert.deepEqual([code, answer.status], [0, 201])
  })
})

test('workers that cannot start say why once, and the command ends with 1', async () => {
  const place = await emptyPlace('sqlite')
  const { code, stderr } = await marquee(place, 'serve --workers 2', { env: { PORT: '0', MARQUEE_ADMIN_PORT: '0' } })
  await place.remove()
  assert.equal(code, 1)
  assert.equal(stderr.match(/marquee migrate --init/g)?.length, 1, stderr)
})

interface Answer {
  readonly status: number
}

/** Rejects where a connection breaks: that is a lost request. A body can be sent in two halves, with a pause between them. */
function ask(
  url: string,
  method: string,
  path: string,
  authorization: string,
  agent?: Agent,
  body = '',
  pauseMilliseconds = 0,
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers, ...(agent === undefined ? { agent: false as const } : { agent }) },
      (response) => {
        response.resume().on('end', () => resolve({ status: response.statusCode ?? 0 }))
      },
    )
    sent.on('error', reject)
    sent.write(body.slice(0, 5))
    setTimeout(() => sent.end(body.slice(5)), pauseMilliseconds)
  })
}
