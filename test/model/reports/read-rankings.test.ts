/** A keyword with more months than are read at a time: it is written piece by piece, before the next keyword is read, and every format tells all of it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { daysOf, oneSeries } from '../../../src/model/reports/question.ts'
import { readKeywords } from '../../../src/model/reports/read-rankings.ts'
import { snapshotReader } from '../../../src/model/reports/snapshot-reader.ts'
import { bytesOf, monthOf } from '../../../src/store/packed-months.ts'
import { onEachEngine } from '../../support/engines.ts'
import { readReport } from '../../support/read-report.ts'
import { observe, ranking } from '../../support/report-world.ts'
import { serviceOn, type TestPartner } from '../../support/service.ts'

const days = daysOf({ startDate: null, endDate: null })
const start = monthOf(1_760_000_000)
const chunks = 2_500
const mostAtOnce = 1_000

onEachEngine('a keyword of very many rankings', (place) => {
  const service = serviceOn(place)
  const at = {} as { acme: TestPartner }
  before(async () => {
    at.acme = await service.partner('Acme')
    await observe(service, at.acme, [
      ranking({ phrase: 'a short one' }),
      ranking({ phrase: 'long', ranked_at: textOf(start) }),
      ranking({ phrase: 'longer', ranked_at: textOf(start) }),
      ranking({ phrase: 'the last' }),
    ])
    for (const phrase of ['long', 'longer']) await fill(phrase)
  })

  /** A chunk for each ranking, so that there are many of them. */
  async function fill(phrase: string): Promise<void> {
    const { store } = service.app
    const keyword = await store.db
      .selectFrom('keywords')
      .select(['id', 'account_id'])
      .where('phrase', '=', phrase)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: chunks }, (_, i) => {
      const data = bytesOf(Uint32Array.of(start + i, (1 << 16) | (1 + (i % 100))))
      return { account_id: keyword.account_id, keyword_id: keyword.id, starts_at: start + i, data }
    })
    await store.write(async (tx) => {
      await tx.deleteFrom('ranking_months').where('account_id', '=', keyword.account_id).where('keyword_id', '=', keyword.id).execute()
      for (let from = 0; from < rows.length; from += 500)
        await tx
          .insertInto('ranking_months')
          .values(rows.slice(from, from + 500))
          .execute()
    })
  }

  test('comes in pieces, and alone', async () => {
    const { store } = service.app
    await store.snapshot(async (db) => {
      const { id } = await db.selectFrom('subjects').select('id').where('account_id', '=', at.acme.accountId).executeTakeFirstOrThrow()
      const keywords = readKeywords(
        { reading: snapshotReader(db, store.engine), days, accountId: at.acme.accountId, choice: oneSeries },
        false,
      )
      keywords.expect([id])
      const seen: [string, number[]][] = []
      for await (const items of keywords.of(id)) {
        for (const { key, value } of items) {
          const sizes: number[] = []
          if ('next' in value) for (let some = await value.next(); some !== null; some = await value.next()) sizes.push(some.length)
          else sizes.push(value.length)
          seen.push([String(key), sizes])
        }
        assert.ok(items.filter(({ value }) => 'next' in value).length <= 1, 'two long ones are held at once')
      }
      assert.deepEqual(
        seen.map(([key]) => key),
        ['a short one', 'long', 'longer', 'the last'],
      )
      for (const [, sizes] of seen.slice(1, 3)) {
        assert.equal(
          sizes.reduce((sum, size) => sum + size),
          chunks,
        )
        assert.ok(sizes.length > 1 && Math.max(...sizes) <= mostAtOnce, `pieces of ${sizes}`)
      }
    })
  })

  test('is told in full, in order and alike in XML, JSON and CSV', async () => {
    const json = (await at.acme.get('/api/seo_report.json')).json()
    const text = JSON.stringify(json)
    assert.equal(text.split('"ranked_at"').length - 1, 2 * chunks + 2)
    assert.deepEqual(readReport((await at.acme.get('/api/seo_report.xml')).text), json)
    const lines = (await at.acme.get('/api/seo_report.csv?table=rankings')).text.trim().split('\r\n')
    assert.equal(lines.length, 2 * chunks + 3)
    const times = lines.filter((line) => line.includes(',long,')).map((line) => /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(line)?.[0])
    assert.deepEqual(
      times,
      Array.from({ length: chunks }, (_, i) => textOf(start + i)),
    )
  })
})

function textOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}
