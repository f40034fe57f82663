/** Reports from a replica: only where it has the very data that the database has, and nobody notices when it has not. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readSettings } from '../../../src/config.ts'
import { openApp } from '../../../src/model/core/app.ts'
import { type PostgresPair, startPair } from '../../support/postgres-pair.ts'
import { makeReportWorld, observe, type ReportWorld, ranking } from '../../support/report-world.ts'
import { startTestService, type TestService } from '../../support/service.ts'

describe('a replica for reports', () => {
  let pair: PostgresPair
  let service: TestService
  let world: ReportWorld
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  before(async () => {
    pair = await startPair()
    const secretFile = join(folder, 'secret')
    writeFileSync(secretFile, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
    const env = { DATA_DIR: folder, MARQUEE_ENV_FILE: '/dev/null', DATABASE_URL: pair.primary, MARQUEE_SECRET_FILE: secretFile }
    await (await openApp(readSettings(env), { schema: 'bring up' })).close()
    service = await startTestService({ engine: 'postgres', folder, env, remove: async () => {} }, { DATABASE_REPLICA_URL: pair.standby })
    world = await makeReportWorld(service)
  })
  after(async () => {
    await service?.stop()
    await pair?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const sources = async () => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
    const of = (name: string) => Number(new RegExp(`marquee_reports_read_total\\{source="${name}"\\} (\\d+)`).exec(text)?.[1])
    return { database: of('database'), replica: of('replica') }
  }
  /** A question that was not asked before is not answered from memory. */
  let asked = 0
  const report = async () => {
    asked += 1
    const { status, headers, text } = await world.acme.get(`/api/seo_report.json?end_date=2030-01-${String(asked).padStart(2, '0')}`)
    assert.equal(status, 200)
    return { etag: headers.etag, text }
  }
  /** How the sources changed by it. */
  const readFrom = async <T>(work: () => Promise<T>) => {
    const before = await sources()
    const result = await work()
    const now = await sources()
    return { result, database: now.database - before.database, replica: now.replica - before.replica }
  }

  test('is read once it has followed, and says the same', async () => {
    await untilFollowed(pair)
    const { result, database, replica } = await readFrom(report)
    assert.deepEqual([database, replica], [0, 1])
    assert.ok(result.text.includes('plumbing.example') || result.text.includes('plumber'), result.text.slice(0, 300))
  })

  test('is passed over while it has older data, and read again once it has followed', async () => {
    await ask(pair.standby, 'select pg_wal_replay_pause()')
    await observe(service, world.acme, [ranking({ phrase: 'only in the database', rank: 7 })])
    const behind = await readFrom(report)
    assert.deepEqual([behind.database, behind.replica], [1, 0])
    assert.ok(behind.result.text.includes('only in the database'))
    await ask(pair.standby, 'select pg_wal_replay_resume()')
    await untilFollowed(pair)
    const followed = await readFrom(report)
    assert.deepEqual([followed.database, followed.replica], [0, 1])
    assert.ok(followed.result.text.includes('only in the database'))
  })

  test('that is gone holds nobody up', async () => {
    await pair.stopStandby()
    const { database, replica } = await readFrom(async () => {
      for (let count = 0; count < 3; count += 1) await report()
    })
    assert.deepEqual([database, replica], [3, 0])
  })
})

async function untilFollowed({ primary, standby }: PostgresPair): Promise<void> {
  const [{ at } = { at: '' }] = await ask<{ at: string }>(primary, 'select pg_current_wal_lsn()::text as at')
  for (let tries = 0; tries < 200; tries += 1) {
    const [row] = await ask<{ is: boolean }>(standby, `select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as is`)
    if (row?.is) return
    await sleep(50)
  }
  throw new Error('The standby does not follow.')
}

async function ask<R extends object>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as R[]
  } finally {
    await client.end()
  }
}
