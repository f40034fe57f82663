/** A key is managed in one process and used in another: what the operator decides holds for the very next request. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorization } from '../support/app.ts'
import { marqueeOn, type Running, serving } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('a running service', (place) => {
  const marquee = marqueeOn(place)
  let service: Running
  let credentials: string
  const run = async (words: string) => {
    const { code, stderr, json } = await marquee(place, words, '--json')
    assert.equal(code, 0, stderr)
    return json<{ key: string; password: string }>()
  }
  const status = async () => {
    const reply = await fetch(`${service.url}/api/businesses.json`, { headers: { authorization: authorization(credentials) } })
    await reply.text()
    return reply.status
  }
  before(async () => {
    const { key, password } = await run('partner create --name Acme')
    credentials = `${key}:${password}`
    service = await serving(place)
  })
  after(() => service?.stop())

  test('refuses a key from the moment the operator has revoked it', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { key, password } = await run('key issue --partner 1 --label round')
      credentials = `${key}:${password}`
      assert.equal(await status(), 200)
      await run(`key revoke ${key.slice(3, 11)}`)
      assert.equal(await status(), 401)
    }
  })

  test('accepts the rotated key and the new one, and none of a suspended partner', async () => {
    const first = await run('key issue --partner 1')
    const second = await run(`key rotate ${first.key.slice(3, 11)}`)
    for (const { key, password } of [first, second]) {
      credentials = `${key}:${password}`
      assert.equal(await status(), 200)
    }
    await run('partner suspend 1')
    assert.equal(await status(), 401)
    await run('partner resume 1')
    assert.equal(await status(), 200)
  })

  test('refuses a key without the scope', async () => {
    const { key, password } = await run('key issue --partner 1 --scope report,ingest')
    credentials = `${key}:${password}`
    assert.equal(await status(), 403)
  })
})
