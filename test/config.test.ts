/** Settings: read once, checked, with defaults that are safe on a machine of one's own. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings, SettingError, unknownSetting } from '../src/config.ts'

describe('settings', () => {
  test('nothing set is a service for this machine only', () => {
    const { host, port, baseUrl, databaseUrl, dataDir, timeZone, names, trustedProxies } = readSettings({})
    assert.deepEqual(
      { host, port, baseUrl, databaseUrl, dataDir, timeZone, names, trustedProxies },
      {
        host: '127.0.0.1',
        port: 8080,
        baseUrl: 'http://127.0.0.1:8080',
        databaseUrl: undefined,
        dataDir: 'data',
        timeZone: 'UTC',
        names: 'encoded',
        trustedProxies: [],
      },
    )
  })

  test('a database may have several hosts, each with its port', () => {
    const several = 'postgres://marquee:p%40ss@one:5432,two:5433/marquee?sslmode=require&target_session_attrs=read-write'
    assert.equal(readSettings({ DATABASE_URL: several }).databaseUrl, several)
    for (const wrong of [
      'postgres://',
      'postgres://one:5432,two:x/db',
      'mysql://one,two/db',
      'postgres://one/db?target_session_attrs=standby',
    ])
      assert.throws(() => readSettings({ DATABASE_URL: wrong }), /DATABASE_URL must be an address such as postgres:.*several hosts/)
    assert.equal(readSettings({ DATABASE_POOL: '25' }).databasePool, 25)
  })

  test('a name that is no setting is told, and the one under which examples once read an address is not', () => {
    const toldOf = (name: string) => unknownSetting({ env: { [name]: '1' }, fromFile: new Set(), file: null })
    for (const name of ['MARQUEE_UNKNOWN', 'MARQUEE_PORT_FILE']) assert.equal(toldOf(name), `${name} is not a setting of Marquee.`)
    for (const name of ['MARQUEE_URL', 'MARQUEE_NAMES', 'PORT', 'HOME']) assert.equal(toldOf(name), null)
  })

  test('an empty value is none', () => {
    assert.equal(readSettings({ PORT: '', DATABASE_URL: '' }).port, 8080)
  })

  test('the address follows host and port unless it is set', () => {
    assert.equal(readSettings({ HOST: '::1', PORT: '9000' }).baseUrl, 'http://[::1]:9000')
    assert.equal(readSettings({ BASE_URL: 'https://marquee.example/' }).baseUrl, 'https://marquee.example')
  })

  test('a secret may come from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-settings-'))
    writeFileSync(join(folder, 'url'), 'smtp://dana:hunter2@mail.example\n')
    const { smtpUrl } = readSettings({ MARQUEE_SMTP_URL_FILE: join(folder, 'url') })
    rmSync(folder, { recursive: true })
    assert.equal(smtpUrl, 'smtp://dana:hunter2@mail.example')
  })

  test('proxies are addresses and networks', () => {
    const { trustedProxies } = readSettings({ MARQUEE_TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7' })
    assert.deepEqual(trustedProxies, ['10.0.0.0/8', '::1', '192.0.2.7'])
    for (const bad of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', ',']) {
      assert.throws(() => readSettings({ MARQUEE_TRUSTED_PROXIES: bad }), SettingError, bad)
    }
  })

  test('what cannot be meant is refused by name, and a secret is not repeated', () => {
    for (const [name, value] of [
      ['PORT', '65536'],
      ['PORT', '80.5'],
      ['PORT', '-1'],
      ['TIME_ZONE', 'Nowhere'],
      ['LOG_LEVEL', 'loud'],
      ['MARQUEE_GET_ACTIONS', 'maybe'],
      ['BASE_URL', 'ftp://marquee.example'],
      ['BASE_URL', 'https://marquee.example/?from=x'],
      ['BASE_URL', 'https://dana:secret@marquee.example'],
    ] as const) {
      assert.throws(() => readSettings({ [name]: value }), { name: 'SettingError', message: new RegExp(`^${name} `) })
    }
    assert.throws(
      () => readSettings({ DATABASE_URL: 'hunter2' }),
      (error: Error) => !error.message.includes('hunter2'),
    )
  })
})
