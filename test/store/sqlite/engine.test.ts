/** The embedded database as a file: private, durable, and shared with other processes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readSettings } from '../../../src/config.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { freshPlace } from '../../support/engines.ts'

describe('the embedded database', () => {
  test('only its owner can read it', () =>
    onFresh(async (store, folder) => {
      await store.readyProbe()
      const mode = (path: string) => statSync(path).mode & 0o777
      assert.equal(mode(folder), 0o700)
      assert.ok(readdirSync(folder).includes('marquee.db-wal'))
      for (const name of readdirSync(folder)) assert.equal(mode(join(folder, name)), 0o600, name)
    }))

  test('a write waits for the write of another process without stopping this one', () =>
    onFresh(async (store, folder) => {
      const other = spawn(process.execPath, ['-e', holdLock, join(folder, 'marquee.db')], {
        cwd: import.meta.dirname,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(other.stdout, 'data')
      let ticks = 0
      const clock = setInterval(() => {
        ticks += 1
      }, 10)
      await store.readyProbe()
      clearInterval(clock)
      assert.ok(ticks > 20, `the event loop ran only ${ticks} times while another process wrote for half a second`)
    }))

  test('the log starts over although somebody reads whenever something is written', () =>
    onFresh(async (store) => {
      const value = 'x'.repeat(64 * 1024)
      for (let index = 0; index < 400; index += 1) {
        const fact = { name: `fact-${index}`, value }
        const reading = store.db.selectFrom('facts').select('name').execute()
        await Promise.all([reading, store.write((tx) => tx.insertInto('facts').values(fact).execute())])
      }
      const { wal_bytes } = store.engine.gauges()
      assert.ok((wal_bytes ?? 0) < 8 << 20, `${wal_bytes} bytes`)
    }))

  test('whoever finds nothing wrong says so', () =>
    onFresh(async (store) => {
      const findings = await store.engine.inspect()
      assert.deepEqual(
        findings.filter(({ complaint }) => complaint !== undefined),
        [],
      )
      assert.equal(findings.find(({ name }) => name === 'synchronous')?.value, '2')
      assert.equal(findings.find(({ name }) => name === 'journal_mode')?.value, 'wal')
    }))
})

const holdLock = `
  const db = new (require('better-sqlite3'))(process.argv[1])
  db.exec('begin immediate')
  console.log('locked')
  setTimeout(() => { db.exec('commit'); db.close() }, 500)
`

async function onFresh(work: (store: Store, folder: string) => Promise<void>): Promise<void> {
  const place = await freshPlace('sqlite')
  const folder = join(place.folder, 'data')
  const store = openStore(readSettings({ DATA_DIR: folder }))
  try {
    await migrate(store)
    await work(store, folder)
  } finally {
    await store.close()
    await place.remove()
  }
}
