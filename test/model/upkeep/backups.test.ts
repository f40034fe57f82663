/** A backup is whole although others write, says that it leaves the secret out, and comes back only where nobody is at work. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { marquee } from '../../support/command.ts'
import { emptyPlace, freshPlace, type Place } from '../../support/engines.ts'
import { startTestService } from '../../support/service.ts'

describe('backup and restore', () => {
  let [place, other]: Place[] = []
  before(async () => {
    ;[place, other] = [await freshPlace('sqlite'), await emptyPlace('sqlite')]
  })
  after(async () => {
    await place?.remove()
    await other?.remove()
  })
  const here = () => place ?? assert.fail()
  const there = () => other ?? assert.fail()
  const file = (name: string) => join(here().folder, name)
  const business = '<business><name>Pier</name></business>'

  test('a backup taken under load holds every write acknowledged before it began', async () => {
    const service = await startTestService(here())
    const acme = await service.partner('Acme')
    let isWriting = true
    let acknowledged = 0
    const writing = (async () => {
      for (; isWriting; acknowledged += 1) assert.equal((await acme.post('/api/businesses.xml', business)).status, 201)
    })()
    while (acknowledged < 50) await new Promise((resolve) => setTimeout(resolve, 5))
    const atLeast = acknowledged
    const outcome = await marquee(here(), 'backup', file('one.db'))
    assert.equal(outcome.code, 0, outcome.stderr)
    assert.match(outcome.stdout, /server secret is not in it: keep .*secret safe/)
    isWriting = false
    await writing
    const refused = await marquee(here(), 'restore', file('one.db'))
    assert.deepEqual([refused.code, /is in use/.test(refused.stderr)], [1, true], refused.stderr)
    await service.stop()
    const restored = await marquee(here(), 'restore', file('one.db'))
    assert.equal(restored.code, 0, restored.stderr)
    const listed = (await marquee(here(), 'business list --json')).json<{ businesses: unknown[] }>()
    assert.ok(listed.businesses.length >= atLeast)
    assert.ok(readdirSync(here().folder).some((name) => name.includes('before-restore')))
  })

  test('a backup is never written over a file, and a file that is none of ours is refused', async () => {
    assert.match((await marquee(here(), 'backup', file('one.db'))).stderr, /already/)
    writeFileSync(file('letter.txt'), 'Dear Dana')
    const refused = await marquee(there(), 'restore', file('letter.txt'))
    assert.deepEqual([refused.code, existsSync(join(there().folder, 'marquee.db'))], [1, false], refused.stderr)
    const bytes = readFileSync(file('one.db'))
    bytes.fill(7, 8192, 40_000)
    writeFileSync(file('broken.db'), bytes)
    assert.equal((await marquee(there(), 'restore', file('broken.db'))).code, 1)
    assert.equal(existsSync(join(there().folder, 'marquee.db')), false)
  })

  test('with the secret under a passphrase one file is enough, and without it nothing opens', async () => {
    const passphrase = { stdin: 'correct horse battery\n' }
    assert.equal((await marquee(here(), 'backup', file('two.db'), '--with-secret', '--passphrase-stdin', passphrase)).code, 0)
    const secret = readFileSync(file('secret'), 'utf8').trim()
    assert.ok(!readFileSync(file('two.db')).includes(secret))
    const wrong = await marquee(there(), 'restore', file('two.db'), '--passphrase-stdin', { stdin: 'wrong horse battery' })
    assert.deepEqual([wrong.code, existsSync(join(there().folder, 'marquee.db'))], [1, false])
    const right = await marquee(there(), 'restore', file('two.db'), '--passphrase-stdin', passphrase)
    assert.equal(right.code, 0, right.stderr)
    assert.equal(readFileSync(join(there().folder, 'secret'), 'utf8').trim(), secret)
    assert.match((await marquee(there(), 'partner list')).stdout, /Acme/)
  })

  test('a passphrase of a few characters is refused', async () => {
    const outcome = await marquee(here(), 'backup', file('three.db'), '--with-secret', '--passphrase-stdin', { stdin: 'short' })
    assert.deepEqual([outcome.code, existsSync(file('three.db'))], [1, false])
  })
})
