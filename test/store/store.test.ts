/** What whoever reads and writes may rely on, the same on both engines. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readSettings } from '../../src/config.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openStore, type Param, type Store } from '../../src/store/store.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('the store', (place) => {
  let store: Store
  before(async () => {
    store = openStore(readSettings(place.env))
    await migrate(store)
  })
  after(() => store?.close())

  const keep = (name: string, value: string) => store.write((tx) => tx.insertInto('facts').values({ name, value }).execute())
  const read = async (name: string) =>
    (await store.db.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst())?.value

  test('what is written is there for the next read', async () => {
    await keep('colour', 'green')
    assert.equal(await read('colour'), 'green')
  })

  test('what was remembered is read again once anyone has written, be it another process', async () => {
    const other = openStore(readSettings(place.env))
    const tideOf = store.cacheUntilCommit((db, param: Param<{ name: string }>) =>
      db.selectFrom('facts').select('value').where('name', '=', param('name')),
    )
    const set = (by: Store, value: string) => by.write((tx) => tx.updateTable('facts').set({ value }).where('name', '=', 'tide').execute())
    await keep('tide', 'low')
    assert.deepEqual(await tideOf({ name: 'tide' }), [{ value: 'low' }])
    assert.deepEqual(await tideOf({ name: 'tide' }), [{ value: 'low' }])
    await set(store, 'rising')
    assert.deepEqual(await tideOf({ name: 'tide' }), [{ value: 'rising' }])
    await set(other, 'high')
    await nextTurn()
    assert.deepEqual(await tideOf({ name: 'tide' }), [{ value: 'high' }])
    await other.close()
  })

  test('a read that is kept tells null from the empty text', async () => {
    await keep('crew', 'two')
    const whoIs = store.cacheUntilCommit((db, param: Param<{ name: string | null }>) =>
      db
        .selectFrom('facts')
        .select(sql<string>`coalesce(cast(${param('name')} as text), 'nobody')`.as('who'))
        .where('name', '=', 'crew'),
    )
    assert.deepEqual(await whoIs({ name: '' }), [{ who: '' }])
    assert.deepEqual(await whoIs({ name: null }), [{ who: 'nobody' }])
  })

  test('a snapshot that is open for long keeps nobody from opening another', async () => {
    await keep('ferry', 'moored')
    const seen = await store.snapshot(async (first) => {
      const read = (db: typeof first) => db.selectFrom('facts').select('value').where('name', '=', 'ferry').executeTakeFirst()
      const before = await read(first)
      const second = store.snapshot(read)
      const late = sleep(2_000, undefined, { ref: false }).then(() => 'it waited for the first')
      return [before, await Promise.race([second, late])]
    })
    assert.deepEqual(seen, [{ value: 'moored' }, { value: 'moored' }])
  })

  test('a write that fails half way leaves nothing behind', async () => {
    const failing = store.write(async (tx) => {
      await tx.insertInto('facts').values({ name: 'half', value: 'done' }).execute()
      throw new Error('the second half failed')
    })
    await assert.rejects(failing, /second half/)
    assert.equal(await read('half'), undefined)
  })

  test('forty writers who each add one end at forty', async () => {
    const [partner] = await makePartner(store)
    const add = () =>
      store.write(async (tx) => {
        await store.lock(tx, 'partners', partner)
        const { reads_per_minute } = await tx.selectFrom('partners').selectAll().where('id', '=', partner).executeTakeFirstOrThrow()
        await sleep(1)
        await tx
          .updateTable('partners')
          .set({ reads_per_minute: (reads_per_minute ?? 0) + 1 })
          .where('id', '=', partner)
          .execute()
      })
    await Promise.all(Array.from({ length: 40 }, add))
    const { reads_per_minute } = await store.db.selectFrom('partners').selectAll().where('id', '=', partner).executeTakeFirstOrThrow()
    assert.equal(reads_per_minute, 40)
  })

  test('a reader neither waits for an open write nor sees it', async () => {
    await keep('lamp', 'off')
    await store.write(async (tx) => {
      await tx.updateTable('facts').set({ value: 'on' }).where('name', '=', 'lamp').execute()
      assert.equal(await read('lamp'), 'off')
    })
    assert.equal(await read('lamp'), 'on')
  })

  test('a snapshot sees one moment, whatever is written meanwhile', async () => {
    await keep('before', 'x')
    await store.snapshot(async (db) => {
      const count = async () => (await db.selectFrom('facts').select('name').execute()).length
      const first = await count()
      await keep('meanwhile', 'x')
      assert.equal(await count(), first)
      assert.equal(await read('meanwhile'), 'x')
    })
  })

  test('more snapshots than connections take turns', async () => {
    const readings = Array.from({ length: 24 }, () =>
      store.snapshot(async (db) => (await db.selectFrom('facts').select('name').where('name', '=', 'before').execute()).length),
    )
    assert.deepEqual(new Set(await Promise.all(readings)), new Set([1]))
  })

  test('a statement prepared once is run with other values each time', async () => {
    await keep('one', '1')
    await keep('two', '2')
    const valueAt = store.prepare((db, param: Param<{ name: string; not: string }>) =>
      db
        .selectFrom('facts')
        .select('value')
        .where('value', '!=', param('not'))
        .where('name', '=', param('name'))
        .where('name', '!=', 'three'),
    )
    assert.deepEqual(await valueAt({ name: 'one', not: '9' }), [{ value: '1' }])
    assert.deepEqual(await valueAt({ name: 'two', not: '9' }), [{ value: '2' }])
    assert.deepEqual(await valueAt({ name: 'two', not: '2' }), [])
    assert.deepEqual(await valueAt({ name: "' or 1=1 --", not: '9' }), [])
  })

  test('a write begun inside a write fails at once instead of waiting for itself', async () => {
    const nested = store.write(() => keep('inner', 'x'))
    await assert.rejects(nested, /inside another/)
    await keep('afterwards', 'x')
  })

  test('a repeated value is told by its table and columns', async () => {
    await keep('taken', 'x')
    const again = await keep('taken', 'y').catch((error: unknown) => error)
    assert.deepEqual(store.uniqueViolation(again), { table: 'facts', columns: ['name'] })
    const [partner, account] = await makePartner(store)
    const business = await store.write((tx) =>
      tx
        .insertInto('businesses')
        .values({ account_id: account, name: 'Acme', aasm_state: 'active', ...times })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const site = () =>
      store.write((tx) =>
        tx
          .insertInto('sites')
          .values({ account_id: account, business_id: business.id, domain: 'acme.example', ...times })
          .execute(),
      )
    await site()
    assert.deepEqual(store.uniqueViolation(await site().catch((error: unknown) => error)), {
      table: 'sites',
      columns: ['account_id', 'domain'],
    })
    assert.equal(store.uniqueViolation(new Error('another')), undefined)
    assert.ok(partner)
  })

  test('a row cannot hang below one that does not exist', async () => {
    const orphan = store.write((tx) =>
      tx
        .insertInto('accounts')
        .values({ partner_id: 999, name: 'Nobody', owner_id: null, ...times })
        .execute(),
    )
    await assert.rejects(orphan, /foreign key/i)
  })

  test('ids, counts and sums are numbers', async () => {
    await makePartner(store)
    const row = await store.db
      .selectFrom('partners')
      .select((eb) => [eb.fn.countAll().as('count'), eb.fn.sum('id').as('sum'), eb.fn.max('id').as('last')])
      .executeTakeFirstOrThrow()
    for (const value of Object.values(row)) assert.equal(typeof value, 'number')
  })

  test('an id up to 2^53 comes back whole', async () => {
    const id = Number.MAX_SAFE_INTEGER
    await store.write((tx) =>
      tx
        .insertInto('partners')
        .values({ id, name: 'Last', state: 'active', ...times })
        .execute(),
    )
    assert.equal((await store.db.selectFrom('partners').select('id').where('id', '=', id).executeTakeFirst())?.id, id)
    await store.write((tx) => tx.deleteFrom('partners').where('id', '=', id).execute())
  })

  test('text is ordered by its code points, whatever language the database speaks', async () => {
    const words = ['Zebra', 'apple', 'Äpfel', 'zoo', 'Apple', 'éclair', '10', '9']
    for (const word of words) await keep(`order ${word}`, 'x')
    const rows = await store.db.selectFrom('facts').select('name').where('name', 'like', 'order %').orderBy('name').execute()
    assert.deepEqual(
      rows.map(({ name }) => name),
      words.map((word) => `order ${word}`).sort(),
    )
  })

  test('bytes come back as they were', async () => {
    const body = Buffer.from([0, 255, 10, 128])
    await keepBytes(store, { bytes: body })
    const kept = await store.db.selectFrom('idempotency_records').select('body').where('key', '=', 'bytes').executeTakeFirstOrThrow()
    assert.deepEqual(Buffer.from(kept.body), body)
  })

  test('numbers and bytes of many rows come as one value each, in the same order', async () => {
    const bodies = { many0: Buffer.from([0, 255, 0]), many1: Buffer.from([128, 10, 39, 92]), many2: Buffer.from('é') }
    await keepBytes(store, bodies)
    const { jsonArray, concatBytes } = store.engine
    const together = (pattern: string) =>
      store.db
        .selectFrom('idempotency_records')
        .select([jsonArray(sql`length(key)`).as('keys'), jsonArray(sql`length(body)`).as('lengths'), concatBytes('body').as('data')])
        .where('key', 'like', pattern)
        .executeTakeFirstOrThrow()
    const { keys, lengths, data } = await together('many%')
    assert.deepEqual(JSON.parse(keys), [5, 5, 5])
    const inSomeOrder = (JSON.parse(lengths) as number[]).map((length) => Object.values(bodies).find((body) => body.length === length))
    assert.deepEqual(Buffer.from(data ?? []), Buffer.concat(inSomeOrder as Buffer[]))
    assert.equal(new Set(inSomeOrder).size, 3)
    const none = await together('nothing')
    assert.deepEqual([JSON.parse(none.keys), JSON.parse(none.lengths), none.data], [[], [], null])
  })

  test('a store that can be written is ready', async () => {
    await store.readyProbe()
  })
})

const times = { created_at: '2026-11-14T12:00:00Z', updated_at: '2026-11-14T12:00:00Z' }

async function keepBytes(store: Store, bodies: Readonly<Record<string, Buffer>>): Promise<void> {
  const [partner_id] = await makePartner(store)
  const others = { operation: 'x', fingerprint: 'f', status: 201, headers: '{}', created_at: times.created_at }
  const records = Object.entries(bodies).map(([key, body]) => ({ partner_id, key, body, ...others }))
  await store.write((tx) => tx.insertInto('idempotency_records').values(records).execute())
}

async function makePartner(store: Store): Promise<[partner: number, account: number]> {
  return store.write(async (tx) => {
    const partner = await tx
      .insertInto('partners')
      .values({ name: 'Acme', state: 'active', ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    const account = await tx
      .insertInto('accounts')
      .values({ partner_id: partner.id, name: 'Acme', owner_id: null, ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    return [partner.id, account.id]
  })
}
