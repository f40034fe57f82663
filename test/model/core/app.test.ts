/** The server secret: made once, kept private, and never exchanged unnoticed. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings, SettingError } from '../../../src/config.ts'
import { openApp } from '../../../src/model/core/app.ts'
import { emptyPlace, onEachEngine, type Place } from '../../support/engines.ts'

onEachEngine('a store opened with another server secret', (place) => {
  const path = () => place.env.MARQUEE_SECRET_FILE ?? join(place.folder, 'secret')

  test('refuses to start, and starts again with its own', async () => {
    await (await openApp(readSettings(place.env))).close()
    const own = readFileSync(path(), 'utf8')
    writeFileSync(path(), 'another secret that is long enough to be one')
    await assert.rejects(openApp(readSettings(place.env)), {
      code: 'unavailable',
      message: /is not the one this database was made with/,
    })
    rmSync(path())
    await assert.rejects(openApp(readSettings(place.env)), { code: 'unavailable', message: /There is no server secret in/ })
    writeFileSync(path(), 'short')
    await assert.rejects(openApp(readSettings(place.env)), { code: 'unavailable', message: /too short/ })
    writeFileSync(path(), own)
    await (await openApp(readSettings(place.env))).close()
  })
})

describe('the server secret', () => {
  const onFresh = async (engine: 'sqlite' | 'postgres', work: (place: Place) => Promise<void>) => {
    const place = await emptyPlace(engine)
    await work(place).finally(() => place.remove())
  }

  test('is made beside the embedded database, for its owner only', () =>
    onFresh('sqlite', async (place) => {
      await (await openApp(readSettings(place.env), { schema: 'bring up' })).close()
      const path = join(place.folder, 'secret')
      assert.equal(statSync(path).mode & 0o777, 0o600)
      assert.match(readFileSync(path, 'utf8'), /^[0-9a-f]{64}\n$/)
    }))

  test('is one, although four processes start at once', () =>
    onFresh('sqlite', async (place) => {
      const grounds = await Promise.all(Array.from({ length: 4 }, () => openApp(readSettings(place.env), { schema: 'bring up' })))
      assert.equal(new Set(grounds.map(({ secrets }) => secrets.hmac('lookup', 'x'))).size, 1)
      for (const app of grounds) await app.close()
    }))

  test('must be named for a shared database, and is made there only with the database', () =>
    onFresh('postgres', async ({ env }) => {
      const { MARQUEE_SECRET_FILE: path = '', ...without } = env
      await assert.rejects(openApp(readSettings(without), { schema: 'bring up' }), SettingError)
      rmSync(path)
      const refusal = { code: 'unavailable', message: /There is no server secret .* Run `marquee migrate --init`, which makes it/ }
      await assert.rejects(openApp(readSettings(env)), refusal)
      await (await openApp(readSettings(env), { schema: 'bring up' })).close()
      assert.match(readFileSync(path, 'utf8'), /^[0-9a-f]{64}\n$/)
    }))
})
