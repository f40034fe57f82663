/** Reload with workers: a fault in the settings costs nobody a request, is told once, and keeps no later reload from working. */
import assert from 'node:assert/strict'
import type { Server } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { createPartner, setPartner } from '../../src/model/partners/partners.ts'
import { onEachEngine } from '../support/engines.ts'
import { freePort, listener, type Reloadable, reloadable, statusesWhile, workersOf } from '../support/reloading.ts'
import { basic } from '../support/service.ts'

/** The long form tries every fault on both engines, several times, and waits out a worker that never serves. */
const rounds = Number(process.env.RELOAD_ROUNDS ?? 0)

onEachEngine('reload with two workers', (place) => {
  let service: Reloadable
  let authorization: string
  let silent: Server
  let asked = 0
  before(async () => {
    silent = await listener()
    const app = await openApp(readSettings(place.env))
    const operator = { kind: 'operator', app, requestId: 'test' } as const
    const { partner, key, password } = await createPartner(operator, 'Acme')
    await setPartner(operator, partner.id, { reads_per_minute: 0 })
    await app.close()
    authorization = basic(`${key}:${password}`)
    service = await reloadable(place, 'serve --workers 2')
  })
  after(async () => {
    await service?.stop()
    silent?.close()
  })

  const readiness = async () => {
    const reply = await fetch(`${service.adminUrl}/health/ready`)
    return `${reply.status} ${await reply.text()}`.trim()
  }
  const untilReady = async () => {
    while ((await readiness()) !== '200 ready') await sleep(50)
  }
  const whileAsked = async (work: () => Promise<void>) => {
    const statuses = await statusesWhile(work, service.url, '/api/accounts.json', authorization)
    assert.ok(statuses.length > 0)
    asked += statuses.length
    assert.deepEqual([...new Set(statuses)], [200])
  }
  const silentPort = () => (silent.address() as { port: number }).port

  // biome-ignore format: a table reads by its columns
  const faults: readonly [name: string, settings: () => Readonly<Record<string, string>> | string | null, told: RegExp][] = [
    ['a name that is no setting',            () => ({ MARQUEE_WORKERZ: '2' }),                         /MARQUEE_WORKERZ in .*marquee\.env is not a setting/],
    ['a number that cannot be read',         () => ({ DATABASE_POOL: 'ten' }),                         /DATABASE_POOL must be .*, not \\"ten\\"/],
    ['a number out of its range',            () => ({ MARQUEE_KEEP_AUDIT_DAYS: '40000' }),             /MARQUEE_KEEP_AUDIT_DAYS must be/],
    ['an address of the wrong kind',         () => ({ BASE_URL: 'ftp://marquee.test' }),               /BASE_URL must be/],
    ['a time zone that there is not',        () => ({ TIME_ZONE: 'Mars/Olympus' }),                    /TIME_ZONE must be a time zone/],
    ['a line that is none',                  () => 'this is no line',                                  /Line \d+ of .*marquee\.env must read NAME=value/],
    ['a file that is gone',                  () => null,                                               /settings file .*marquee\.env cannot be read/],
    ['the file of a secret that is missing', () => ({ MARQUEE_SECRET_FILE: '/nowhere/secret' }),       /\/nowhere\/secret/],
    ['the file of an address that is missing', () => ({ DATABASE_URL: '', DATABASE_URL_FILE: '/nowhere/url' }), /DATABASE_URL_FILE names a file that cannot be read/],
    ['a port that is taken',                 () => ({ PORT: String(silentPort()) }),                   /Port \d+ on 127\.0\.0\.1 is in use/],
    ['a database that does not answer',      () => ({ DATABASE_URL: `postgres://postgres@127.0.0.1:${silentPort()}/x`, MARQUEE_SECRET_FILE: place.env.MARQUEE_SECRET_FILE ?? `${place.folder}/secret` }), /The settings were not reloaded: .*database/],
  ]
  const isWhole = rounds > 0 || place.engine === 'sqlite'
  for (const [name, settings, told] of isWhole ? faults : faults.slice(-2))
    test(`${name} is told once, and the old workers go on`, async () => {
      for (let round = 0; round < Math.max(rounds, 1); round += 1) {
        const workers = workersOf(service)
        const before = service.outcomes().length
        await whileAsked(async () => {
          service.change(settings())
          assert.match(await service.reload(), told)
          assert.equal(await readiness(), '200 ready')
        })
        assert.equal(service.outcomes().length, before + 1)
        assert.match(service.outcomes().at(-1) ?? '', /^The settings were not reloaded: /)
        assert.deepEqual(workersOf(service), workers)
      }
    })

  test('a worker that dies meanwhile is replaced by one with the settings that were good', async () => {
    service.change('this is no line')
    const [first] = workersOf(service)
    process.kill(first as number, 'SIGKILL')
    while (workersOf(service).includes(first as number)) await sleep(20)
    await untilReady()
    assert.equal(workersOf(service).length, 2)
  })

  test('good settings then replace all workers while requests run, and what needs a restart is named', async () => {
    const old = workersOf(service)
    const before = service.outcomes().length
    service.change({ MARQUEE_ADMIN_HOST: '127.0.0.2', MARQUEE_SECURITY_CONTACT: 'mailto:security@marquee.test' })
    await whileAsked(async () => {
      assert.match(
        await service.reload(),
        /all workers replaced\. Changed: MARQUEE_SECURITY_CONTACT\. Only a restart changes: MARQUEE_ADMIN_HOST\./,
      )
      while (workersOf(service).some((pid) => old.includes(pid))) await sleep(20)
    })
    assert.equal(service.outcomes().length, before + 1)
    assert.equal(await readiness(), '200 ready')
    assert.equal((await fetch(`${service.url}/.well-known/security.txt`)).status, 200)
  })

  test('a reload asked for during another one comes after it', async () => {
    const before = service.outcomes().length
    service.change({ TIME_ZONE: 'Mars/Olympus' })
    await service.reload()
    service.change({})
    const good = service.reload()
    while (workersOf(service).length === 2) await sleep(5)
    service.change({ TIME_ZONE: 'Mars/Olympus' })
    process.kill(service.pid, 'SIGHUP')
    assert.match(await good, /all workers replaced/)
    while (service.outcomes().length < before + 3) await sleep(20)
    assert.match(service.outcomes().at(-1) ?? '', /TIME_ZONE must be/)
  })

  if (place.engine === 'sqlite')
    test('a worker that hangs is named within five seconds and replaced, and the other one serves', async () => {
      service.change({})
      await untilReady()
      const [first] = workersOf(service) as [number]
      process.kill(first, 'SIGSTOP')
      let told = ''
      while (!told.includes('503')) told = await readiness()
      assert.equal(told, `503 not ready: worker ${first} does not answer`)
      assert.ok(workersOf(service).includes(first), 'it is named before it is killed')
      while (workersOf(service).includes(first)) await sleep(50)
      await untilReady()
      assert.equal(workersOf(service).length, 2)
      assert.equal(service.printed().split('a worker does not answer and is killed').length, 2)
    })

  if (rounds > 0)
    test('a worker that does not serve in time is ended, and the old ones go on', async () => {
      service.change({})
      const old = workersOf(service)
      await whileAsked(async () => {
        const told = service.reload()
        while (workersOf(service).length === 2) await sleep(5)
        process.kill(workersOf(service).find((pid) => !old.includes(pid)) as number, 'SIGSTOP')
        assert.match(await told, /did not serve within 60 seconds and was ended/)
        assert.equal(await readiness(), '200 ready')
      })
      assert.deepEqual(workersOf(service), old)
      assert.match(await service.reload(), /all workers replaced/)
    })

  test('the port of the service can be another one', async (t) => {
    const port = await freePort()
    service.change({ PORT: String(port) })
    assert.match(await service.reload(), /all workers replaced\. Changed: PORT, BASE_URL\./)
    assert.equal((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200)
    t.diagnostic(`${asked} requests, none failed`)
  })
})
