/** Prepared reads on PostgreSQL that go out together: equal ones are one, none sees less than was committed, each fails alone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openServers, type Servers } from '../../../src/store/postgres/servers.ts'
import { SharedReads } from '../../../src/store/postgres/shared-reads.ts'
import { onEngine } from '../../support/engines.ts'

const valueByName = 'select value from facts where name = $1'

onEngine('postgres', 'reads that go out together', (place) => {
  let servers: Servers
  let reads: SharedReads
  const inFlight = new Map<object, number>()
  let mostInFlight = 0
  let sent: { client: object; name: string | undefined }[] = []
  before(() => {
    const real = openServers(place.env.DATABASE_URL as string, { max: 3 })
    servers = {
      ...real,
      async run(client, query) {
        sent.push({ client, name: query.name })
        inFlight.set(client, (inFlight.get(client) ?? 0) + 1)
        mostInFlight = Math.max(mostInFlight, inFlight.get(client) ?? 0)
        try {
          return await real.run(client, query)
        } finally {
          inFlight.set(client, (inFlight.get(client) ?? 0) - 1)
        }
      },
    }
    reads = new SharedReads(servers)
  })
  after(() => servers.close())

  const write = async (name: string, value: string) => {
    const client = await servers.connect()
    await servers.run(client, {
      text: 'insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      values: [name, value],
    })
    client.release()
    sent = []
  }

  /** Whether the server has begun to answer a slow read, and so decided what it sees. */
  const isAnyAsleep = async () => {
    const client = await servers.connect()
    const asleep = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
    const { rows } = await servers.run(client, { text: asleep })
    client.release()
    return rows.length > 0
  }

  test('equal reads of one turn are sent once, and different ones over the same connection', async () => {
    await write('a', '1')
    await write('b', '2')
    const names = ['a', 'b', 'a', 'a', 'b', 'nobody']
    const rows = await Promise.all(names.map((name) => reads.rows(valueByName, [name])))
    assert.deepEqual(rows, [[{ value: '1' }], [{ value: '2' }], [{ value: '1' }], [{ value: '1' }], [{ value: '2' }], []])
    assert.equal(sent.length, 3)
    assert.equal(new Set(sent.map(({ client }) => client)).size, 1)
    assert.equal(new Set(sent.map(({ name }) => name)).size, 1)
  })

  test('null, a text and a list are different values', async () => {
    const text = 'select $1::text as given'
    const given = [null, '', 'null', '[]']
    const rows = await Promise.all(given.map((value) => reads.rows(text, [value])))
    assert.deepEqual(
      rows,
      given.map((value) => [{ given: value }]),
    )
  })

  test('a read sees what was committed before it was asked, while an equal one is still on its way', async () => {
    const slowly = 'select value, pg_sleep(1) from facts where name = $1'
    await write('c', 'old')
    let isAnswered = false
    const early = reads.rows(slowly, ['c']).finally(() => (isAnswered = true))
    while (!isAnswered && !(await isAnyAsleep())) await nextTurn()
    await write('c', 'new')
    const [then, now] = (await Promise.all([early, reads.rows(slowly, ['c'])])) as { value: string }[][]
    assert.deepEqual([then?.[0]?.value, now?.[0]?.value], ['old', 'new'])
  })

  test('a connection has at most 64 of them to answer', async () => {
    mostInFlight = 0
    const rows = await Promise.all(Array.from({ length: 150 }, (_, at) => reads.rows('select $1::int as at', [at])))
    assert.deepEqual(
      rows.map(([row]) => (row as { at: number }).at),
      Array.from({ length: 150 }, (_, at) => at),
    )
    assert.equal(mostInFlight, 64)
  })

  test('one that fails fails alone, and the next are answered', async () => {
    const divided = 'select 1 / $1::int as quotient'
    const [bad, good] = await Promise.allSettled([reads.rows(divided, [0]), reads.rows(divided, [1])])
    assert.equal(bad.status, 'rejected')
    assert.deepEqual(good, { status: 'fulfilled', value: [{ quotient: 1 }] })
    assert.deepEqual(await reads.rows(divided, [1]), [{ quotient: 1 }])
  })

  test('all of them are refused while no server is there', async () => {
    const nowhere = openServers('postgres://postgres@127.0.0.1:1/postgres', { max: 1 })
    const lost = new SharedReads(nowhere)
    for (const round of [1, 2]) {
      const outcomes = await Promise.allSettled([lost.rows(valueByName, ['a']), lost.rows(valueByName, ['b'])])
      for (const { status, reason } of outcomes as PromiseRejectedResult[])
        assert.deepEqual([round, status, reason.code], [round, 'rejected', 'unavailable'])
    }
    await nowhere.close()
  })
})
