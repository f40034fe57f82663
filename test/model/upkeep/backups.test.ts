/** A backup is whole although others write, says that it leaves the secret out, and comes back only where nobody is at work. */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { issueKey } from '../../../src/model/partners/keys/keys.ts'
import { createSite } from '../../../src/model/partners/sites.ts'
import { marquee, marqueeEach } from '../../support/command.ts'
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

  test('a backup is proven in a folder of its own, and a foreign secret is seen', async () => {
    const proven = await marquee(here(), 'restore --check --json', file('one.db'))
    const { check } = proven.json<{ check: { partners: number; ok: boolean } }>()
    assert.deepEqual([proven.code, check.partners, check.ok], [0, 1, true], proven.stderr)
    const stranger = await freshPlace('sqlite')
    const refused = await marquee(stranger, 'restore --check', file('one.db'))
    await stranger.remove()
    assert.deepEqual([refused.code, /is not the one this backup was made with/.test(refused.stdout)], [1, true], refused.stdout)
  })

  test('at no moment is there no database', async () => {
    const seen: string[] = []
    const watcher = watch(here().folder, (event, name) => void (name === 'marquee.db' && event === 'rename' && seen.push(event)))
    const outcome = await marquee(here(), 'restore', file('one.db'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    watcher.close()
    assert.equal(outcome.code, 0, outcome.stderr)
    assert.deepEqual(seen, ['rename'], 'the name was taken over once and never given up')
  })

  test('a restored database belongs to whom it belonged', { skip: process.getuid?.() !== 0 }, async () => {
    const data = join(here().folder, 'owned')
    mkdirSync(data, { mode: 0o700 })
    chmodSync(here().folder, 0o755)
    chownSync(data, 65_534, 65_534)
    const owned = { ...here(), env: { ...here().env, DATA_DIR: data } }
    const outcome = await marquee(owned, 'restore', file('two.db'), '--passphrase-stdin', { stdin: 'correct horse battery' })
    assert.equal(outcome.code, 0, outcome.stderr)
    for (const name of ['marquee.db', 'secret']) {
      const { uid, gid, mode } = statSync(join(data, name))
      assert.deepEqual([uid, gid, mode & 0o777], [65_534, 65_534, 0o600], name)
    }
    assert.match((await marquee(owned, 'partner list')).stdout, /Acme/)
  })

  test('people erased after the backup are erased again, by the journal that goes with the backups', async () => {
    const password = ['--password-stdin', { stdin: 'correct horse battery' }] as const
    const person = 'user create --account 1 --email dana@acme.example --login dana-acme'
    assert.equal((await marquee(here(), person, ...password)).code, 0)
    const folder = join(here().folder, 'backups')
    // Another partner writes to dana too; its account is the second.
    const [, listed, first, erased, after] = await marqueeEach(here(), [
      'partner create --name Rival',
      'reports schedule --account 2 --every week --to Dana@acme.example,erin@rival.example',
      `backup --to ${folder} --json`,
      'subject erase --user dana-acme',
      `backup ${join(folder, 'after.db')}`,
    ])
    assert.deepEqual([listed?.code, first?.code, erased?.code, after?.code], [0, 0, 0, 0], `${listed?.stderr}${erased?.stderr}`)
    assert.ok(!readFileSync(join(folder, 'erasures.ndjson'), 'utf8').includes('dana'))
    const outcome = await marquee(here(), 'restore --end-sessions', first?.json<{ backup: { file: string } }>().backup.file ?? '')
    assert.match(outcome.stdout, /People erased since then and erased again: 1\./)
    assert.match(outcome.stdout, /All sessions are ended\./)
    const [gone, reports] = await marqueeEach(here(), ['subject export --user dana-acme', 'reports list --account 2 --json'])
    assert.equal(gone?.code, 1)
    assert.match(reports?.stdout ?? '', /erin@rival\.example/)
    assert.doesNotMatch(reports?.stdout ?? '', /dana/i)
  })

  test('a folder keeps the newest backups only, and nothing else is removed from it', async () => {
    const folder = join(here().folder, 'nightly')
    mkdirSync(folder)
    for (const name of ['marquee-20260101T000000Z.db', 'marquee-20260102T000000Z.db', 'letter.db']) writeFileSync(join(folder, name), '')
    const [made, wrong, both] = await marqueeEach(here(), [
      `backup --to ${folder} --keep 2 --json`,
      'backup --keep 2',
      `backup x --to ${folder}`,
    ])
    assert.deepEqual([made?.code, wrong?.code, both?.code], [0, 2, 2])
    assert.deepEqual(made?.json<{ backup: { removed: string[] } }>().backup.removed, ['marquee-20260101T000000Z.db'])
    assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith('.db')).length, 3)
  })

  test('a report after a restore never bears the tag of a report before it', async () => {
    const report = async (domain: string, tag?: string) => {
      const service = await startTestService(here())
      await createSite(service.operator, 1, domain)
      const { key, password } = await issueKey(service.operator, 1)
      const question = { credentials: `${key}:${password}`, headers: tag === undefined ? {} : { 'if-none-match': tag } }
      const { status, headers, text } = await service.stranger.get('/api/seo_report.json', question)
      await service.stop()
      return { status, tag: headers.etag ?? '', text }
    }
    assert.equal((await marquee(here(), 'backup', file('before.db'))).code, 0)
    const lost = await report('lost.example')
    assert.equal((await marquee(here(), 'restore', file('before.db'))).code, 0)
    const now = await report('other.example', lost.tag)
    assert.equal(now.status, 200)
    assert.notEqual(now.tag, lost.tag)
    assert.ok(!now.text.includes('lost.example'))
  })
})
