/** A database is made on purpose only, belongs to one user, and is missed when it is gone. */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { marquee, marqueeEach } from '../support/command.ts'
import { emptyPlace, onEachEngine, type Place } from '../support/engines.ts'

const isRoot = process.getuid?.() === 0
const nobody = 65_534

describe('a new database', () => {
  let place: Place
  let data: string
  before(async () => {
    const empty = await emptyPlace('sqlite')
    data = join(empty.folder, 'data')
    place = { ...empty, env: { ...empty.env, DATA_DIR: data } }
  })
  after(() => place?.remove())
  const marker = () => `${data}.installation`

  test('no other command makes it: each says that there is none', async () => {
    const lines = ['partner list', 'serve', 'migrate', `backup ${join(place.folder, 'b.db')}`, 'import - --partner 1', 'switch']
    for (const [index, { code, stderr }] of (await marqueeEach(place, lines)).entries()) {
      assert.equal(code, 1, lines[index])
      assert.match(stderr, /^There is no database in .*\/data\. If this is the right folder, run marquee migrate --init/, lines[index])
    }
    assert.equal(existsSync(data), false)
  })

  test('`migrate --init` makes it, and a second time changes nothing', async () => {
    const outcomes = await marqueeEach(place, ['migrate --init --json', 'migrate --init --json', 'partner create --name Acme'])
    const [first, second] = outcomes.map(({ stdout }) => stdout)
    assert.deepEqual([outcomes.map(({ code }) => code), second], [[0, 0, 0], first])
    assert.equal(readFileSync(marker(), 'utf8'), `${JSON.parse(first ?? '').database.installation}\n`)
  })

  test('a database that is gone is missed, by the service and by `migrate --init`', async () => {
    rmSync(join(data, 'marquee.db'))
    for (const { code, stderr } of await marqueeEach(place, ['serve', 'migrate --init', 'partner list'])) {
      assert.equal(code, 1)
      assert.match(stderr, /A database was here, as .*data\.installation says: mount its disk or run marquee restore/)
    }
    assert.equal(existsSync(join(data, 'marquee.db')), false)
  })

  test('an unmounted folder is missed too, and a secret alone', async () => {
    rmSync(data, { recursive: true })
    mkdirSync(data)
    assert.match((await marquee(place, 'migrate --init')).stderr, /A database was here/)
    rmSync(marker())
    assert.equal((await marquee(place, 'migrate --init')).code, 0)
    rmSync(join(data, 'marquee.db'))
    rmSync(marker())
    assert.match((await marquee(place, 'migrate --init')).stderr, /The server secret .* is there, so a database was: put it back/)
  })

  test('the database of another installation is refused', async () => {
    rmSync(data, { recursive: true })
    assert.equal((await marquee(place, 'migrate --init')).code, 0)
    const other = { ...place, env: { ...place.env, DATA_DIR: join(place.folder, 'other') } }
    assert.equal((await marquee(other, 'migrate --init')).code, 0)
    rmSync(data, { recursive: true })
    rmSync(`${other.env.DATA_DIR}.installation`)
    renameSync(join(place.folder, 'other'), data)
    const { code, stderr } = await marquee(place, 'partner list')
    assert.equal(code, 1)
    assert.match(stderr, /is of another installation than .*data\.installation says/)
  })

  test('root works as the owner of the data, another user is refused', { skip: !isRoot }, async () => {
    rmSync(marker(), { force: true })
    rmSync(data, { recursive: true, force: true })
    chmodSync(place.folder, 0o755)
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, nobody, nobody)
    const made = await marquee(place, 'migrate --init')
    assert.deepEqual([made.code, made.stderr], [0, `Running as nobody, who owns the data in ${data}.\n`])
    assert.equal((await marquee(place, 'partner create --name Acme')).code, 0)
    for (const name of ['marquee.db', 'secret']) assert.equal(statSync(join(data, name)).uid, nobody, name)
    assert.equal(statSync(marker()).uid, 0)
    const { code, stderr } = await marquee(place, 'partner list', { uid: 65_533 })
    assert.equal(code, 1)
    assert.match(stderr, /belongs to nobody, and this command runs as user 65533: run it as nobody, or as root, who switches to nobody/)
  })
})

onEachEngine('an empty database', ({ engine }) => {
  test('is brought up by --init only', { skip: engine === 'sqlite' }, async () => {
    const place = await emptyPlace(engine)
    for (const words of ['partner list', 'migrate', 'serve'])
      assert.match(
        (await marquee(place, words, { env: { PORT: '0' } })).stderr,
        /is empty: if it is the right one, run `marquee migrate --init` first/,
      )
    assert.equal((await marquee(place, 'migrate --init')).code, 0)
    assert.equal((await marquee(place, 'partner list')).code, 0)
    await place.remove()
  })

  test('gets a server secret by --init, in the file that was named, for the user of its folder', async () => {
    const place = await emptyPlace(engine)
    const folder = join(place.folder, 'secrets')
    const path = join(folder, 'server-secret')
    const named = { ...place, env: { ...place.env, MARQUEE_SECRET_FILE: path } }
    mkdirSync(folder, { mode: 0o700 })
    if (isRoot) chownSync(folder, nobody, nobody)
    assert.equal((await marquee(named, 'partner list')).code, 1)
    assert.equal(existsSync(path), false)
    const { code, stderr } = await marquee(named, 'migrate --init')
    assert.equal(code, 0, stderr)
    const made = readFileSync(path, 'utf8')
    assert.match(made, /^[0-9a-f]{64}\n$/)
    assert.deepEqual([statSync(path).mode & 0o777, statSync(path).uid], [0o600, statSync(folder).uid])
    assert.equal((await marquee(named, 'partner create --name Acme')).code, 0)
    assert.equal((await marquee(named, 'migrate --init')).code, 0)
    assert.equal(readFileSync(path, 'utf8'), made)
    rmSync(path)
    assert.match((await marquee(named, 'migrate --init')).stderr, /Restore it from where it was kept/)
    assert.equal(existsSync(path), false)
    await place.remove()
  })
})
