/** Starting and stopping, and the demo that anyone can look at in a minute. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Key } from '../../src/model/partners/keys/keys.ts'
import { authorization } from '../support/app.ts'
import { marquee, marqueeEach, serving } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { shownCommands, withoutChance } from '../support/readme.ts'

const root = join(import.meta.dirname, '..', '..')

describe('marquee serve', () => {
  let place: Place
  before(async () => {
    place = await freshPlace('sqlite')
  })
  after(() => place?.remove())

  test('listens, makes no data, and ends with 0 when told to stop', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await serving(place)
      assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
      assert.equal(await service.stop(signal), 0)
    }
    assert.deepEqual((await marquee(place, 'partner list --json')).json(), { partners: [] })
  })

  test('writes one JSON object a line where standard output is no terminal, and sentences where it is one', async () => {
    const service = await serving(place, 'serve', { LOG_LEVEL: 'debug' })
    await fetch(`${service.url}/api/users.json`)
    await service.prints('"status":401')
    await service.stop()
    const lines = service.lines().map((line) => JSON.parse(line) as { time: string; msg: string })
    assert.ok(lines.length >= 2 && lines.every(({ time }) => Number.isFinite(Date.parse(time))), service.printed())
    assert.equal(lines[0]?.msg, `Marquee listens on ${service.url}`)

    const onTerminal = spawn('script', ['-qec', `${process.execPath} ${join(root, 'bin/marquee.js')} serve`, '/dev/null'], {
      env: { ...process.env, ...place.env, PORT: '0', MARQUEE_ADMIN_PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [first] = await once(onTerminal.stdout.setEncoding('utf8'), 'data')
    onTerminal.kill('SIGTERM')
    await once(onTerminal, 'close')
    assert.match(first, /^Marquee listens on http:\S+\r\n/)
  })

  test('runs with memory that goes back to the system, unless told otherwise', async () => {
    for (const [env, expected] of [
      [{}, ['MALLOC_MMAP_THRESHOLD_=131072', 'MALLOC_ARENA_MAX=2']],
      [{ MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_ARENA_MAX: '8' }, ['MALLOC_MMAP_THRESHOLD_=65536', 'MALLOC_ARENA_MAX=8']],
    ] as const) {
      const service = await serving(place, 'serve', env)
      const environment = readFileSync(`/proc/${service.pid}/environ`, 'utf8').split('\0')
      assert.equal(await service.stop(), 0)
      for (const setting of expected) assert.ok(environment.includes(setting), setting)
    }
  })

  test('leaves what was compiled to the next start, also when it is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-compiled-'))
    const kept = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    const service = await serving(place, 'serve', { NODE_COMPILE_CACHE: folder })
    assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
    // The reader threads load their files beside the main thread.
    await eventually(() => kept() >= 800)
    await service.stop('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  test('says in a sentence that the port is taken', async () => {
    const service = await serving(place)
    const { code, stderr } = await marquee(place, 'serve', { env: { PORT: new URL(service.url).port, MARQUEE_ADMIN_PORT: '0' } })
    await service.stop()
    assert.equal(code, 1)
    assert.match(stderr, /Port \d+ on 127\.0\.0\.1 is in use/)
  })

  test('refuses a store that was made with another server secret', async () => {
    const path = join(place.folder, 'secret')
    const own = readFileSync(path)
    writeFileSync(path, 'x'.repeat(64))
    const { code, stderr } = await marquee(place, 'serve', { env: { PORT: '0' } })
    writeFileSync(path, own)
    assert.equal(code, 1)
    assert.match(stderr, /is not the one this database was made with/)
  })
})

describe('marquee serve --demo', () => {
  let place: Place
  before(async () => {
    place = await freshPlace('sqlite')
  })
  after(() => place?.remove())
  const keyIn = (printed: string) => {
    const [, key] = /^Key: +(\S+)$/m.exec(printed) ?? []
    const [, password] = /^Password: +(\S+)$/m.exec(printed) ?? []
    return `${key}:${password}`
  }
  const statusWith = async (url: string, credentials: string) =>
    (await fetch(`${url}/api/accounts.json`, { headers: { authorization: authorization(credentials) } })).status

  test('answers the commands of the README as the README shows', async (t) => {
    const service = await serving(place, 'serve --demo')
    t.after(() => service.stop())
    await service.prints('Paste any of these')
    assert.deepEqual(service.lines(), [], 'the talk of the demo stands between the log lines')
    const env = { ...process.env, DATA_DIR: place.folder, AUTH: keyIn(service.printed()), API: `${service.url}/api` }
    const commands = shownCommands(readFileSync(join(root, 'README.md'), 'utf8'))
    assert.ok(commands.length >= 9)
    for (const { line, answer } of commands) {
      const printed = execFileSync('bash', ['-c', line], { cwd: root, env, encoding: 'utf8' })
      assert.match(withoutChance(printed.trim()), answer, line)
    }
  })

  test('prints lines of curl that work as printed, and a key more each time it is started', async () => {
    const first = await serving(place, 'serve --demo')
    await first.prints('Paste any of these')
    await first.prints('/api/sites.xml')
    const lines = first
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('curl '))
    assert.ok(lines.length >= 14)
    for (const line of lines) {
      const status = execFileSync('bash', ['-c', `${line} -o /dev/null -w '%{http_code}'`], { encoding: 'utf8' })
      assert.match(status, /^20[01]$/, `${line}\n${status}`)
    }
    const old = keyIn(first.printed())
    assert.equal(await first.stop(), 0)

    const second = await serving(place, 'serve --demo')
    await second.prints('Paste any of these')
    assert.ok(!second.printed().includes('made '), 'the world was made a second time')
    assert.notEqual(keyIn(second.printed()), old)
    assert.equal(await statusWith(second.url, old), 200)
    assert.equal(await statusWith(second.url, keyIn(second.printed())), 200)
    await second.stop()
  })

  test('serves on when nobody reads what it says', async () => {
    const keys = async () => (await marqueeEach(place, ['key list --partner 1 --json']))[0]?.json<{ keys: Key[] }>().keys.length ?? 0
    const before = await keys()
    const service = await serving(place, 'serve --demo')
    service.closePipes()
    while ((await keys()) === before) await sleep(100)
    assert.equal((await fetch(`${service.url}/health/live`)).status, 200)
    assert.equal(await service.stop(), 0)
  })

  test('goes on with the newest hundred of its keys', async () => {
    const line = 'key issue --partner 1 --label demo --json'
    const issued = await marqueeEach(
      place,
      Array.from({ length: 100 }, () => line),
    )
    await marqueeEach(place, ['demo --json'])
    const [listed] = await marqueeEach(place, ['key list --partner 1 --json'])
    const live = listed?.json<{ keys: Key[] }>().keys.filter((key) => key.label === 'demo' && key.revoked_at === null) ?? []
    const [first, ...others] = issued.map((one) => one.json<{ record: Key }>().record.public_part)
    assert.equal(live.length, 100)
    assert.ok(!live.some(({ public_part }) => public_part === first))
    assert.ok(others.every((each) => live.some(({ public_part }) => public_part === each)))
  })

  test('has a world with people who see different things, and a rival who sees none of it', async () => {
    const document = (await marquee(place, 'demo --json')).json<Record<string, unknown>>()
    assert.deepEqual(Object.keys(document), ['key', 'password', 'accounts', 'users', 'staff', 'other'])
    const accounts = document.accounts as { id: number; name: string; sites: { id: number; domain: string }[] }[]
    assert.ok(accounts.length >= 2 && accounts.every(({ sites }) => sites.length > 0))
    assert.ok(!accounts.some(({ id }) => id === (document.other as { account_id: number }).account_id))
    const again = (await marquee(place, 'demo --json')).json<Record<string, unknown>>()
    assert.notEqual(again.key, document.key)
    assert.deepEqual({ ...again, key: '', password: '' }, { ...document, key: '', password: '' })
  })

  test('refuses an address that others can reach, a set DATABASE_URL and a store with real partners', async () => {
    const refusals: readonly [env: Record<string, string>, sentence: RegExp][] = [
      [{ HOST: '0.0.0.0' }, /HOST is 0\.0\.0\.0, not a loopback address/],
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, /DATABASE_URL/],
    ]
    for (const [env, sentence] of refusals) {
      const { code, stderr } = await marquee(place, 'serve --demo', { env: { PORT: '0', ...env } })
      assert.equal(code, 1)
      assert.match(stderr, sentence)
    }
    const other = await freshPlace('sqlite')
    await marquee(other, 'partner create --name Acme')
    const { code, stderr } = await marquee(other, 'serve --demo', { env: { PORT: '0' } })
    await other.remove()
    assert.equal(code, 1)
    assert.match(stderr, /this one holds Acme/)
  })
})
