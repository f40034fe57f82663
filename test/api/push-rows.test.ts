/** The rows of a push in CSV are read in small batches, within the limits that JSON has, and reading ends after them. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Failure } from '../../src/lib/failures.ts'
import { readMapping } from '../../src/model/imports/csv/mappings.ts'
import { maxMembers, maxRecords, maxUnreadable, type PushedBody } from '../../src/model/intakes/pushes/push-body.ts'
import { pushedRows } from '../../src/model/intakes/pushes/push-rows.ts'
import { keyScopes } from '../../src/model/partners/keys/keys.ts'
import type { CsvMapping } from '../../src/resources/imports/import-preset.ts'
import { nastyRows } from '../hard/support/nasty-rows.ts'
import { onEachEngine } from '../support/engines.ts'
import { receivedOf } from '../support/received.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

/** They are within all limits, and read to their end: the hard goal sends them, too. */
const longOnes = ['16,000 rows of 1,000 cells', 'cells of two lines each', '200,000 rankings in CSV']
/** Of a batch, which is checked in one go. */
const mostRecords = 250

const header = 'site,phrase,search_engine,locale,ranked_at,rank\n'
const row = 'acme.example,bread,Google,en-us,2026-11-01 00:00:00,4\n'

describe('the rows of a push in CSV', () => {
  for (const { name, path, headers = {}, body } of nastyRows().filter((one) => !longOnes.includes(one.name))) {
    test(`${name}: no batch holds much`, async () => {
      const query = Object.fromEntries(new URL(path, 'http://a').searchParams)
      const mapping = readMapping({ ...query, ...(query['set'] && { set: query['set'].replaceAll(',', '\n') }) })
      const encoding = headers['content-encoding'] === 'gzip' ? 'gzip' : 'identity'
      await lookAtBatches({ contents: receivedOf(body?.() ?? Buffer.alloc(0)), encoding }, mapping)
    })
  }

  test('a hundred rows of another width are told one by one, and at the next one reading stops', async () => {
    const broken = (count: number) => Buffer.from(header + 'a,b\n'.repeat(count) + row)
    const faults = (await rowsOf(broken(maxUnreadable))).filter(({ fault }) => fault?.code === 'cells')
    assert.equal(faults.length, maxUnreadable)
    await assert.rejects(rowsOf(broken(maxUnreadable + 1)), refusal('malformed_body', 'reading stopped at line 102'))
  })

  test('there may be so many lines, be they blank or within a cell, and no more', async () => {
    for (const end of ['\n', '\r', '\r\n'])
      await assert.rejects(rowsOf(Buffer.from(header + end.repeat(maxRecords))), refusal('too_large', '250,000 records or lines'))
    await assert.rejects(rowsOf(Buffer.from(`${header}"${'\n'.repeat(maxRecords)}"`)), refusal('too_large', '250,000'))
    assert.equal((await rowsOf(Buffer.from(header + '\r\n'.repeat(maxRecords - 4) + row))).length, 1)
  })

  test('a row may have so many cells, and no more', async () => {
    const wide = (cells: number) => Buffer.from(`phrase,site${',more'.repeat(cells - 2)}\nbread,acme.example${','.repeat(cells - 2)}\n`)
    assert.equal((await rowsOf(wide(maxMembers))).length, 1)
    await assert.rejects(rowsOf(wide(maxMembers + 1)), refusal('too_large', 'The row at line 1 has more than 1,000 cells'))
    const later = Buffer.from(`${header}${row.repeat(3)}${','.repeat(maxMembers)}\n`)
    await assert.rejects(rowsOf(later), refusal('too_large', 'The row at line 5 '))
  })

  test('wherever the bytes are parted, the same is read', async () => {
    const texts = ['caf\u00e9 \u{1f35e}', '"two\r\nlines, ""quoted"""', 'plain']
    const body = Buffer.from(
      Array.from({ length: 3_000 }, (_, i) => `acme.example,${texts[i % 3]} ${i % 3 === 1 ? '' : i},e,l,2026-11-01,${i}`)
        .map((line) => line.replace('""" ,', '""",'))
        .join('\r\n'),
    )
    const read = await rowsOf(Buffer.concat([Buffer.from(header.replace('\n', '\r\n')), body]))
    const phrases = read.map(({ record }) => (record as { phrase: string }).phrase)
    const wanted = ['caf\u00e9 \u{1f35e}', 'two\r\nlines, "quoted"', 'plain']
    assert.deepEqual(
      phrases.map((phrase) => phrase.replace(/ \d+$/, '')),
      phrases.map((_, i) => wanted[i % 3]),
    )
    // Each row of two lines moves the next ones by one more.
    assert.deepEqual(
      read.map(({ line }) => line),
      read.map((_, i) => 2 + i + Math.floor((i + 1) / 3)),
    )
  })
})

onEachEngine('a push in CSV beyond a limit', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner

  before(async () => {
    acme = await house.partner('Acme')
    const business = await acme.client.createBusiness({ name: 'Bob' })
    await acme.client.createSite({ business_id: business.id, domain: 'acme.example' })
    const all = { scopes: keyScopes.join(' ') }
    await house.operator.app.store.write((tx) => tx.updateTable('keys').set(all).execute())
  })

  for (const [name, body, status, code] of [
    ['of too many rows that lack cells', header + row + 'a\n'.repeat(101), 400, 'malformed_body'],
    ['of too many blank lines', header + row + '\n'.repeat(maxRecords), 413, 'too_large'],
    ['of too many cells', header + row + ','.repeat(2_000), 413, 'too_large'],
  ] as const)
    test(`${name} stores nothing, and says so`, async () => {
      const reply = await acme.ask('POST', '/api/observations.json?create_missing=1', { body, type: 'text/csv' })
      const problem = reply.json() as { code: string; detail: string }
      assert.deepEqual([reply.status, problem.code], [status, code], reply.text)
      assert.doesNotMatch((await acme.get('/api/seo_report.json')).text, /bread/)
    })
})

async function lookAtBatches(body: PushedBody, mapping: CsvMapping): Promise<void> {
  try {
    for await (const batch of pushedRows(body, mapping)) assert.ok(batch.length <= mostRecords, `${batch.length} records in a batch`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

async function rowsOf(body: Buffer) {
  return (await Array.fromAsync(pushedRows({ contents: receivedOf(body), encoding: 'identity' }, {}))).flat()
}

function refusal(code: Failure['code'], words: string) {
  return (error: unknown) => error instanceof Failure && error.code === code && error.message.includes(words)
}
