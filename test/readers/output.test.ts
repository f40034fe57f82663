/** Work that was cancelled ends at its next pause, wherever it waits; and a thread has nothing to write with. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { BufferPool, chunkBytes } from '../../src/lib/streams/chunks.ts'
import { Pauses, Stopped, WorkOutput } from '../../src/readers/output.ts'
import { readingApp } from '../../src/readers/reading-app.ts'
import { onEachEngine } from '../support/engines.ts'
import { serviceOn } from '../support/service.ts'

describe('the output of a reader thread', () => {
  const atMost = 4
  const open = () => {
    const pauses = new Pauses(() => undefined)
    const sent: Uint8Array[] = []
    const output = new WorkOutput('identity', (chunk) => sent.push(chunk), new BufferPool(), pauses)
    for (let chunk = 0; chunk < atMost; chunk += 1) output.chunks.addBytes(new Uint8Array(chunkBytes))
    return { pauses, sent, output }
  }

  test('waits until its reader has taken a part', async () => {
    const { sent, output } = open()
    assert.equal(sent.length, atMost)
    const waiting = output.pause()
    output.taken()
    await waiting
    assert.equal(output.pause(), undefined)
  })

  test('ends where it waits once its reader has gone', async () => {
    const { pauses, output } = open()
    const waiting = assert.rejects(async () => output.pause(), Stopped)
    pauses.stop()
    await waiting
    assert.throws(() => pauses.pause(), Stopped)
  })
})

onEachEngine('the app of a reader thread', (place) => {
  const service = serviceOn(place)

  test('reads, and has neither a way to write nor a secret', async () => {
    const app = readingApp(service.app.store.db, readSettings(place.env), '2026-11-19T00:00:00Z')
    assert.deepEqual(await app.store.db.selectFrom('accounts').select('id').where('id', '=', -1).execute(), [])
    assert.equal(app.clock.now(), '2026-11-19T00:00:00Z')
    assert.throws(() => app.store.write, /The store of a reader thread has no write\./)
    assert.throws(() => app.secrets, /The app of a reader thread has no secrets\./)
  })
})
