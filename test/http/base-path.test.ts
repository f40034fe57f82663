/** BASE_URL with a path: a new installation is refused, and one that partners use goes on with its API while its pages say what is wrong. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openLog } from '../../src/lib/log.ts'
import { marquee, serving } from '../support/command.ts'
import { emptyPlace, onEachEngine } from '../support/engines.ts'
import { startTestService } from '../support/service.ts'

const env = { BASE_URL: 'https://acme.example/marquee' }
const why =
  /BASE_URL https:\/\/acme\.example\/marquee has the path \/marquee, and pages, their assets and their cookies live at the root of a host: .* set BASE_URL without a path\./

onEachEngine('BASE_URL with a path', (place) => {
  test('is refused by migrate --init, which makes no database', async () => {
    const empty = await emptyPlace(place.engine)
    const refused = await marquee(empty, 'migrate --init', { env })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, why)
    assert.ok(!existsSync(join(empty.folder, 'marquee.db')))
    assert.match((await marquee(empty, 'doctor', { env })).stdout, /There is no database in|is empty: if it is the right one/)
    await empty.remove()
  })

  test('is refused by the first start, which nobody uses yet', async () => {
    await assert.rejects(startTestService(place, env), (error) =>
      why.test(String((error as { details?: { sentence?: string } }).details?.sentence)),
    )
    await assert.rejects(serving(place, 'serve', env), why)
  })

  test('leaves the API to partners who have it, and every page and asset says why it is not shown', async () => {
    const before = await startTestService(place)
    const acme = await before.partner('Acme')
    await before.stop()
    const lines: string[] = []
    const service = await startTestService(
      place,
      env,
      openLog('error', { write: (line: string) => void lines.push(line), counts: { written: 0, dropped: 0 } }),
    )
    const ask = (path: string, accept = '*/*') =>
      service.stranger.get(path, { headers: { accept, authorization: `Basic ${Buffer.from(acme.credentials).toString('base64')}` } })
    try {
      assert.match(lines.join(), why)
      assert.equal((await ask('/api/accounts.json')).status, 200)
      assert.equal((await ask('/api/nothing.json')).status, 404)
      for (const path of ['/openapi.json', '/schema/user.xsd', '/llms.txt', '/health/live', '/health/ready'])
        assert.equal((await ask(path)).status, 200, path)
      for (const path of ['/', '/login', '/assets/style.css', '/docs', '/docs/reference.css', '/sites/1', '/nothing']) {
        const page = await ask(path, 'text/html')
        assert.equal(page.status, 503, path)
        assert.match(page.text, /pages of this service are not shown, because its address BASE_URL has the path \/marquee/, path)
        assert.doesNotMatch(page.text, /href|src=/)
      }
      assert.equal((await service.stranger.post('/login', 'name=x', { type: 'application/x-www-form-urlencoded' })).status, 503)
    } finally {
      await service.stop()
    }
  })

  test('is found by the doctor', async () => {
    const { code, stdout } = await marquee(place, 'doctor', { env: { ...env, MARQUEE_TRUSTED_PROXIES: '127.0.0.1' } })
    assert.equal(code, 1)
    assert.match(
      stdout,
      /BASE_URL has the path \/marquee: the API goes on, and every page says only that\.\n {2}Why: .*\n {2}Do: {2}Give Marquee a host name of its own/,
    )
  })
})

describe('BASE_URL with a path, of a demo', () => {
  test('is refused before its database is made', async () => {
    const empty = await emptyPlace('sqlite')
    await assert.rejects(serving(empty, 'serve --demo', env), why)
    assert.ok(!existsSync(join(empty.folder, 'marquee.db')))
    await empty.remove()
  })
})
