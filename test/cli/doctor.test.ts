/** The doctor looks, says what is wrong in sentences, and changes nothing. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { monthOf } from '../../src/store/packed-months.ts'
import { openStore } from '../../src/store/store.ts'
import { marquee } from '../support/command.ts'
import { emptyPlace, freshPlace, onEachEngine, type Place } from '../support/engines.ts'

type Found = {
  settings: { name: string; value: string | null }[]
  findings: { name: string; value: string; complaint?: string; cure?: string }[]
  ok: boolean
}

const complaintsOf = async (place: Place, env: Record<string, string> = {}) => {
  const outcome = await marquee(place, 'doctor --json', { env })
  const { findings, ok } = outcome.json<Found>()
  const complaints = findings.flatMap(({ complaint, cure }) => (complaint === undefined ? [] : `${complaint} ${cure}`))
  assert.equal(outcome.code, complaints.length === 0 ? 0 : 1)
  assert.equal(ok, complaints.length === 0)
  return complaints
}

describe('the doctor', () => {
  const onFresh = async (work: (place: Place) => Promise<void>) => {
    const place = await freshPlace('sqlite')
    await work(place).finally(() => place.remove())
  }

  test('finds a limit of open files that is too low', () =>
    onFresh(async (place) => {
      const script = `ulimit -n 512 && exec ${process.execPath} bin/marquee.js doctor`
      const { status, stdout } = spawnSync('bash', ['-c', script], { env: { PATH: process.env.PATH, ...place.env }, encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stdout, /This process may open only 512 files\.\n {2}Why: .*\n {2}Do: {2}Set LimitNOFILE/)
    }))

  test('misses a database, and makes none', async () => {
    const place = await emptyPlace('sqlite')
    assert.match((await complaintsOf(place)).join(), /^There is no database in /)
    assert.ok(!existsSync(join(place.folder, 'marquee.db')))
    await place.remove()
  })

  test('finds a sound installation sound, and says so', () =>
    onFresh(async (place) => {
      assert.deepEqual(await complaintsOf(place), [])
      assert.match((await marquee(place, 'doctor')).stdout, /All is well\.\n$/)
    }))

  test('sees files that others can read, a foreign secret and plain HTTP in public', () =>
    onFresh(async (place) => {
      chmodSync(join(place.folder, 'marquee.db'), 0o644)
      chmodSync(join(place.folder, 'secret'), 0o640)
      const complaints = await complaintsOf(place, { HOST: '0.0.0.0' })
      assert.equal(complaints.length, 3)
      assert.match(complaints.join(' '), /plain HTTP.*chmod 600 .*marquee\.db.*chmod 600 .*secret/s)
      writeFileSync(join(place.folder, 'secret'), 'x'.repeat(64))
      assert.match((await complaintsOf(place)).join('\n'), /is not the one this database was made with/)
    }))

  test('sees a file where the data folder should be', () =>
    onFresh(async (place) => {
      const file = join(place.folder, 'a-file')
      writeFileSync(file, '')
      assert.deepEqual(await complaintsOf(place, { DATA_DIR: file }), [
        `DATA_DIR names ${file}, which is no folder. Set DATA_DIR to a folder.`,
      ])
    }))

  test('accepts an https address in front of a public one', () =>
    onFresh(async (place) => {
      assert.deepEqual(
        await complaintsOf(place, { HOST: '0.0.0.0', BASE_URL: 'https://marquee.example', MARQUEE_TRUSTED_PROXIES: '10.0.0.2' }),
        [],
      )
    }))
})

onEachEngine('the doctor', (place) => {
  const { engine } = place
  test('says of an empty database that it must be brought up', { skip: engine === 'sqlite' }, async () => {
    const place = await emptyPlace(engine)
    const complaints = (await complaintsOf(place)).filter((each) => !/^(fsync|full_page_writes) is off/.test(each))
    await place.remove()
    assert.match(complaints.join('\n'), /^The database .* is empty: if it is the right one, run `marquee migrate --init` first\. /)
  })

  test('hides secrets and shows the rest of the settings', async () => {
    const env = { MARQUEE_SMTP_URL: 'smtp://dana:hunter2@127.0.0.1:2525' }
    const { stdout, json } = await marquee(place, 'doctor --json', { env })
    assert.ok(!stdout.includes('hunter2'))
    const shown = Object.fromEntries(json<Found>().settings.map(({ name, value }) => [name, value]))
    assert.equal(shown.MARQUEE_SMTP_URL, '(hidden)')
    assert.equal(shown.DATABASE_URL, place.engine === 'sqlite' ? null : '(hidden)')
    assert.equal(shown.PORT, '8080')
  })

  test('misses the months to come where there are months', { skip: engine === 'sqlite' }, async () => {
    const missing = async () => (await complaintsOf(place)).filter((each) => /months of rankings/.test(each))
    const store = openStore(readSettings(place.env))
    try {
      assert.deepEqual(await missing(), [], 'a database without measurements needs none')
      await store.engine.months?.make('ranking_months', Date.UTC(2026, 0, 1) / 1000)
      assert.match((await missing()).join(), /^The months of rankings are not made ahead of the data\. Start the service/)
      await store.engine.months?.make('ranking_months', monthOf(Date.now() / 1000))
      assert.deepEqual(await missing(), [])
    } finally {
      await store.close()
    }
  })

  test('tells the state of the schema', async () => {
    const { findings } = (await marquee(place, 'doctor --json')).json<Found>()
    assert.equal(findings.find(({ name }) => name === 'schema')?.value, 'current')
  })
})
