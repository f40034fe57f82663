/** The operator rotates the server secret while the service runs, and nobody is turned away. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorization } from '../support/app.ts'
import { marqueeOn, type Running, serving } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('marquee secret', (place) => {
  const marquee = marqueeOn(place)
  let service: Running
  const run = async <T>(words: string) => {
    const { code, stderr, json } = await marquee(place, words, '--json')
    assert.equal(code, 0, stderr)
    return json<T>()
  }
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${service.url}${path}`, { headers })
    await reply.text()
    return reply.status
  }
  before(async () => {
    service = await serving(place)
  })
  after(() => service?.stop())

  test('the running service takes up the new secret, its keys move, and the old secret can be retired', async () => {
    const { key, password } = await run<{ key: string; password: string }>('partner create --name Acme')
    const status = () => ask('/api/businesses.json', { authorization: authorization(`${key}:${password}`) })
    assert.equal(await status(), 200)
    const rotated = await marquee(place, 'secret rotate --in 0')
    assert.match(rotated.stdout, /The server secret 2 takes over at /, rotated.stderr)
    assert.equal(await status(), 200)
    // Readiness is asked of the database at most once a second, and looks for a new secret whenever it is.
    await sleep(1_100)
    assert.equal(await ask('/health/ready'), 200)
    assert.equal(await status(), 200)
    await sleep(200)
    const { secrets, idle_keys } = await run<{ secrets: { id: number; state: string; keys: number }[]; idle_keys: unknown[] }>(
      'secret list',
    )
    assert.deepEqual(
      secrets.map(({ id, state, keys }) => [id, state, keys]),
      [
        [2, 'current', 1],
        [1, 'retiring', 0],
      ],
    )
    assert.deepEqual(idle_keys, [])
    await run('secret retire 1')
    assert.equal(await status(), 200)
  })
})
