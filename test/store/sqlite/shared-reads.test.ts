/** Plain reads of one turn share a transaction, and yet none is older than the request that it answers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { readSettings } from '../../../src/config.ts'
import { openStore, type Param, type Store } from '../../../src/store/store.ts'
import { freshPlace, type Place } from '../../support/engines.ts'

describe('reads that share a transaction', () => {
  let place: Place
  let store: Store
  let other: Database.Database
  let client: Socket
  let served: Socket
  const server = createServer()
  before(async () => {
    place = await freshPlace('sqlite')
    store = openStore(readSettings(place.env))
    // As another process has it: this one learns nothing of its commits.
    other = new Database(join(place.folder, 'marquee.db'))
    other.prepare("insert into facts (name, value) values ('state', '0')").run()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    client = connect((server.address() as { port: number }).port, '127.0.0.1')
    ;[served] = (await once(server, 'connection')) as [Socket]
    await once(client, 'connect')
  })
  after(async () => {
    client?.destroy()
    served?.destroy()
    server.close()
    other?.close()
    await store?.close()
    await place?.remove()
  })

  const stateNow = async () =>
    (await store.db.selectFrom('facts').select('value').where('name', '=', 'state').executeTakeFirstOrThrow()).value

  /** What a request reads that was sent when the change of another process was over: its bytes are there before the loop polls. */
  const readByNextRequest = async (read: () => Promise<string | undefined>, state: string): Promise<string | undefined> => {
    const answer = once(served, 'data').then(read)
    // No turn passes here: the embedded database is read at once.
    await read()
    other.prepare("update facts set value = ? where name = 'state'").run(state)
    client.write('request')
    return answer
  }

  for (const [phase, begin] of [
    ['a timer', setTimeout],
    ['an immediate', setImmediate],
  ] as const) {
    const inPhase = <T>(work: () => Promise<T>) => new Promise<T>((resolve, reject) => void begin(() => work().then(resolve, reject)))

    test(`what ${phase} began does not serve a request that came later`, async () => {
      assert.equal(await inPhase(() => readByNextRequest(stateNow, `plain after ${phase}`)), `plain after ${phase}`)
    })

    test(`rows that ${phase} read are not kept for a request that came later`, async () => {
      const kept = store.cacheUntilCommit((db, param: Param<{ name: string }>) =>
        db.selectFrom('facts').select('value').where('name', '=', param('name')),
      )
      const state = async () => (await kept({ name: 'state' }))[0]?.value
      assert.equal(await inPhase(() => readByNextRequest(state, `kept after ${phase}`)), `kept after ${phase}`)
    })
  }

  test('a turn has one transaction, and the next one another', async () => {
    const [first, second] = await new Promise<string[]>((resolve) => {
      setImmediate(async () => {
        const early = await stateNow()
        other.prepare("update facts set value = 'later' where name = 'state'").run()
        resolve([early, await stateNow()])
      })
    })
    assert.equal(first, second)
    await nextTurn()
    assert.equal(await stateNow(), 'later')
  })
})
