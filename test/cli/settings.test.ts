/** Settings come from one file for the service and the command line alike, and each value says where it came from. */
import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseEnvFile } from '../../src/lib/env-file.ts'
import { marquee, marqueeEach, serving } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'

interface Shown {
  settings: { name: string; value: string | null; from: string }[]
}

describe('the settings file', () => {
  let place: Place
  let file: string
  /** Names no DATA_DIR of its own: only the file does. */
  let stranger: Place
  before(async () => {
    place = await freshPlace('sqlite')
    file = join(place.folder, 'marquee.env')
    writeFileSync(
      file,
      `# The service of Acme\nDATA_DIR=${place.folder}\nTIME_ZONE="Europe/Berlin"\nLOG_LEVEL=error\nMARQUEE_SMTP_URL=smtp://dana:hunter2@mail.example\n\n`,
    )
    stranger = { ...place, env: {} }
  })
  after(() => place?.remove())

  test('the command line finds the database of the service through it', async () => {
    assert.equal((await marquee(stranger, 'partner create --name', 'Acme', '--env-file', file)).code, 0)
    const listed = await marquee(stranger, 'partner list --json', { env: { MARQUEE_ENV_FILE: file } })
    assert.equal(listed.json<{ partners: { name: string }[] }>().partners[0]?.name, 'Acme')
  })

  test('the service reads it too', async () => {
    const service = await serving(stranger, `serve --env-file ${file}`)
    assert.equal((await fetch(`${service.url}/health/ready`)).status, 200)
    await service.stop()
  })

  test('each setting says where it came from, and secrets stay hidden', async () => {
    writeFileSync(join(place.folder, 'url'), 'smtp://mail.example')
    const env = { PORT: '8081', LOG_LEVEL: 'warn', MARQUEE_SMTP_URL_FILE: join(place.folder, 'url') }
    const { stdout, json } = await marquee(stranger, 'settings --json --env-file', file, { env })
    const shown = Object.fromEntries(json<Shown>().settings.map(({ name, value, from }) => [name, [value, from]]))
    assert.deepEqual(shown.TIME_ZONE, ['Europe/Berlin', file])
    assert.deepEqual(shown.PORT, ['8081', 'environment'])
    assert.deepEqual(shown.LOG_LEVEL, ['warn', 'environment'], 'the environment wins')
    assert.deepEqual(shown.HOST, ['127.0.0.1', 'default'])
    assert.deepEqual(shown.MARQUEE_SMTP_URL, ['(hidden)', file])
    assert.ok(!stdout.includes('hunter2'))
  })

  test('a missing file, a bad line and a foreign name are refused with a sentence', async () => {
    const bad = join(place.folder, 'bad.env')
    for (const [text, sentence] of [
      ['PORT=1\nnonsense\n', `Line 2 of ${bad} must read NAME=value.\n`],
      ['PROT=8080\n', `PROT in ${bad} is not a setting of Marquee.\n`],
    ] as const) {
      writeFileSync(bad, text)
      const { code, stderr } = await marquee(stranger, 'settings --env-file', bad)
      assert.deepEqual([code, stderr], [1, sentence])
    }
    const missing = await marquee(stranger, 'settings', { env: { MARQUEE_ENV_FILE: '/nowhere.env' } })
    assert.deepEqual(
      [missing.code, missing.stderr],
      [1, 'The settings file /nowhere.env cannot be read: check that it is there and that this user may read it.\n'],
    )
  })

  test('a demo reads none', async () => {
    for (const { code, stderr } of await marqueeEach(stranger, [`demo --env-file ${file}`, `serve --demo --env-file ${file}`]))
      assert.deepEqual([code, stderr], [2, 'A demo reads no settings file: leave --env-file away.\n'])
    writeFileSync(join(place.folder, 'bad.env'), 'nonsense\n')
    const unread = await marquee(stranger, 'serve --demo', { env: { MARQUEE_ENV_FILE: join(place.folder, 'bad.env'), HOST: '0.0.0.0' } })
    assert.match(unread.stderr, /^--demo prints its keys/)
  })

  test('lines are read as systemd reads them', () => {
    const text = '# a\n; b\n\nA=1\n B = 2\nC="x y"\nD=\'#z\'\nE=a=b\nF=\r\n'
    assert.deepEqual(parseEnvFile(text.replace(' B = 2\n', '')), {
      values: { A: '1', C: 'x y', D: '#z', E: 'a=b', F: '' },
      faultyLine: null,
    })
    assert.equal(parseEnvFile(text).faultyLine, 5)
  })

  test('one that the user may not read is no reason to go on without it', { skip: process.getuid?.() !== 0 }, async () => {
    chmodSync(place.folder, 0o755)
    chmodSync(file, 0o600)
    const { code, stderr } = await marquee(stranger, 'settings', { env: { MARQUEE_ENV_FILE: file }, uid: 65_534 })
    assert.equal(code, 1)
    assert.match(stderr, /cannot be read/)
  })
})
