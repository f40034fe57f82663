/** The very next request: its bytes are already there when the event loop polls, and what was read before them does not count. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { authorization } from '../support/app.ts'
import { bareEnvironment } from '../support/child-node.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'marquee.js')

onEachEngine('the very next request', (place) => {
  // Behind a proxy an idle connection is kept for longer than a command takes on a busy machine.
  const service = serviceOn(place, { MARQUEE_TRUSTED_PROXIES: '127.0.0.1' })
  let acme: TestPartner
  let client: Socket
  before(async () => {
    acme = await service.partner('Acme')
    const { hostname, port } = new URL(service.url)
    client = connect(Number(port), hostname).setEncoding('utf8')
    await statusOf(acme.credentials)
  })
  after(() => client?.destroy())

  /** In another process, while this one can do nothing else. */
  const marquee = (words: string) =>
    JSON.parse(
      execFileSync(process.execPath, [bin, ...words.split(' '), '--json'], {
        env: { ...bareEnvironment(), ...place.env },
        encoding: 'utf8',
      }),
    ) as { key: string; password: string }
  const statusOf = async (credentials: string) => {
    client.write(`GET /api/businesses.json HTTP/1.1\r\nHost: marquee.test\r\nAuthorization: ${authorization(credentials)}\r\n\r\n`)
    const [head] = (await once(client, 'data')) as [string]
    return Number(head.split(' ')[1])
  }
  /** The command would wait for a write of this process, which cannot end it while it waits for the command. */
  const isWriting = () => {
    if (place.engine !== 'sqlite') return false
    const database = new Database(join(place.folder, 'marquee.db'), { timeout: 0 })
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK')
      return false
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
      return true
    } finally {
      database.close()
    }
  }
  const rest = async () => {
    while (isWriting()) await sleep(1)
  }
  /** A timer reads what requests read; then the operator's command ends; then the request is sent, before the loop polls again. */
  const afterTimerRead = (credentials: string, change: () => string) => {
    const order = async () => {
      await rest()
      const read = service.app.store.db.selectFrom('keys').selectAll().execute()
      // The embedded database is read at once, so that no turn passes here; a server answers later.
      const isRead = place.engine === 'sqlite' ? await read : read
      const answer = statusOf(change() || credentials)
      await isRead
      return answer
    }
    return new Promise<number>((resolve, reject) => void setTimeout(() => order().then(resolve, reject)))
  }

  test('is served with a key that was issued just before', async () => {
    const issue = () => {
      const { key, password } = marquee(`key issue --partner ${acme.id}`)
      return `${key}:${password}`
    }
    assert.equal(await afterTimerRead('', issue), 200)
  })

  test('is refused with a key that was revoked just before', async () => {
    await rest()
    const { key, password } = marquee(`key issue --partner ${acme.id}`)
    const credentials = `${key}:${password}`
    assert.equal(await statusOf(credentials), 200)
    const revoke = () => {
      marquee(`key revoke ${key.slice(3, 11)}`)
      return ''
    }
    assert.equal(await afterTimerRead(credentials, revoke), 401)
  })

  test('is refused when the partner was suspended just before', async () => {
    const suspend = () => {
      marquee(`partner suspend ${acme.id}`)
      return ''
    }
    assert.equal(await afterTimerRead(acme.credentials, suspend), 401)
  })
})
