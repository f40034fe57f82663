/** What an upload tells of its file: the tool that wrote it, and the lines that were refused. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Intake, NotFoundError } from '../../src/client/client.ts'
import { forgetIntakes } from '../../src/model/intakes/intakes.ts'
import { workTasks } from '../../src/model/intakes/work-tasks.ts'
import { issueKey } from '../../src/model/partners/keys/keys.ts'
import { eraseReviewer } from '../../src/model/people/personal-data.ts'
import { importUploadedAccounts } from '../../src/model/transfers/import-uploaded.ts'
import { workbookOf, zipOf } from '../model/imports/shapes/write-files.ts'
import { onEachEngine } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { serviceOn, type TestPartner } from '../support/service.ts'

const header = 'phrase,search_engine,locale,ranked_at,rank'

onEachEngine('a file', (place) => {
  const house = serviceOn(place)
  let acme: TestPartner
  let globex: TestPartner
  let siteId: number

  before(async () => {
    acme = await house.partner('Acme')
    globex = await house.partner('Globex')
    const business = await acme.client.createBusiness({ name: 'Bob' })
    siteId = (await acme.client.createSite({ business_id: business.id, domain: 'example.com' })).id
    await house.operator.app.store.write((tx) => tx.updateTable('keys').set({ scopes: 'provision report ingest' }).execute())
  })

  const upload = async (body: string | Uint8Array, query: string, type = 'text/csv') => {
    const reply = await acme.ask('POST', `/api/intakes.json?site_id=${siteId}&create_missing=1&${query}`, { body, type })
    assert.equal(reply.status, 202, reply.text)
    return (reply.json() as { intake: Intake }).intake
  }
  const ended = async ({ id }: Intake) => {
    const { app } = house.operator
    await workTasks({ app, signal: new AbortController().signal, eraseAgain: async () => {}, importWhole: importUploadedAccounts })
    // The service itself may have begun it.
    await eventually(async () => ['stored', 'refused'].includes((await acme.client.showIntake(id)).state))
    return acme.client.showIntake(id)
  }
  const table = async (id: number, partner = acme) => partner.get(`/api/intakes/${id}/refused.csv`)

  test('of which lines are skipped gives them back with a column "why", doubled keys too', async () => {
    const rows = [
      '"drains, old",Google,en-us,2026-11-14,none',
      'gutter,Google,en-us,2026-11-14,5',
      'roof,Google,en-us,2026-11-14,3',
      'gutter,Google,en-us,2026-11-14,6',
    ]
    const intake = await ended(await upload(`${header}\n${rows.join('\n')}\n`, 'skip_refused=1'))
    assert.partialDeepStrictEqual(intake, { state: 'stored', lines: 1, refused: 3 })
    const doubled = 'has the key of another line and other figures: say `last_wins=1` if the later one is meant'
    const { text, headers } = await table(intake.id)
    assert.match(String(headers['content-type']), /^text\/csv/)
    assert.equal(
      text,
      `${header},why\n${rows[0]},"rank must be an integer (here: ""none""); \`not_found\` names what stands for ""not found"""\n${rows[1]},${doubled}\n${rows[3]},${doubled}\n`,
    )
    const listed = await acme.client.listRefusedLines(intake.id).toArray()
    assert.deepEqual(listed[1], { line: 3, file: null, text: rows[1], why: doubled })
    assert.match((await acme.get(`/api/intakes/${intake.id}/refused.xml`)).text, /<refused-line>\s*<line type="integer">2<\/line>/)
  })

  test('with more refused lines than a page has gives all of them back', async () => {
    const rows = Array.from({ length: 1_200 }, (_, i) => `${i % 2 ? `p${i}` : ''},Google,en-us,2026-11-14,${i % 2}`)
    const intake = await ended(await upload(`${header}\n${rows.join('\n')}\n`, 'skip_refused=1'))
    const listed = await acme.client.listRefusedLines(intake.id).toArray()
    assert.deepEqual([listed.length, listed[599]?.line], [600, 1_200])
    assert.equal((await table(intake.id)).text.split('\n').length, 602)
  })

  test('of records gives back their JSON', async () => {
    const record = { type: 'ranking', phrase: 'sink', search_engine: 'Google', locale: 'en-us', ranked_at: '2026-11-14 00:00:00', rank: 0 }
    const intake = await ended(
      await upload(`${JSON.stringify(record)}\n{"type":"keyword","phrase":"sink"}\n`, 'skip_refused=1', 'application/x-ndjson'),
    )
    assert.match((await table(intake.id)).text, /^line,record,why\n1,"\{""type"":""ranking"".*,"?rank must be between 1 and 65535/)
    const [line] = await acme.client.listRefusedLines(intake.id).toArray()
    assert.deepEqual(JSON.parse(line?.text ?? ''), record)
  })

  test('is refused as a whole, and keeps no lines, where nobody asked for it', async () => {
    const intake = await ended(await upload(`${header}\n,Google,en-us,2026-11-14,1\n`, ''))
    assert.equal(intake.state, 'refused')
    assert.equal((await table(intake.id)).text, '')
  })

  test('keeps its lines from others, forgets them with its intake, and the author of a review in them when he is erased', async () => {
    const reviews = 'Review Date,Reviewer,Star Rating,Directory\n2026-11-14,Cara Canary,9,google\n2026-11-14,Bo Other,8,google\n'
    const intake = await ended(await upload(reviews, 'preset=brightlocal&set=page_url=https://maps.example/1&skip_refused=1'))
    assert.match((await table(intake.id)).text, /Cara Canary[\s\S]*Bo Other/)
    assert.equal((await table(intake.id, globex)).status, 404)
    const limited = await issueKey(house.operator, acme.id, { scopes: ['ingest'], account_ids: String(acme.accountId) })
    const credentials = `${limited.key}:${limited.password}`
    const whole = await ended(await upload(`${header}\n,Google,en-us,2026-11-14,1\n`, 'skip_refused=1'))
    assert.equal((await house.stranger.get(`/api/intakes/${whole.id}/refused.csv`, { credentials })).status, 200)
    assert.deepEqual(await eraseReviewer(house.operator, 'Cara Canary'), { reviews: 0 })
    const { text } = await table(intake.id)
    assert.doesNotMatch(text, /Canary/)
    assert.match(text, /Bo Other/)
    await forgetIntakes(house.operator.app, '2999-01-01T00:00:00Z')
    assert.equal((await table(intake.id)).status, 404)
    const left = house.operator.app.store.db.selectFrom('intake_refused_lines').select('part')
    assert.deepEqual(await left.execute(), [])
  })

  test('says in the answer what it looks like, where that is not told, and in the intake afterwards', async () => {
    const rows = [
      ['Keyword', 'KD', 'Current position', 'Current date'],
      ['plumber', '3', '4', '2026-11-14'],
    ]
    const text = rows.map((row) => row.join(',')).join('\n')
    const told = { recognised_as: 'ahrefs-keywords', looks_like: 'Ahrefs: preset=ahrefs-keywords' }
    const files = { csv: text, 'csv.gz': gzipSync(text), xlsx: workbookOf({ A: rows }), zip: await zipOf({ 'a.csv': text }) }
    for (const [name, body] of Object.entries(files)) {
      const begun = await upload(body, 'set=locale=en-us', name === 'xlsx' || name === 'zip' ? 'application/zip' : 'text/csv')
      assert.partialDeepStrictEqual(begun, { state: 'waiting', ...told }, name)
      assert.partialDeepStrictEqual(await ended(begun), { state: 'stored', ...told }, name)
    }
    const untold = { recognised_as: null, looks_like: null }
    assert.partialDeepStrictEqual(await upload(text, 'preset=ahrefs-keywords&set=locale=en-us'), untold)
    assert.partialDeepStrictEqual(await ended(await upload(`${header}\n`, '')), { state: 'refused', ...untold })
  })

  test('of several directories makes a page for each, and keeps the link, the language and the answer of a review', async () => {
    const rows = [
      'Review Date,Directory,Reviewer,Star Rating,Review,Review URL,Response,Language',
      '2026-11-13,google,Ann,5,Good,https://google.example/r/1,Thank you,en',
      '2026-11-13,yelp,Ben,4,Fine,https://yelp.example/r/2,,de-ch',
      '2026-11-14,google,Cid,3,So so,https://google.example/r/3,,',
    ]
    const intake = await ended(await upload(rows.join('\n'), 'preset=brightlocal&set=page_url=https://bob.example/reviews'))
    assert.equal(intake.state, 'stored', JSON.stringify(intake.faults))
    const pages = (await acme.client.listReviewPages(siteId).toArray()).filter(({ page_url }) => page_url.startsWith('https://bob.'))
    const kept = await Promise.all(
      pages.map(async ({ id, source }) => [source, await acme.client.listReviews(siteId, id).toArray()] as const),
    )
    const told = kept.map(([source, all]) => [source, all.map(({ user, url, language, answer }) => [user, url, language, answer])])
    assert.deepEqual(told, [
      [
        'google',
        [
          ['Ann', 'https://google.example/r/1', 'en', 'Thank you'],
          ['Cid', 'https://google.example/r/3', null, null],
        ],
      ],
      ['yelp', [['Ben', 'https://yelp.example/r/2', 'de-ch', null]]],
    ])
    assert.doesNotMatch((await acme.get(`/api/accounts/${acme.accountId}/reputation_report/detail.json`)).text, /Thank you|"language"/)

    const addresses = 'set=page_url[source=Google]=https://g.example/bob,page_url[source=yelp]=https://yelp.example/biz/bob'
    const each = await ended(
      await upload([...rows, '2026-11-15,trustpilot,Dee,1,Bad,,,'].join('\n'), `preset=brightlocal&${addresses}&skip_refused=1`),
    )
    assert.partialDeepStrictEqual(each, { state: 'stored', faults: [{ line: 5, message: 'page_url must be given' }] })
    const places = (await acme.client.listReviewPages(siteId).toArray()).map(({ source, page_url }) => `${source} ${page_url}`)
    assert.deepEqual(
      places.filter((one) => /g.example|yelp.example/.test(one)),
      ['google https://g.example/bob', 'yelp https://yelp.example/biz/bob'],
    )
  })

  test('that nobody knows has no refused lines', async () => {
    await assert.rejects(acme.client.listRefusedLines(999_999).toArray(), NotFoundError)
    const { id } = await upload(`${header}\n`, '')
    assert.equal((await acme.get(`/api/intakes/${id}/refused.json?after=nonsense`)).status, 400)
  })
})
