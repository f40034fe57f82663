/** A restore that is killed between any two of its steps leaves the old database or the new one, whole, and the next command runs on it. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { listPartners } from '../../src/model/partners/partners.ts'
import { marquee } from '../support/command.ts'
import { freshPlace, type Place } from '../support/engines.ts'

const preload = join(import.meta.dirname, '..', 'support', 'kill-at-step.ts')
/** More than a restore has. */
const mostSteps = 20

describe('a restore that is killed', () => {
  const at = {} as { place: Place; backup: string; kept: string }
  before(async () => {
    const place = await freshPlace('sqlite')
    Object.assign(at, { place, backup: join(place.folder, 'backup.db'), kept: join(place.folder, 'kept') })
    await marquee(place, 'partner create --name', 'Before')
    await marquee(place, 'backup', at.backup)
    await marquee(place, 'partner create --name', 'After')
    mkdirSync(at.kept)
    for (const name of ['marquee.db', 'secret']) cpSync(join(place.folder, name), join(at.kept, name))
  })
  after(() => at.place.remove())

  /** A data folder as it was before the restore; without a database where `isNew`. */
  function dataFolder(isNew: boolean): Place {
    const data = join(at.place.folder, 'data-folder')
    rmSync(data, { recursive: true, force: true })
    mkdirSync(data, { mode: 0o700 })
    for (const name of isNew ? ['secret'] : ['marquee.db', 'secret']) cpSync(join(at.kept, name), join(data, name))
    return { ...at.place, env: { ...at.place.env, DATA_DIR: data } }
  }

  for (const isNew of [false, true]) {
    test(`leaves the old database or the new one${isNew ? ', where there was none' : ''}`, async () => {
      const seen = new Set<string>()
      for (let step = 0; step < mostSteps; step++) {
        const place = dataFolder(isNew)
        const env = { KILL_AT: String(step), NODE_OPTIONS: `--import ${preload}` }
        const outcome = await marquee(place, 'restore', at.backup, { env })
        seen.add(await found(place, step))
        if (outcome.code !== null) {
          assert.equal(outcome.code, 0, outcome.stderr)
          break
        }
        assert.ok(step + 1 < mostSteps, 'the restore has more steps than are tried')
      }
      assert.deepEqual([...seen], isNew ? ['nothing', 'the new one'] : ['the old one', 'the new one'])
    })
  }

  /** Which database the next command finds. */
  async function found(place: Place, step: number): Promise<string> {
    if (!existsSync(join(place.env['DATA_DIR'] as string, 'marquee.db'))) {
      const refused = await marquee(place, 'partner list')
      assert.deepEqual([refused.code, /There is no database in/.test(refused.stderr)], [1, true], `step ${step}: ${refused.stderr}`)
      return 'nothing'
    }
    const app = await openApp(readSettings(place.env))
    const names = (await listPartners({ kind: 'operator', app, requestId: 'test' })).map(({ name }) => name)
    await app.close()
    assert.ok(names.includes('Before'), `step ${step}: ${names}`)
    return names.includes('After') ? 'the old one' : 'the new one'
  }
})
