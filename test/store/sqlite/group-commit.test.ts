/** Writes of one moment share one durable commit, and yet each succeeds or fails alone. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { readSettings } from '../../../src/config.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { freshPlace, type Place } from '../../support/engines.ts'

describe('writes of one moment', () => {
  let place: Place
  let store: Store
  before(async () => {
    place = await freshPlace('sqlite')
    store = openStore(readSettings(place.env))
  })
  after(async () => {
    await store?.close()
    await place?.remove()
  })

  const keep = (name: string, value = 'x') => store.write((tx) => tx.insertInto('facts').values({ name, value }).execute())
  const read = async (name: string) =>
    (await store.db.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst())?.value
  const commitsNow = () => store.engine.gauges().commits_total ?? 0
  const commitsOf = async (work: () => Promise<unknown>) => {
    const before = commitsNow()
    await work()
    return commitsNow() - before
  }

  test('thirty-two share one commit, and each is there when it is acknowledged', async () => {
    const names = Array.from({ length: 32 }, (_, index) => `shared-${index}`)
    const seen: (string | undefined)[] = []
    const commits = await commitsOf(() => Promise.all(names.map((name) => keep(name).then(async () => seen.push(await read(name))))))
    assert.ok(commits <= 4, `${commits} commits`)
    assert.deepEqual(
      seen,
      names.map(() => 'x'),
    )
  })

  test('one that fails does so alone', async () => {
    await keep('taken')
    const [first, second, third] = await Promise.allSettled([keep('before-it'), keep('taken', 'other'), keep('after-it')])
    assert.deepEqual([first?.status, second?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled'])
    assert.deepEqual([await read('before-it'), await read('taken'), await read('after-it')], ['x', 'x', 'x'])
  })

  test('one that is refused half way takes its own half back and nothing else', async () => {
    const whole = keep('whole')
    const half = store.write(async (tx) => {
      await tx.insertInto('facts').values({ name: 'half', value: 'x' }).execute()
      throw new Error('refused')
    })
    const [, refused] = await Promise.allSettled([whole, half])
    assert.equal(refused?.status, 'rejected')
    assert.deepEqual([await read('whole'), await read('half')], ['x', undefined])
  })

  test('a refusal that rests on the write of another is told when that is on the disk', async () => {
    const other = new Database(join(place.folder, 'marquee.db'), { readonly: true })
    const onDisk = () => other.prepare('select value from facts where name = ?').all('contested')
    const first = keep('contested', 'first')
    const seenAtRefusal = await keep('contested', 'second').then(() => assert.fail('both had it'), onDisk)
    assert.deepEqual(seenAtRefusal, [{ value: 'first' }])
    await first
    other.close()
  })

  test('a transaction that the database gave up is lost for all who shared it, and for nobody else', async () => {
    const before = keep('lost-0')
    const damaged = store.write(async (tx) => {
      await tx.insertInto('facts').values({ name: 'lost-1', value: 'x' }).execute()
      // As SQLite does by itself when the disk is full.
      await sql`rollback`.execute(tx)
      await tx.insertInto('facts').values({ name: 'astray', value: 'x' }).execute()
    })
    const results = await Promise.allSettled([before, damaged, keep('next-group')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    for (const name of ['lost-0', 'lost-1', 'astray']) assert.equal(await read(name), undefined, name)
    assert.equal(await read('next-group'), 'x')
  })

  test('a steady stream of writes is acknowledged all along, not at its end', async () => {
    const before = commitsNow()
    let beforeFirst: number | undefined
    const one = (index: number) =>
      keep(`stream-${index}`).then(() => {
        beforeFirst ??= commitsNow() - before
      })
    const commits = await commitsOf(() => Promise.all(Array.from({ length: 600 }, (_, index) => one(index))))
    assert.ok(commits >= 3 && commits < 300, `${commits} commits`)
    assert.ok(beforeFirst !== undefined && beforeFirst < commits / 2, `the first was told after ${beforeFirst} of ${commits} commits`)
  })

  test('a slow write that says so keeps nobody waiting for its commit who was done before', async () => {
    const order: string[] = []
    const slow = store
      .write(async (tx) => {
        await tx.insertInto('facts').values({ name: 'slow', value: 'x' }).execute()
        await sleep(300)
      }, 'slow')
      .then(() => order.push('slow'))
    const quick = keep('quick').then(() => order.push('quick'))
    await Promise.all([keep('quickest').then(() => order.push('quickest')), slow, quick])
    assert.equal(order.length, 3)
    assert.deepEqual([await read('slow'), await read('quick')], ['x', 'x'])
    const before = keep('just-before').then(() => order.push('just before'))
    const second = store.write(() => sleep(200), 'slow').then(() => order.push('second slow'))
    await Promise.all([before, second])
    assert.deepEqual(order.slice(3), ['just before', 'second slow'])
  })
})
