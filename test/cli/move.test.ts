/** A database that is moved to another engine and back, killed on the way, is the same to everyone who knew it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { openApp } from '../../src/model/core/app.ts'
import { secretPath } from '../../src/model/core/secrets/secret-file.ts'
import { leftBehind } from '../../src/store/bulk/bulk.ts'
import { placement } from '../../src/store/placement.ts'
import { marqueeEach } from '../support/command.ts'
import { emptyPlace, freshPlace, type Place } from '../support/engines.ts'
import { addressFile, contentOf, killed, look, type MovingWorld, makeMovingWorld, moveTo } from '../support/moving.ts'
import { startTestService } from '../support/service.ts'

describe('a database that is moved', () => {
  const places = {} as { first: Place; server: Place; last: Place }
  const at = {} as { world: MovingWorld; seen: object }
  before(async () => {
    places.first = await freshPlace('sqlite')
    at.world = await makeMovingWorld(places.first)
    at.seen = await look(places.first, at.world)
    const secret = { MARQUEE_SECRET_FILE: secretPath(readSettings(places.first.env)) }
    for (const name of ['server', 'last'] as const) {
      const place = await emptyPlace(name === 'server' ? 'postgres' : 'sqlite')
      places[name] = { ...place, env: { ...place.env, ...secret } }
    }
  })
  after(() => Promise.all(Object.values(places).map((place) => place.remove())))

  test('is refused at a place with another secret, with data, or with a password in the words, and goes on as before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
    writeFileSync(join(folder, 'secret'), `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
    const other = await freshPlace('postgres')
    const refusals = [
      [`move --to ${folder}`, /another server secret/],
      [`move --to-file ${addressFile(other)}`, /holds data already/],
      [`move --to ${places.first.folder}`, /is in .* already/],
      ['move --to postgres://marquee:guess@db.example/marquee', /can read a password/],
      ['move --to mysql://db.example', /must name/],
      ['move --to-file /nowhere', /There is no \/nowhere/],
      ['move --abort', /is not being moved/],
      ['move', /Say either/],
    ] as const
    const outcomes = await marqueeEach(places.first, [...refusals.map(([line]) => line), 'partner create --name Meanwhile'])
    for (const [index, [line, sentence]] of refusals.entries()) {
      assert.notEqual(outcomes[index]?.code, 0, line)
      assert.match(outcomes[index]?.stderr ?? '', sentence, line)
    }
    assert.equal(outcomes.at(-1)?.code, 0, outcomes.at(-1)?.stderr)
    await other.remove()
    rmSync(folder, { recursive: true })
  })

  test('to a server, killed on the way, keeps ids, keys, passwords, sessions, tags and the audit chain', async () => {
    await moveKilled(places.first, places.server)
  })

  test('and back to a file', async () => {
    await moveKilled(places.server, places.last)
  })

  test('accepts writes again when the move is aborted, and can be moved to the same place later', async () => {
    const target = await emptyPlace('sqlite')
    assert.ok(await killed(places.last, target, 'tables', 20))
    await assert.rejects(openApp(readSettings(target.env)), /not whole yet/)
    const elsewhere = mkdtempSync(join(tmpdir(), 'marquee-test-'))
    const [refused] = await marqueeEach(places.last, [`move --to ${elsewhere}`])
    assert.match(refused?.stderr ?? '', /is being moved to .*: go on with that/)
    assert.deepEqual(readdirSync(elsewhere), [], 'a refused move makes nothing')
    rmSync(elsewhere, { recursive: true })
    const again = await marqueeEach(places.last, ['move --abort', 'partner create --name Later', `move --to-file ${addressFile(target)}`])
    assert.deepEqual(
      again.map(({ code }) => code),
      [0, 0, 0],
      again.map(({ stderr }) => stderr).join(),
    )
    assert.deepEqual(await contentOf(target), await contentOf(places.last))
    await target.remove()
  })

  async function moveKilled(from: Place, to: Place): Promise<void> {
    const steps = [
      ['first', 60],
      ['tables', 0],
      ['tables', 20],
    ] as const
    for (const [when, step] of steps) assert.ok(await killed(from, to, when, step), `the move was over before ${when} ${step}`)
    await checkHalf(from, to)
    const finished = await moveTo(from, to)
    assert.equal(finished.code, 0, finished.stderr)
    const [arrived, left] = [await contentOf(to), await contentOf(from)]
    assert.deepEqual([...Object.keys(arrived.proofs), ...leftBehind].toSorted(), Object.keys(placement).toSorted())
    assert.deepEqual(arrived, left)
    assert.deepEqual(await look(to, at.world), at.seen)
    const [served, aborted, repeated] = await marqueeEach(from, ['serve', 'move --abort', `move --to-file ${addressFile(to)}`])
    assert.match(served?.stderr ?? '', /was moved to/)
    assert.match(aborted?.stderr ?? '', /The move is done/)
    assert.match(repeated?.stdout ?? '', /was moved to .* before/)
  }

  /** Nobody takes a half for the whole, and nothing is written that would be left behind. */
  async function checkHalf(from: Place, to: Place): Promise<void> {
    await assert.rejects(openApp(readSettings(to.env)), /not whole yet/)
    await assert.rejects(openApp(readSettings(to.env), { schema: 'bring up' }), /not whole yet/)
    const service = await startTestService(from, { LOG_LEVEL: 'silent' })
    const ask = { credentials: at.world.credentials }
    const [read, refused] = [
      await service.stranger.get('/api/users.json', ask),
      await service.stranger.post('/api/businesses.json', { name: 'X' }, ask),
    ]
    const ready = await service.stranger.get('/health/ready')
    await service.stop()
    assert.deepEqual([read.status, refused.status, refused.headers['retry-after'], ready.status], [200, 503, '1', 503])
  }
})
