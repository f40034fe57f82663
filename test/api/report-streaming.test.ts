/** Large reports: slow readers hold nobody up, those who go away leave nothing behind, and a half report never looks whole. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { addAccount } from '../../bench/world.ts'
import { renewMeasuredVersions } from '../../src/model/core/report-version.ts'
import { bytesOf, monthOf } from '../../src/store/packed-months.ts'
import type { Store } from '../../src/store/store.ts'
import { open, type Reader, readWhole, stall } from '../support/downloads.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const size = { sites: 6, competitors: 2, keywords: 40, days: 45, backlinks: 1_000 }
const path = '/api/seo_report.xml'
const aborts = Number(process.env.REPORT_ABORTS ?? 100)

onEachEngine('a report of about 35 MB', (place) => {
  // A report that breaks off is logged, and one is made to.
  const service = serviceOn(place, { LOG_LEVEL: 'silent' })
  let acme = {} as TestPartner
  let globex = {} as TestPartner
  let whole = { digest: '', bytes: 0 }
  const readerOf = ({ credentials }: TestPartner): Reader => ({ url: service.url, credentials })

  before(async () => {
    acme = await service.partner('Acme')
    globex = await service.partner('Globex')
    await addAccount(service.operator, acme.id, 'acme', size)
    await addAccount(service.operator, globex.id, 'globex', { ...size, sites: 1, days: 2 })
    whole = await readWhole(await open(readerOf(acme), path))
  })

  test('comes whole to a quick reader', async () => {
    assert.ok(whole.bytes > 30e6, `${whole.bytes} bytes`)
    assert.deepEqual(await readWhole(await open(readerOf(acme), path)), whole)
  })

  test('comes whole to a reader who takes it slowly', async () => {
    const slow = await open(readerOf(acme), path)
    assert.deepEqual(await readWhole(slow, 2), whole)
  })

  test('five who take nothing hold up neither others nor the store', async () => {
    const stalled = await Promise.all(Array.from({ length: 5 }, () => stall(readerOf(acme), path)))
    assert.equal((await open(readerOf(globex), '/api/seo_report.json')).statusCode, 200)
    assert.ok(stalled.every((response) => !response.destroyed && !response.complete))
    await untilNobodyReads(place.engine, service)
    for (const response of stalled) response.destroy()
  })

  test('a stalled reader who goes on reading still gets the whole', async () => {
    const stalled = await stall(readerOf(acme), path)
    await sleep(1_000)
    assert.deepEqual(await readWhole(stalled), whole)
  })

  test(`${aborts} readers who go away at any moment leave everything as it was`, async () => {
    const files = () => readdirSync('/proc/self/fd').length
    const before = files()
    for (let done = 0; done < aborts; done += 10) await Promise.all(Array.from({ length: 10 }, () => goAway(readerOf(acme))))
    const four = [acme, acme, globex, globex].map(async (partner) => readWhole(await open(readerOf(partner), path)))
    const [first, second] = await Promise.all(four)
    assert.deepEqual([first, second], [whole, whole])
    await eventually(() => files() <= before + 8)
  })

  test('a failure in the middle breaks the connection', async () => {
    await spoil(service, acme)
    const response = await open(readerOf(acme), path)
    assert.equal(response.statusCode, 200)
    await assert.rejects(readWhole(response))
  })
})

/** Asks, reads for a while or not at all, and is gone. */
async function goAway(reader: Reader): Promise<void> {
  try {
    const response = await open(reader, path, Math.random() < 0.5 ? { 'accept-encoding': 'zstd' } : {})
    if (Math.random() < 0.7) response.resume()
    await sleep(Math.random() * 60)
    response.destroy()
  } catch {
    // Turned away or cut off is gone as well.
  }
}

/** No snapshot is left open: SQLite can empty its log, PostgreSQL has no transaction begun. */
async function untilNobodyReads(engine: string, { app }: { app: { settings: { dataDir: string }; store: TestStore } }): Promise<void> {
  for (let tries = 0; ; tries++) {
    if (engine === 'sqlite' ? canTruncate(app.settings.dataDir) : await hasNoTransactions(app.store)) return
    assert.ok(tries < 100, 'a snapshot is still open')
    await sleep(100)
  }
}

type TestStore = Store

function canTruncate(dataDir: string): boolean {
  const database = new Database(join(dataDir, 'marquee.db'), { timeout: 0 })
  try {
    const [{ busy }] = database.pragma('wal_checkpoint(truncate)') as [{ busy: number }]
    return busy === 0
  } finally {
    database.close()
  }
}

async function hasNoTransactions({ db }: TestStore): Promise<boolean> {
  const { rows } = await sql<{
    open: number
  }>`select count(*) as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(db)
  return rows[0]?.open === 0
}

/** A ranking of a source that has no name cannot be written; no import would store one. */
async function spoil({ app }: { app: { store: TestStore } }, { id }: TestPartner): Promise<void> {
  await app.store.write(async (tx) => {
    const last = await tx
      .selectFrom('subjects')
      .innerJoin('accounts', 'accounts.id', 'subjects.account_id')
      .select(['subjects.id', 'subjects.account_id'])
      .where('partner_id', '=', id)
      .orderBy('subjects.id', 'desc')
      .executeTakeFirstOrThrow()
    const { account_id } = last
    const keyword = { account_id, subject_id: last.id, phrase: 'zzz' }
    const { id: keyword_id } = await tx.insertInto('keywords').values(keyword).returning('id').executeTakeFirstOrThrow()
    const starts_at = monthOf(1_760_000_000)
    const data = bytesOf(Uint32Array.of(starts_at, (60_000 << 16) | 1))
    await tx.insertInto('ranking_months').values({ account_id, keyword_id, starts_at, data }).execute()
    await renewMeasuredVersions(tx, [last.account_id])
  })
}
