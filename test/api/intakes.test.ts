/** Uploads over HTTP: taken to the disk, stored in the background by the service, told of on the way, cancelled, undone. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ConflictError, type Intake, NotFoundError } from '../../src/client/client.ts'
import { releaseUpload } from '../../src/model/intakes/parked-uploads.ts'
import { workTasks } from '../../src/model/intakes/work-tasks.ts'
import { issueKey, keyScopes, revokeKey, rotateKey } from '../../src/model/partners/keys/keys.ts'
import { importUploadedAccounts } from '../../src/model/transfers/import-uploaded.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { waitingIntake } from '../support/sample-world.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const over = new Set(['stored', 'checked', 'refused', 'cancelled', 'interrupted', 'undone'])

onEachEngine('an upload', (place) => {
  const house = serviceOn(place, { MARQUEE_MAX_UPLOAD: '1MiB' })
  let acme: TestPartner
  let globex: TestPartner
  let siteId: number

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    const business = await acme.client.createBusiness({ name: 'Bob' })
    siteId = (await acme.client.createSite({ business_id: business.id, domain: 'example.com' })).id
    const all = { scopes: keyScopes.join(' ') }
    await house.operator.app.store.write((tx) => tx.updateTable('keys').set(all).execute())
  })

  const ranking = (i: number, rank = 1) => ({
    type: 'ranking' as const,
    site: 'example.com',
    phrase: `plumber ${i % 50}`,
    search_engine: 'Google',
    locale: 'en-us',
    ranked_at: `2026-11-0${1 + (i % 9)} 00:00:00`,
    rank,
  })
  const lines = (count: number, rank?: number) => Array.from({ length: count }, (_, i) => JSON.stringify(ranking(i, rank))).join('\n')
  const upload = async (body: string | Uint8Array, query = '', type = 'application/x-ndjson', partner = acme) => {
    const reply = await partner.ask('POST', `/api/intakes.json?${query}`, { body, type })
    assert.equal(reply.status, 202, reply.text)
    assert.match(String(reply.headers.location), /\/api\/intakes\/\d+\.json$/)
    return (reply.json() as { intake: Intake }).intake
  }
  const show = (id: number) => acme.client.showIntake(id)
  /** Worked on at once; the service does the same a moment later, in a thread of its own. */
  const ended = async (id: number) => {
    const { app } = house.operator
    await workTasks({ app, signal: new AbortController().signal, eraseAgain: async () => {}, importWhole: importUploadedAccounts })
    return inTheEnd(id)
  }
  const inTheEnd = async (id: number) => {
    await eventually(async () => over.has((await show(id)).state))
    return show(id)
  }
  const files = () => readdirSync(join(place.folder, 'uploads')).filter((name) => name !== 'host')
  const report = async () => (await acme.get('/api/seo_report.json')).text

  test('of ranks on one device tells in its answer how they are stored, before and after', async () => {
    const body = 'site,phrase,search_engine,locale,device,ranked_at,rank\nexample.com,tracked,Google,en-us,mobile,2026-11-14,3\n'
    for (const [query, state] of [
      ['dry_run=1&create_missing=1', 'checked'],
      ['create_missing=1', 'stored'],
    ] as const) {
      const { state: is, notices } = await ended((await upload(body, query, 'text/csv')).id)
      assert.equal(is, state)
      const message = 'Ranks on mobile (Google en-us) are stored as those without a device; `devices=1` stores every device by name.'
      assert.deepEqual([...notices], [{ message }])
    }
  })

  test('that is repeated with its key becomes one intake, and with another file it is refused', async () => {
    const send = (body: string, query = 'dry_run=1') =>
      acme.ask('POST', `/api/intakes.json?${query}`, { body, type: 'application/x-ndjson', headers: { 'idempotency-key': 'november' } })
    const count = async () => (await Array.fromAsync(acme.client.listIntakes())).length
    const before = await count()
    const [first, second] = await Promise.all([send(lines(3)), send(lines(3))])
    assert.deepEqual([first.status, second.status, second.text], [202, 202, first.text])
    assert.deepEqual([first, second].map(({ headers }) => headers['idempotency-replayed']).toSorted(), ['false', 'true'])
    assert.equal((await send(lines(3))).headers.location, first.headers.location)
    for (const other of [await send(lines(4)), await send(lines(3), 'dry_run=1&create_missing=1')])
      assert.deepEqual([other.status, (other.json() as { code: string }).code], [422, 'idempotency_mismatch'])
    assert.equal(await count(), before + 1)
    await inTheEnd((first.json() as { intake: Intake }).intake.id)
    await eventually(() => files().length === 0)
  })

  test('is stored in the background, told of with counts, and its file is deleted', async () => {
    const begun = await upload(gzipSync(lines(900)), 'create_missing=1&file_name=november.ndjson.gz')
    assert.partialDeepStrictEqual(begun, { via: 'upload', state: 'waiting', file_name: 'november.ndjson.gz', lines: 0, faults: [] })
    const intake = await inTheEnd(begun.id)
    assert.partialDeepStrictEqual(intake, { state: 'stored', lines: 900, refused: 0, bytes_read: begun.bytes })
    // Fifty phrases on nine days: the rest of the lines repeats them.
    assert.partialDeepStrictEqual(intake.kinds, [
      { kind: 'keyword', created: 50 },
      { kind: 'ranking', accepted: 900, created: 450, unchanged: 450 },
    ])
    await eventually(() => files().length === 0)
    assert.match(await report(), /plumber 49/)
    const xml = await acme.get(`/api/intakes/${begun.id}.xml`)
    assert.match(xml.text, /<intake>\n {2}<id type="integer">\d+<\/id>[\s\S]*<state>stored<\/state>/)
    assert.match((await acme.get('/api/intakes.json')).text, /november\.ndjson\.gz/)
  })

  test('of a key that is revoked before its turn is refused with that reason, and released by the operator; of one that has expired or was rotated it is stored', async () => {
    const { app } = house.operator
    const send = async (name: string) => {
      const { key, password, record } = await issueKey(house.operator, acme.id, { scopes: ['ingest'] })
      const query = `account_id=${acme.accountId}&create_missing=1`
      const credentials = `${key}:${password}`
      const body = JSON.stringify({ type: 'keyword', site: 'example.com', phrase: `sent by a key that is ${name}` })
      const reply = await house.stranger.ask('POST', `/api/intakes.json?${query}`, { body, type: 'application/x-ndjson', credentials })
      assert.equal(reply.status, 202, reply.text)
      return { id: (reply.json() as { intake: Intake }).intake.id, record }
    }
    // Its turn comes after that of a file which lies on another host.
    const before = await waitingIntake(house, acme.id)
    const [revoked, expired, rotated] = [await send('revoked'), await send('expired'), await send('rotated')]
    await revokeKey(house.operator, revoked.record.public_part)
    await rotateKey(house.operator, rotated.record.public_part, 0)
    await app.store.write((tx) =>
      tx.updateTable('keys').set({ expires_at: '2020-01-01T00:00:00Z' }).where('id', '=', expired.record.id).execute(),
    )
    await acme.client.cancelIntake(before)
    const intake = await ended(revoked.id)
    assert.deepEqual([intake.state, intake.stored, intake.faults.map(({ code }) => code)], ['refused', 0, ['key_revoked']])
    assert.match(intake.faults[0]?.message ?? '', /a key that was revoked/)
    assert.equal((await ended(expired.id)).state, 'stored')
    assert.equal((await ended(rotated.id)).state, 'stored')
    await assert.rejects(releaseUpload(house.operator, expired.id), { code: 'conflict' })
    const { keywords } = (await acme.get(`/api/sites/${siteId}/keywords.json`)).json() as { keywords: { phrase: string }[] }
    const sent = keywords.map(({ phrase }) => phrase).filter((phrase) => phrase.startsWith('sent by'))
    assert.deepEqual(sent, ['sent by a key that is expired', 'sent by a key that is rotated'])
    const byPartner = await acme.post(`/api/intakes/${revoked.id}/release.json`, {})
    assert.deepEqual([byPartner.status, /only the operator can release it/.test(byPartner.text)], [409, true], byPartner.text)
    assert.equal((await releaseUpload(house.operator, revoked.id)).state, 'waiting')
    assert.partialDeepStrictEqual(await ended(revoked.id), { state: 'stored', refused: 0, faults: [] })
    await assert.rejects(releaseUpload(house.operator, revoked.id), { code: 'conflict' })
  })

  test('has a name of one line', async () => {
    const most = 'n'.repeat(255)
    assert.equal((await upload(lines(1), `dry_run=1&file_name=${most}`)).file_name, most)
    for (const bad of [`${most}n`, 'two%0Alines', 'two%0D%0Alines', 'bell%07', 'next%C2%85line', 'line%E2%80%A8separator']) {
      const refused = await acme.ask('POST', `/api/intakes.json?dry_run=1&file_name=${bad}`, {
        body: lines(1),
        type: 'application/x-ndjson',
      })
      assert.deepEqual([refused.status, (refused.json() as { code: string }).code], [400, 'bad_request'], bad)
      assert.match(refused.text, /file_name must be one line of at most 255 characters, without control characters/)
    }
  })

  test('is undone in the background, and what came later stays', async () => {
    const before = await report()
    const { id } = await upload(lines(450, 7))
    await ended(id)
    const later = { ...ranking(1, 3), ranked_at: '2026-11-20 00:00:00' }
    await acme.client.pushObservations([later])
    assert.equal((await acme.post(`/api/intakes/${id}/undo.json?despite_later=perhaps`)).status, 400)
    assert.equal((await acme.post(`/api/intakes/${id}/undo.json?dry_run=1`)).status, 202)
    assert.equal((await show(id)).state, 'stored')
    assert.equal((await acme.post(`/api/intakes/${id}/undo.json?despite_later=1`)).status, 202)
    const intake = await ended(id)
    assert.partialDeepStrictEqual(intake, { state: 'undone', undone: 450, left: 0 })
    const without = (text: string) => text.replace(/,\{[^{}]*"ranked_at":"2026-11-20[^{}]*\}/, '')
    assert.ok(without(await report()) === before, 'the report is what it was, but for what came later')
    assert.equal((await acme.post(`/api/intakes/${id}/undo.json`)).status, 202, 'a repetition changes nothing')
  })

  test('with a line at fault stores nothing and says which', async () => {
    const before = await report()
    const bad = { ...ranking(2), rank: 0 }
    const { id } = await upload(`${lines(100, 9)}\n${JSON.stringify(bad)}\n`)
    const intake = await ended(id)
    assert.partialDeepStrictEqual(intake, { state: 'refused', refused: 1, stored: 0 })
    const message = 'rank must be between 1 and 65535 (here: 0)'
    assert.deepEqual(intake.faults, [{ line: 101, field: 'rank', code: 'out_of_range', message }])
    assert.ok((await report()) === before)
    assert.deepEqual(files(), [])
  })

  test('may be CSV of another tool, a JSON array, or a check only', async () => {
    const csv = 'Keyword;Position;Date\nroofer;4;14.11.2026\n'
    const words =
      'columns=Keyword=phrase,Position=rank,Date=ranked_at&set=search_engine=Google,locale=de-de&date_format=dd.mm.yyyy&kind=rankings'
    const { id } = await upload(csv, `site_id=${siteId}&create_missing=1&${words}`, 'text/csv')
    assert.equal((await ended(id)).state, 'stored')
    const array = await upload(JSON.stringify([ranking(1, 5), ranking(2, 5)]), '', 'application/json')
    assert.equal((await ended(array.id)).lines, 2)
    const checked = await upload(lines(10, 8), 'dry_run=1')
    assert.partialDeepStrictEqual(await ended(checked.id), { state: 'checked', lines: 10, stored: 0 })
    const totals = Array.from({ length: 12 }, (_, i) => JSON.stringify(count(i, 10 + i))).join('\n')
    const asked = await ended((await upload(totals, 'create_missing=1')).id)
    assert.deepEqual([asked.state, asked.faults[0]?.code], ['refused', 'never_fall'])
    assert.equal((await ended((await upload(totals, 'create_missing=1&counts=totals')).id)).state, 'stored')
  })
  const count = (i: number, sum: number) => {
    const page = { type: 'review_count', site: 'example.com', page_url: 'https://maps.example/place/1', source: 'google' }
    return { ...page, date: `2026-10-${String(1 + i).padStart(2, '0')}`, count: sum, rating_sum: 4 * sum }
  }

  test('is refused before it is sent where it cannot be taken', async () => {
    const ask = (query: string, type = 'application/x-ndjson', headers = {}) =>
      acme.ask('POST', `/api/intakes.json?${query}`, { body: lines(1), type, headers })
    assert.equal((await ask('', 'image/png')).status, 415)
    assert.equal((await ask('', 'text/csv', { 'content-encoding': 'br' })).status, 415)
    assert.equal((await ask('preset=nothing')).status, 400)
    assert.equal((await ask('mapping=unknown')).status, 404)
    assert.equal((await ask(`account_id=${globex.accountId}`)).status, 404)
    assert.equal((await acme.ask('POST', '/api/intakes.json', { body: Buffer.alloc(2 ** 20 + 1), type: 'text/csv' })).status, 413)
    assert.equal((await acme.ask('POST', '/api/intakes.json', { body: '', type: 'text/csv' })).status, 400)
    assert.deepEqual(files(), [])
  })

  test('that unfolds to far too much, is damaged, or is no data at all is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 2 ** 20, 10))
    const cases: [Uint8Array, string][] = [
      [bomb, 'unfolds_too_much'],
      [gzipSync(lines(2_000)).subarray(0, 300), 'truncated'],
      [Buffer.from('%PDF-1.7\n'), 'pdf'],
      [Buffer.from('<?xml version="1.0"?><hash></hash>'), 'empty'],
      [Buffer.from('\n\n'), 'empty'],
      [Buffer.from('[{"type":"keyword"}, '), 'not_json_array'],
    ]
    for (const [body, code] of cases) {
      const { state, faults } = await ended((await upload(body)).id)
      assert.deepEqual([state, faults.at(-1)?.code], ['refused', code])
    }
  })

  test('is cancelled while it is unfinished, and not afterwards', async () => {
    const { id } = await upload(lines(10))
    const reply = await acme.ask('DELETE', `/api/intakes/${id}.json`)
    if (reply.status === 200) assert.match((await ended(id)).state, /cancelled/)
    else assert.equal(reply.status, 409)
    const done = await ended((await upload(lines(10))).id)
    await assert.rejects(acme.client.cancelIntake(done.id), ConflictError)
    await assert.rejects(globex.client.cancelIntake(done.id), NotFoundError)
    await assert.rejects(globex.client.showIntake(done.id), NotFoundError)
  })

  test('of one partner comes after the one before, and not more than ten may wait', async () => {
    const blocker = await waitingIntake(house, acme.id)
    const ids: number[] = []
    for (let i = 0; i < 9; i++) ids.push((await upload(lines(450, 20 + i))).id)
    const tenth = await acme.ask('POST', '/api/intakes.json', { body: lines(1), type: 'application/x-ndjson' })
    assert.deepEqual([tenth.status, tenth.headers['retry-after']], [429, '60'])
    await workTasks({
      app: house.operator.app,
      signal: new AbortController().signal,
      eraseAgain: async () => {},
      importWhole: importUploadedAccounts,
    })
    assert.ok(
      (await Promise.all(ids.map(show))).every(({ state }) => state === 'waiting'),
      'the first one lies on another host',
    )
    assert.equal((await acme.client.cancelIntake(blocker)).id, blocker)
    const all = await Promise.all(ids.map(ended))
    assert.ok(all.every(({ state }) => state === 'stored'))
    const ends = all.map(({ ended_at }) => ended_at as string)
    assert.deepEqual(ends, ends.toSorted())
    assert.match(await report(), /"rank":28\b/)
    assert.doesNotMatch(await report(), /"rank":2[0-7]\b/)
  })
})
